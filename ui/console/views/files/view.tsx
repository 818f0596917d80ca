/** The files of the project: found, looked at, uploaded by drop, taken away. */
import { useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import type { ReactElement } from "react"
import { useCommands } from "../../app/commands.js"
import { useNames } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { FileRow } from "../../app/rows.js"
import { pageSize, useListState } from "../../data/list-state.js"
import { Select } from "../../design/field.js"
import { number, size } from "../../design/format.js"
import { When, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { groupOf, groups, listOf, nameOf, typeLabel } from "../../files/data.js"
import { FileName, Thumbnail } from "../../files/thumbnail.js"
import { DropPlace, UploadButton, UploadRefusal, Uploads, useChooser } from "../../files/upload.js"
import { useUploadRefusal } from "../../files/uploads.js"
import type { Column } from "../../frame/columns.js"
import { ClearFilters } from "../../frame/filters.js"
import type { InboxRow } from "../../frame/inbox.js"
import { useSearched } from "../../frame/narrowed.js"
import { idAfter } from "../../frame/selection.js"
import { Tabs } from "../../frame/tabs.js"
import { Workplace } from "../../frame/workplace.js"
import { useFileActions } from "./actions.js"
import { usesText, useUses } from "./data.js"
import { FileDetail } from "./detail.js"

type NameOf = ReturnType<typeof useNames>

const sizeText = ({ size: bytes }: FileRow): string =>
  bytes === undefined || bytes === null ? "" : size(bytes)

const rowOf =
  (ownerOf: NameOf) =>
  (file: FileRow): InboxRow => ({
    lead: <Thumbnail of={file} className="inbox-lead" />,
    title: <FileName name={nameOf(file)} />,
    end: <span className="faint">{sizeText(file)}</span>,
    line: [typeLabel(file), file.isPrivate === true && "Private", ownerOf(file.userId)]
      .filter(Boolean)
      .join(" · "),
    ...(file.createdAt && { badge: <When date={file.createdAt} className="faint" /> })
  })

const columnsFor = (ownerOf: NameOf): ReadonlyArray<Column<FileRow>> => [
  { title: "Name", sort: "name", value: nameOf },
  { title: "Type", value: typeLabel },
  { title: "Size", sort: "size", value: ({ size }) => size, cell: sizeText, isEnd: true },
  { title: "Owner", value: ({ userId }) => ownerOf(userId) || userId },
  { title: "Private", value: ({ isPrivate }) => isPrivate },
  { title: "Added", sort: "createdAt", value: ({ createdAt }) => createdAt, isEnd: true }
]

const Files = (): ReactElement => {
  const id = Router.useRoute(["File"])?.params.id
  const state = useListState()
  const ownerOf = useNames()
  const session = useSession(admin.session)
  const canUpload = useUploadRefusal() === undefined
  const chooser = useChooser({ isMany: true })
  const actions = useFileActions()
  const uses = useUses(id ?? "")
  const tab = groups.find((group) => group === state.read("tab"))
  const access = state.read("status")
  const isNarrowed = tab !== undefined || access !== undefined
  const of = useSearched(({ query }) => listOf(query, pageSize), state, {
    isWanted: (file) =>
      (tab === undefined || groupOf(file) === tab) &&
      (access === undefined || (file.isPrivate === true) === (access === "private")),
    by: `${tab} ${access}`,
    isOwn: isNarrowed
  })
  const total = of.data?.paging.total
  useCommands(canUpload ? [{ label: "Upload files", icon: "upload", keys: "a", run: chooser.open }] : [])

  const to = (id?: string): string => state.keep(id === undefined ? Router.Files() : Router.File({ id }))
  const remove = async (files: ReadonlyArray<FileRow>): Promise<void> => {
    const gone = await actions.remove(files, files.length === 1 ? usesText(uses) : "")
    state.leave(to(id), to(idAfter(of.items, id, gone)))
  }
  const hrefOf = (tab: string): string => state.href({ tab }, Router.Files())
  return (
    <DropPlace>
      <Workplace
        label="Files"
        of={of}
        state={state}
        id={id}
        to={to}
        nameOf={nameOf}
        row={rowOf(ownerOf)}
        columns={columnsFor(ownerOf)}
        about={total !== undefined && number(total)}
        tools={canUpload && <UploadButton isMany />}
        search="Find files"
        filters={
          <>
            <Tabs
              label="Kinds"
              current={hrefOf(tab ?? "")}
              tabs={["", ...groups].map((value) => ({
                label: value === "" ? "All" : words(value),
                to: hrefOf(value)
              }))}
            >
              <Select
                label="Visibility"
                hideLabel
                value={access ?? ""}
                choices={[
                  { value: "", label: "Public and private" },
                  { value: "public", label: "Public" },
                  { value: "private", label: "Private" }
                ]}
                onChange={(status) => state.set({ status })}
              />
            </Tabs>
            <Uploads />
          </>
        }
        commands={[
          {
            label: "Download",
            icon: "download",
            keys: "d",
            isBulk: true,
            run: (files) => void actions.download(files)
          },
          {
            label: "Copy link",
            icon: "file",
            keys: "l",
            run: ([file]) => file && actions.copy(file)
          },
          ...(session.can(Admin.files.delete)
            ? [
                {
                  label: "Delete",
                  icon: "trash",
                  keys: "Delete",
                  isBulk: true,
                  run: (files: ReadonlyArray<FileRow>) => void remove(files)
                } as const
              ]
            : [])
        ]}
        empty={
          isNarrowed ? (
            <Empty icon="files" title="No files match the filters">
              <ClearFilters onClear={() => state.set({ tab: "", status: "" })} />
            </Empty>
          ) : (
            <Empty icon="files" title="No files yet">
              {canUpload ? (
                <>
                  <p>Drop some here, or upload them. They will be public.</p>
                  <UploadButton kind="primary" isMany />
                </>
              ) : (
                <UploadRefusal />
              )}
            </Empty>
          )
        }
      >
        {(row, id) => <FileDetail key={id} id={id} row={row} onRemove={(files) => void remove(files)} />}
      </Workplace>
      {chooser.input}
    </DropPlace>
  )
}

export default Files
