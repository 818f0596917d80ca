/** Files: uploaded with progress, listed, downloaded and deleted. */
import { type DragEvent, type ReactElement, useRef, useState } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import * as Public from "../../../../clients/public/index.js"
import {
  source,
  useInfiniteQuery,
  useInvalidate,
  useMutation,
  useSession,
  useUpload
} from "../../../rx/index.js"
import { admin, visitor } from "../../app/query-clients.js"
import { type FileRow, files as fileCalls } from "../../app/rows.js"
import { save } from "../../app/save.js"
import { addToast, report } from "../../app/toasts.js"
import { Button, IconButton } from "../../design/button.js"
import { Confirm } from "../../design/dialog.js"
import layout from "../../design/layout.module.css"
import { type ListQuery, pageSize, useListState } from "../../design/list-state.js"
import { Badge, PageHead, size } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { type Column, List } from "../../design/table.js"
import typography from "../../design/typography.module.css"
import styles from "./files.module.css"

const files = (query: ListQuery) => admin.infiniteQuery(fileCalls.list, query, { limit: pageSize })
/** Administrators have no call for uploads: they use the project's public key, like visitors. */
const sending = visitor.upload(Public.files.upload)
const removal = admin.mutation(Admin.files.delete)
const download = admin.mutation(
  source("files.save", ({ _id, name, type }: Pick<FileRow, "_id" | "name" | "type">) =>
    save(Admin.files.download({ id: _id }), name ?? _id, type ?? "application/octet-stream")
  ),
  { invalidates: [] }
)

const Uploader = (): ReactElement => {
  const upload = useUpload(sending)
  const invalidate = useInvalidate(admin)
  const input = useRef<HTMLInputElement>(null)
  const [name, setName] = useState("")
  const [over, setOver] = useState(false)
  const send = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    setName(file.name)
    const outcome = await upload.start({
      form: { source: "console" },
      file
    })
    if (report(outcome, "File uploaded", file.name)) invalidate("files")
    if (outcome.status === "cancelled") addToast("Upload stopped", file.name)
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    void send(event.dataTransfer.files[0])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button inside.
    <div
      className={styles.drop}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        type="file"
        className={typography.hidden}
        aria-label="File to upload"
        tabIndex={-1}
        onChange={(event) => {
          void send(event.target.files?.[0])
          event.target.value = ""
        }}
      />
      {upload.status === "uploading" ? (
        <>
          <p>
            Uploading <strong>{name}</strong>
            {upload.progress === undefined ? "" : ` · ${Math.round(upload.progress * 100)}%`}
          </p>
          <progress aria-label={`Uploading ${name}`} max={1} value={upload.progress ?? 0} />
          <Button size="s" onClick={upload.cancel}>
            Stop
          </Button>
        </>
      ) : (
        <>
          <p className={typography.quiet}>Drop a file here, or</p>
          <Button kind="primary" icon="upload" onClick={() => input.current?.click()}>
            Choose a file
          </Button>
        </>
      )}
    </div>
  )
}

const Files = (): ReactElement => {
  const session = useSession(admin.session)
  const state = useListState()
  const saving = useMutation(download)
  const removing = useMutation(removal)
  const [asking, setAsking] = useState<FileRow>()
  const get = async (file: FileRow): Promise<void> => {
    report(await saving.mutate(file), "Download ready", file.name ?? file._id)
  }
  const remove = async (): Promise<void> => {
    if (asking === undefined) return
    const outcome = await removing.mutate({ id: asking._id })
    setAsking(undefined)
    report(outcome, "File deleted", asking.name ?? asking._id)
  }
  const columns: ReadonlyArray<Column<FileRow>> = [
    { title: "Name", sort: "name", value: ({ name }) => name, cell: ({ name }) => <strong>{name}</strong> },
    {
      title: "Size",
      sort: "size",
      value: (file) => file.size,
      quiet: true,
      end: true,
      cell: (file) => <span className={typography.number}>{size(file.size ?? 0)}</span>
    },
    { title: "Type", sort: "type", quiet: true, value: ({ type }) => type },
    {
      title: "Who may read it",
      value: ({ isPrivate }) => (isPrivate === true ? "Its owner" : "Everybody"),
      cell: ({ isPrivate }) => <Badge>{isPrivate === true ? "Its owner" : "Everybody"}</Badge>
    },
    { title: "Added", sort: "createdAt", quiet: true, value: ({ createdAt }) => createdAt },
    {
      title: "Actions",
      end: true,
      cell: (file) => (
        <span className={`${layout.row} ${styles.actions}`}>
          <IconButton
            icon="download"
            size="s"
            label={`Download ${file.name}`}
            onClick={() => void get(file)}
          />
          {session.can(Admin.files.delete) && (
            <IconButton icon="trash" size="s" label={`Delete ${file.name}`} onClick={() => setAsking(file)} />
          )}
        </span>
      )
    }
  ]
  return (
    <>
      <PageHead title="Files" about="Pictures, papers and everything else that your content refers to." />
      <div className={layout.stack}>
        <Uploader />
        <List
          label="Files"
          search="Find files"
          of={useInfiniteQuery(files(state.query))}
          state={state}
          columns={columns}
          empty={
            <Empty icon="files" title="No files yet">
              What you upload appears here.
            </Empty>
          }
        />
      </div>
      <Confirm
        open={asking !== undefined}
        onClose={() => setAsking(undefined)}
        onConfirm={() => void remove()}
        title={`Delete ${asking?.name ?? "the file"}?`}
        description="Pages and apps that show it will no longer find it. This cannot be undone."
        action="Delete the file"
        danger
        busy={removing.status === "pending"}
      />
    </>
  )
}

export default Files
