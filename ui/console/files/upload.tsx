/** Uploading by hand: the button that chooses files, the place that they are dropped on, and those that are on their way. */
import { Link } from "@swan-io/chicane"
import { type DragEvent, type ReactElement, type ReactNode, useRef, useState } from "react"
import { useCellValue } from "../app/cells.js"
import { Router } from "../app/routes.js"
import type { FileRow } from "../app/rows.js"
import { Button, type ButtonProps, IconButton } from "../design/button.js"
import { size } from "../design/format.js"
import { Icon } from "../design/icon.js"
import { FileName } from "./thumbnail.js"
import { add, again, dismiss, type Sending, uploads, useShown, useUploadRefusal } from "./uploads.js"

/** Opens the browser's chooser; on a phone that offers the camera, too. */
export const useChooser = (choose: {
  readonly accept?: string | undefined
  readonly isMany?: boolean
  readonly onStored?: (file: FileRow) => void
}): { readonly open: () => void; readonly input: ReactNode } => {
  const { accept, isMany = false, onStored } = choose
  const input = useRef<HTMLInputElement>(null)
  return {
    open: () => input.current?.click(),
    input: (
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Files to upload"
        {...(accept && { accept })}
        multiple={isMany}
        onChange={({ currentTarget }) => {
          add(currentTarget.files ?? [], onStored)
          // The same file can be chosen again.
          currentTarget.value = ""
        }}
      />
    )
  }
}

export const UploadButton = (
  props: Parameters<typeof useChooser>[0] & Pick<ButtonProps, "kind" | "size">
): ReactElement => {
  const { kind, size, ...choose } = props
  const { input, open } = useChooser(choose)
  return (
    <>
      <Button
        icon="upload"
        {...(kind && { kind })}
        {...(size && { size })}
        title="They will be public."
        onClick={open}
      >
        Upload
      </Button>
      {input}
    </>
  )
}

/** Why nothing can be uploaded, and what to do about it. */
export const UploadRefusal = (): ReactNode => {
  const refusal = useUploadRefusal()
  if (refusal === "role")
    return <p className="quiet">You can view files, but your role does not let you change them.</p>
  return (
    refusal === "key" && (
      <p className="quiet">
        Uploading needs the project’s public key. Set it in Developers,{" "}
        <Link to={Router.Settings()}>Settings</Link>.
      </p>
    )
  )
}

const holdsFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes("Files")

/** Files that are dropped anywhere on what it holds are uploaded. */
export const DropPlace = (props: { readonly children: ReactNode }): ReactElement => {
  const [isOver, setOver] = useState(false)
  const canUpload = useUploadRefusal() === undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button "Upload" does the same without a pointer.
    <div
      className="drop-place"
      onDragOver={(event) => {
        if (!holdsFiles(event)) return
        // A file that the page does not take would be opened in its place.
        event.preventDefault()
        event.dataTransfer.dropEffect = canUpload ? "copy" : "none"
        setOver(canUpload)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
      }}
      onDrop={(event) => {
        setOver(false)
        if (!holdsFiles(event)) return
        event.preventDefault()
        if (canUpload) add(event.dataTransfer.files)
      }}
    >
      {props.children}
      {isOver && (
        <div className="drop-sign">
          <Icon name="upload" className="size-6" />
          <strong>Drop to upload</strong>
          <span className="quiet">They will be public.</span>
        </div>
      )}
    </div>
  )
}

const percent = (progress: number | undefined): string =>
  progress === undefined ? "Sending" : `${Math.round(progress * 100)}%`

const Line = ({ of: { at, file, id } }: { readonly of: Sending }): ReactElement => (
  <li className="upload-line">
    <span className="flex min-w-0 items-center gap-2">
      <span className="min-w-0 flex-1 font-medium">
        <FileName name={file.name} />
      </span>
      <span className="faint tabular-nums">
        {at.state === "sending" ? percent(at.progress) : at.state === "waiting" ? "Waiting" : size(file.size)}
      </span>
    </span>
    {at.state === "sending" && (
      <progress aria-label={`Upload of ${file.name}`} max={1} value={at.progress} className="upload-bar" />
    )}
    {at.state === "failed" && (
      <span className="text-bad" role="alert">
        {file.name}: {at.title}. {at.advice}
      </span>
    )}
    {at.state === "done" && (
      <Link to={Router.File({ id: at.stored._id })} className="w-fit">
        Uploaded. Show it
      </Link>
    )}
    <span className="upload-tools">
      {at.state === "failed" && (
        <Button size="s" onClick={() => again(id)}>
          Upload again
        </Button>
      )}
      {at.state === "sending" || at.state === "waiting" ? (
        <Button size="s" aria-label={`Cancel ${file.name}`} onClick={() => dismiss(id)}>
          Cancel
        </Button>
      ) : (
        <IconButton size="s" icon="close" label={`Dismiss ${file.name}`} onClick={() => dismiss(id)} />
      )}
    </span>
  </li>
)

/** The files on their way, and those that did not arrive. */
export const Uploads = (): ReactNode => {
  const all = useCellValue(uploads)
  useShown()
  const sending = all.filter(({ at }) => at.state === "sending" || at.state === "waiting").length
  return (
    <>
      {/* Beginning and end are said, not each percent. */}
      <p className="sr-only" role="status">
        {sending > 0 && `${sending} ${sending === 1 ? "file is" : "files are"} being uploaded`}
      </p>
      {all.length > 0 && (
        <ul className="uploads" aria-label="Uploads">
          {sending > 0 && <li className="px-2.5 py-1 faint">They will be public.</li>}
          {all.map((sending) => (
            <Line key={sending.id} of={sending} />
          ))}
        </ul>
      )}
    </>
  )
}
