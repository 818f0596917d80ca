/** What is in a file, as far as a browser shows it. Nothing of a file is run: a page and a drawing are text and a picture here. */
import { useQuery } from "@quartet/react"
import { type ReactElement, type ReactNode, useState } from "react"
import { useCommands } from "../../app/commands.js"
import { explain } from "../../app/explain.js"
import type { FileRow } from "../../app/rows.js"
import { Button } from "../../design/button.js"
import { size } from "../../design/format.js"
import { Icon } from "../../design/icon.js"
import { Source } from "../../design/show.js"
import { Skeleton } from "../../design/state.js"
import { kindOf, nameOf, typeLabel } from "../../files/data.js"
import { bytesOf, Picture, useObjectUrl, WholePicture } from "../../frame/pictures.js"

/** At most so many bytes are read to be shown. */
const mostRead = 25_000_000

/** At most so many bytes of a text are shown. */
const mostShown = 40_000

/** In place of a preview: what it is, and why it is not seen. */
const NoPreview = (props: { readonly of: FileRow; readonly children: ReactNode }): ReactElement => (
  <div className="no-preview">
    <Icon name="file" className="size-6 text-faint" />
    <strong>
      {[typeLabel(props.of), props.of.size !== undefined && props.of.size !== null && size(props.of.size)]
        .filter(Boolean)
        .join(", ")}
    </strong>
    <div className="quiet">{props.children}</div>
  </div>
)

const PicturePreview = ({ id }: { readonly id: string }): ReactElement => {
  const [isWhole, setWhole] = useState(false)
  useCommands([{ label: "Show the whole picture", icon: "seen", keys: "v", run: () => setWhole(true) }])
  return (
    <>
      <button type="button" className="preview-picture" onClick={() => setWhole(true)}>
        <Picture
          id={id}
          alt="Preview. Show the whole picture"
          className="max-h-[50dvh] min-h-24 object-contain!"
        />
      </button>
      {isWhole && <WholePicture ids={[id]} at={0} onTurn={() => undefined} onClose={() => setWhole(false)} />}
    </>
  )
}

const TextPreview = ({ bytes }: { readonly bytes: Uint8Array }): ReactElement => {
  const isCut = bytes.byteLength > mostShown
  const text = new TextDecoder().decode(bytes.subarray(0, mostShown))
  return (
    <>
      <Source label="Text of the file" text={isCut ? text.replace(/\n[^\n]*$/, "") : text} />
      {isCut && (
        <p className="mt-1 faint">
          The first {size(mostShown)} of {size(bytes.byteLength)}. Download it to see the rest.
        </p>
      )}
    </>
  )
}

const isPdf = (bytes: Uint8Array): boolean => new TextDecoder().decode(bytes.subarray(0, 5)) === "%PDF-"

const PdfPreview = (props: { readonly of: FileRow; readonly bytes: Uint8Array<ArrayBuffer> }): ReactNode => {
  const { bytes, of } = props
  // Of this type whatever the platform says: as a page, it could run what is in it.
  const url = useObjectUrl(bytes, "application/pdf")
  if (!isPdf(bytes)) return <NoPreview of={of}>This is not a PDF, despite its name.</NoPreview>
  if (url === undefined) return <Skeleton height="50dvh" />
  return (
    <>
      {navigator.pdfViewerEnabled ? (
        <iframe
          className="preview-pdf"
          title={`Preview of ${nameOf(of)}`}
          src={`${url}#toolbar=0&navpanes=0&view=FitH`}
        />
      ) : (
        <NoPreview of={of}>This browser cannot show PDFs in a page.</NoPreview>
      )}
      <p className="mt-1.5">
        <a href={url} target="_blank" rel="noopener" className="text-sm">
          Open in a new tab
        </a>
      </p>
    </>
  )
}

const MediaPreview = (props: {
  readonly of: FileRow
  readonly bytes: Uint8Array<ArrayBuffer>
}): ReactNode => {
  const { bytes, of } = props
  const [isBroken, setBroken] = useState(false)
  const isVideo = kindOf(of) === "video"
  const url = useObjectUrl(bytes, of.type?.includes("/") ? of.type : isVideo ? "video/mp4" : "audio/mpeg")
  if (isBroken) return <NoPreview of={of}>This browser cannot play this file.</NoPreview>
  const media = { src: url, controls: true, title: nameOf(of), onError: () => setBroken(true) }
  return isVideo ? (
    <video {...media} className="max-h-[50dvh] w-full" />
  ) : (
    <audio {...media} className="w-full" />
  )
}

const BytesPreview = ({ of }: { readonly of: FileRow }): ReactNode => {
  const { data, error, refetch } = useQuery(bytesOf(of._id))
  if (error !== undefined)
    return (
      <NoPreview of={of}>
        <p>{explain(error).title}.</p>
        <Button size="s" className="mt-2" onClick={refetch}>
          Try again
        </Button>
      </NoPreview>
    )
  if (data === undefined) return <Skeleton height="12rem" />
  if (data.byteLength === 0) return <NoPreview of={of}>This file is empty.</NoPreview>
  switch (kindOf(of)) {
    case "pdf":
      return <PdfPreview of={of} bytes={data} />
    case "text":
      return <TextPreview bytes={data} />
    default:
      return <MediaPreview of={of} bytes={data} />
  }
}

export const Preview = ({ of }: { readonly of: FileRow }): ReactNode => {
  const kind = kindOf(of)
  if (kind === "other") return <NoPreview of={of}>No preview for this kind of file.</NoPreview>
  if ((of.size ?? 0) > mostRead) return <NoPreview of={of}>This file is too large to preview.</NoPreview>
  return kind === "picture" ? <PicturePreview id={of._id} /> : <BytesPreview of={of} />
}
