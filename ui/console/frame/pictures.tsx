/** Pictures of the project's files: read with the administrator's session, because the platform shows them to nobody else. */
import { source, useQuery } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { collect } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react"
import { useCommands } from "../app/commands.js"
import { admin } from "../app/query-clients.js"
import { Button, IconButton } from "../design/button.js"
import { Actions, Dialog } from "../design/dialog.js"
import { Icon } from "../design/icon.js"

/** By a name of its own: a change to what is said of files does not change their bytes. */
const bytes = source("bytes.read", ({ id }: { readonly id: string }) =>
  Effect.map(collect(Admin.files.download({ id })), (content) => new Uint8Array(content))
)

/** The bytes of a stored file, which stay what they are. */
export const bytesOf = (id: string) =>
  admin.query(bytes, { id }, { staleTime: "1 hour", refetchOnWindowFocus: false, refetchOnReconnect: false })

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

/** The id of a file that a field names: its id alone, its address, or an object with either. */
export const fileIdOf = (value: unknown): string | undefined => {
  if (typeof value === "object" && value !== null) {
    const { _id, fileId, id, src, url } = Object(value)
    return fileIdOf(_id ?? fileId ?? id ?? url ?? src)
  }
  if (typeof value !== "string" || value === "") return undefined
  const [, id] = /cms\/file\/([^/?]+)/.exec(value) ?? []
  return id ?? (/^[\w-]+$/.test(value) ? value : undefined)
}

/** A picture of a stored file; a calm box in its place while there is none, or where it is no picture. */
export const Picture = (props: {
  readonly id: string
  readonly alt: string
  readonly className?: string
  /** What stands in the box; a sign without it. */
  readonly placeholder?: ReactNode
}): ReactElement => {
  const { alt, className = "", id, placeholder = <Icon name="files" /> } = props
  const { data, error } = useQuery(bytesOf(id))
  const url = useObjectUrl(data)
  const [isBroken, setBroken] = useState(false)
  return url === undefined || isBroken ? (
    <span
      className={`picture ${className}`}
      role="img"
      aria-label={alt}
      data-loading={(error === undefined && !isBroken) || undefined}
    >
      {placeholder}
    </span>
  ) : (
    <img
      className={`picture picture-ground ${className}`}
      src={url}
      alt={alt}
      onError={() => setBroken(true)}
    />
  )
}

const placeOf = (place: number, of: number): string => `Picture ${place + 1} of ${of}`

/** The keys that turn pictures, for as long as these are on the page. */
const useTurning = (count: number, worksOver: boolean, turn: (step: number) => void): void =>
  useCommands(
    count < 2
      ? []
      : [
          { label: "Next picture", icon: "next", keys: "ArrowRight", worksOver, run: () => turn(1) },
          { label: "Previous picture", icon: "back", keys: "ArrowLeft", worksOver, run: () => turn(-1) }
        ]
  )

/** One picture as large as the screen allows, and the way to those beside it. */
export const WholePicture = (props: {
  readonly ids: ReadonlyArray<string>
  readonly at: number
  readonly onTurn: (place: number) => void
  readonly onClose: () => void
}): ReactElement => {
  const { at, ids, onClose, onTurn } = props
  const turn = (step: number): void => onTurn((at + step + ids.length) % ids.length)
  useTurning(ids.length, true, turn)
  const name = placeOf(at, ids.length)
  return (
    <Dialog open title={name} place="whole" onClose={onClose}>
      <Picture key={ids[at]} id={ids[at] ?? ""} alt={name} className="whole-picture" />
      <Actions>
        {ids.length > 1 && (
          <>
            <Button icon="back" onClick={() => turn(-1)}>
              Previous
            </Button>
            <Button icon="next" onClick={() => turn(1)}>
              Next
            </Button>
            <span className="flex-1" />
          </>
        )}
        <Button data-autofocus="" onClick={onClose}>
          Close
        </Button>
      </Actions>
    </Dialog>
  )
}

