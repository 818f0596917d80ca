/** Pictures of the project's files: read with the administrator's session, because the platform shows them to nobody else. */
import { source, useQuery } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { collect } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import { type ReactElement, useEffect, useState } from "react"
import { admin } from "../app/query-clients.js"
import { Dialog } from "../design/dialog.js"
import { Icon } from "../design/icon.js"

const bytes = source("files.picture", ({ id }: { readonly id: string }) =>
  Effect.map(collect(Admin.files.download({ id })), (content) => new Uint8Array(content))
)

/** The bytes of a stored file. */
export const bytesOf = (id: string) => admin.query(bytes, { id })

const names: ReadonlyArray<readonly [string, ReadonlyArray<number>]> = [
  ["image/png", [0x89, 0x50]],
  ["image/jpeg", [0xff, 0xd8]],
  ["image/gif", [0x47, 0x49]],
  ["image/webp", [0x52, 0x49]]
]

/** The type of a picture by how it begins: the platform may not say it. In a picture, an SVG runs nothing. */
const typeOf = (content: Uint8Array): string =>
  names.find(([, start]) => start.every((byte, at) => content[at] === byte))?.[0] ?? "image/svg+xml"

/** The address of a file's bytes within the page, for as long as it is shown. */
export const useObjectUrl = (
  content: Uint8Array<ArrayBuffer> | undefined,
  type?: string
): string | undefined => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (content === undefined) return
    const made = URL.createObjectURL(new Blob([content], { type: type ?? typeOf(content) }))
    setUrl(made)
    return () => {
      setUrl(undefined)
      URL.revokeObjectURL(made)
    }
  }, [content, type])
  return url
}

/** The id of a file that a field names: its id alone, or its address. */
export const fileIdOf = (value: unknown): string | undefined => {
  if (typeof value === "object" && value !== null) return fileIdOf(Reflect.get(value, "_id"))
  if (typeof value !== "string" || value === "") return undefined
  const [, id] = /cms\/file\/([^/?]+)/.exec(value) ?? []
  return id ?? (/^[\w-]+$/.test(value) ? value : undefined)
}

/** A picture of a stored file; a sign in its place while there is none, or where it is no picture. */
export const Picture = (props: {
  readonly id: string
  readonly alt: string
  readonly className?: string
}): ReactElement => {
  const { alt, className = "", id } = props
  const url = useObjectUrl(useQuery(bytesOf(id)).data)
  const [isBroken, setBroken] = useState(false)
  return url === undefined || isBroken ? (
    <span className={`picture ${className}`} role="img" aria-label={alt}>
      <Icon name="files" />
    </span>
  ) : (
    <img className={`picture ${className}`} src={url} alt={alt} onError={() => setBroken(true)} />
  )
}

/** Pictures in a row, each larger when it is pressed. */
export const Pictures = (props: {
  readonly of: unknown
  readonly className?: string
}): ReactElement | null => {
  const ids = [props.of].flat().flatMap((value) => fileIdOf(value) ?? [])
  const [open, setOpen] = useState<number>()
  if (ids.length === 0) return null
  const nameOf = (place: number): string => `Picture ${place + 1} of ${ids.length}`
  return (
    <div className="pictures">
      {ids.map((id, place) => (
        <button key={id} type="button" className="rounded-md" onClick={() => setOpen(place)}>
          <Picture id={id} alt={nameOf(place)} className="h-19 w-28" />
        </button>
      ))}
      {open !== undefined && (
        <Dialog open title={nameOf(open)} onClose={() => setOpen(undefined)}>
          <Picture id={ids[open] ?? ""} alt={nameOf(open)} className="max-h-[70dvh] w-full object-contain!" />
        </Dialog>
      )}
    </div>
  )
}
