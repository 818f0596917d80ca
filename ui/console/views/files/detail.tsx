/** One file: what is in it, whose it is, and what uses it. */
import { useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { useNames } from "../../app/names.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { FileRow } from "../../app/rows.js"
import { asText } from "../../app/settled.js"
import { Group } from "../../customer/about.js"
import { Button } from "../../design/button.js"
import { size } from "../../design/format.js"
import { MenuButton } from "../../design/menu.js"
import { FactList, When, words } from "../../design/show.js"
import { byId, nameOf, typeLabel } from "../../files/data.js"
import { Detail, Part, PartLink, Thing } from "../../frame/detail.js"
import { More } from "../../frame/more.js"
import { factsOf, isNothing } from "../../frame/values.js"
import { useFileActions } from "./actions.js"
import { isUnused, type Uses, useUses } from "./data.js"
import { Preview } from "./preview.js"

/** The fields that the view shows; all others stand under "More". */
const known = ["name", "size", "isPrivate", "userId", "createdAt", "updatedAt", "form"]

/** What uses a file, as far as it is known. */
const UsedBy = ({ of }: { readonly of: Uses }): ReactElement => (
  <>
    <Group title="Entries that use it" of={of.entries}>
      {({ _id, apiId, title }) => (
        <PartLink
          key={_id}
          to={Router.Entry({ id: _id, ...(apiId && { model: asText(apiId) }) })}
          end={apiId && <span className="faint">{words(asText(apiId))}</span>}
        >
          {asText(title) || "Entry without a title"}
        </PartLink>
      )}
    </Group>
    <Group title="Items that use it" of={of.items}>
      {({ _id, name }) => (
        <PartLink key={_id} to={Router.Item({ id: _id })}>
          {name || "Item"}
        </PartLink>
      )}
    </Group>
    <Group title="Requests with it" of={of.requests}>
      {({ _id, title, type }) => (
        <PartLink key={_id} to={Router.Request({ id: _id })}>
          {title || words(type ?? "Request")}
        </PartLink>
      )}
    </Group>
  </>
)

const isSame = (one: Date | null | undefined, other: Date | null | undefined): boolean =>
  one?.getTime() === other?.getTime()

const FileOf = (props: {
  readonly file: FileRow
  readonly onRemove: (files: ReadonlyArray<FileRow>) => void
}): ReactElement => {
  const { file, onRemove } = props
  const canDelete = useSession(admin.session).can(Admin.files.delete)
  const uses = useUses(file._id)
  const owner = useNames()(file.userId)
  const { busy, copy, download } = useFileActions()
  const { createdAt, form, isPrivate, size: bytes, updatedAt, userId } = file
  const about = [
    typeLabel(file),
    bytes !== undefined && bytes !== null && size(bytes),
    isPrivate !== undefined && isPrivate !== null && (isPrivate ? "Private" : "Public")
  ]
  return (
    <Detail
      title={nameOf(file)}
      about={about.filter(Boolean).join(" · ")}
      tools={
        canDelete && (
          <MenuButton
            isIcon
            label="More actions"
            placement="bottom end"
            items={[{ label: "Delete…", keys: "Delete", isDanger: true, onAction: () => onRemove([file]) }]}
          />
        )
      }
      actions={
        <>
          <Button kind="primary" icon="download" busy={busy} onClick={() => void download([file])}>
            Download
          </Button>
          <Button keys="l" onClick={() => copy(file)}>
            Copy link
          </Button>
          {!canDelete && (
            <span className="quiet">You can view files, but your role does not let you change them.</span>
          )}
        </>
      }
    >
      <Preview of={file} />
      <div className="mt-5">
        <FactList
          of={[
            ...(userId
              ? ([
                  [
                    "Owner",
                    <Link key="" to={Router.Customer({ id: userId })}>
                      {owner || userId}
                    </Link>
                  ]
                ] as const)
              : []),
            ...(createdAt ? ([["Added", <When key="" date={createdAt} long />]] as const) : []),
            ...(updatedAt && !isSame(createdAt, updatedAt)
              ? ([["Updated", <When key="" date={updatedAt} long />]] as const)
              : []),
            ...(isPrivate ? ([["Visible to", "Its owner and administrators"]] as const) : []),
            ...(isUnused(uses) ? ([["Used in", "No entry, item or request"]] as const) : [])
          ]}
        />
      </div>
      {!isNothing(form) && (
        <div className="mt-5">
          <Part title="Form it came with">
            <FactList of={factsOf(typeof form === "object" && form !== null ? form : { form })} />
          </Part>
        </div>
      )}
      <div className="mt-5">
        <UsedBy of={uses} />
      </div>
      <More of={file} known={known} />
    </Detail>
  )
}

export const FileDetail = (props: {
  readonly id: string
  readonly row: FileRow | undefined
  readonly onRemove: (files: ReadonlyArray<FileRow>) => void
}): ReactElement => (
  <Thing of={useQuery(byId(props.id))} row={props.row} noun="file">
    {(file) => <FileOf key={file._id} file={file} onRemove={props.onRemove} />}
  </Thing>
)