/** The files that a field names. */
export const fileIdsOf = (of: unknown): ReadonlyArray<string> => [
  ...new Set([of].flat().flatMap((value) => fileIdOf(value) ?? []))
]

/** Pictures in a row, each larger when it is pressed. */
export const Pictures = ({ of }: { readonly of: unknown }): ReactElement | null => {
  const ids = fileIdsOf(of)
  const [open, setOpen] = useState<number>()
  if (ids.length === 0) return null
  return (
    <div className="pictures">
      {ids.map((id, place) => (
        <button key={id} type="button" className="rounded-md" onClick={() => setOpen(place)}>
          <Picture id={id} alt={placeOf(place, ids.length)} className="h-19 w-28" />
        </button>
      ))}
      {open !== undefined && (
        <WholePicture ids={ids} at={open} onTurn={setOpen} onClose={() => setOpen(undefined)} />
      )}
    </div>
  )
}

/** Pictures that a thing is known by: a strip that snaps, and says which one of how many is seen. */
export const Gallery = (props: {
  readonly ids: ReadonlyArray<string>
  /** What stands in place of a picture that cannot be shown. */
  readonly placeholder?: ReactNode
}): ReactElement | null => {
  const { ids, placeholder } = props
  const strip = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(0)
  const [isWhole, setWhole] = useState(false)
  const tiles = (): ReadonlyArray<HTMLElement> => [...(strip.current?.children ?? [])] as Array<HTMLElement>
  const show = (place: number): void => {
    setAt(place)
    const tile = tiles()[place]
    tile?.scrollIntoView({ block: "nearest", inline: "start" })
    if (strip.current?.contains(document.activeElement)) tile?.focus({ preventScroll: true })
  }
  const turn = (step: number): void => show(Math.max(0, Math.min(ids.length - 1, at + step)))
  useTurning(ids.length, false, turn)
  useCommands(
    ids.length === 0
      ? []
      : [{ label: "Show the whole picture", icon: "seen", keys: "v", run: () => setWhole(true) }]
  )
  /** Whoever moves the strip by hand sees another one. */
  const onScroll = (): void => {
    const { clientWidth = 0, scrollLeft = 0, scrollWidth = 0 } = strip.current ?? {}
    const starts = tiles().map(({ offsetLeft }) => Math.abs(offsetLeft - scrollLeft))
    // The last ones cannot come to the start of the strip: they are chosen by their keys and their press.
    if (scrollLeft + clientWidth < scrollWidth - 1) setAt(starts.indexOf(Math.min(...starts)))
  }
  if (ids.length === 0) return null
  return (
    <section aria-label="Pictures" className="mb-4">
      <div ref={strip} className="gallery" onScrollEnd={onScroll}>
        {ids.map((id, place) => (
          <button
            key={id}
            type="button"
            className="gallery-tile"
            tabIndex={place === at ? 0 : -1}
            aria-current={(place === at && ids.length > 1) || undefined}
            onClick={() => {
              setAt(place)
              setWhole(true)
            }}
          >
            <Picture
              id={id}
              alt={placeOf(place, ids.length)}
              className="size-full"
              placeholder={placeholder}
            />
          </button>
        ))}
      </div>
      {ids.length > 1 && (
        <div className="mt-1.5 flex items-center gap-1">
          <span className="faint flex-1 tabular-nums" role="status">
            {at + 1} of {ids.length}
          </span>
          <IconButton
            size="s"
            icon="back"
            label="Previous picture"
            keys="ArrowLeft"
            onClick={() => turn(-1)}
          />
          <IconButton size="s" icon="next" label="Next picture" keys="ArrowRight" onClick={() => turn(1)} />
        </div>
      )}
      {isWhole && <WholePicture ids={ids} at={at} onTurn={show} onClose={() => setWhole(false)} />}
    </section>
  )
}
