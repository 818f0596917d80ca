/** The files of the project: what kind each is of, and their lists. */
import { admin } from "../app/query-clients.js"
import { type FileRow, files } from "../app/rows.js"
import type { ListQuery } from "../data/list-state.js"

/** What a browser can do with a file. */
export type Kind = "picture" | "pdf" | "text" | "sound" | "video" | "other"

type Named = Pick<FileRow, "name" | "type">

/** How its name ends, in small letters: `pdf`. */
export const endingOf = ({ name }: Named): string =>
  /\.([^./\\\s]{1,8})$/.exec(name ?? "")?.[1]?.toLowerCase() ?? ""

const endings: Readonly<Record<Exclude<Kind, "other">, RegExp>> = {
  picture: /^(png|jpe?g|gif|webp|avif|svg|bmp|ico)$/,
  pdf: /^pdf$/,
  text: /^(txt|md|csv|tsv|json|xml|ya?ml|html?|css|m?js|ts|log|ini)$/,
  sound: /^(mp3|m4a|wav|ogg|oga|flac|aac|opus)$/,
  video: /^(mp4|m4v|webm|mov|ogv)$/
}

const types: Readonly<Record<Exclude<Kind, "other">, RegExp>> = {
  picture: /^image\/(?!tiff|heic)/,
  pdf: /^application\/(x-)?pdf\b/,
  text: /^text\/|^application\/(json|xml|xhtml\+xml|(x-)?javascript|x-yaml|yaml)\b/,
  sound: /^audio\//,
  video: /^video\//
}

const kinds = ["picture", "pdf", "text", "sound", "video"] as const

/** By its media type; by how its name ends where that says nothing. */
export const kindOf = (file: Named): Kind => {
  const type = file.type?.toLowerCase() ?? ""
  const isUnsaid = type === "" || /octet-stream/.test(type) || !type.includes("/")
  const ending = endingOf(file)
  return kinds.find((kind) => (isUnsaid ? endings[kind].test(ending) : types[kind].test(type))) ?? "other"
}

const labels: ReadonlyArray<readonly [ending: RegExp, label: string]> = [
  [/^(csv|tsv|xlsx?|ods|numbers)$/, "Table"],
  [/^(docx?|odt|rtf|pages)$/, "Document"],
  [/^(pptx?|odp|key)$/, "Slides"],
  [/^(zip|gz|tar|rar|7z)$/, "Archive"],
  [/^html?$/, "Web page"]
]

const ofKinds: Readonly<Record<Exclude<Kind, "other">, string>> = {
  picture: "Picture",
  pdf: "PDF",
  text: "Text",
  sound: "Sound",
  video: "Video"
}

/** What people call a file of its kind, never its media type. */
export const typeLabel = (file: Named): string => {
  const kind = kindOf(file)
  const ending = endingOf(file)
  const known = labels.find(([endings]) => endings.test(ending))?.[1]
  if (known !== undefined && (kind === "text" || kind === "other")) return known
  if (kind !== "other") return ofKinds[kind]
  return ending === "" ? "File" : `${ending.toUpperCase()} file`
}

/** The groups that a list is narrowed to. */
export const groups = ["pictures", "documents", "other"] as const
export type Group = (typeof groups)[number]

export const groupOf = (file: Named): Group => {
  const kind = kindOf(file)
  if (kind === "picture") return "pictures"
  const isDocument = kind === "pdf" || kind === "text" || /^(Table|Document|Slides)$/.test(typeLabel(file))
  return isDocument ? "documents" : "other"
}

/** What a file is called; platforms may give it no name. */
export const nameOf = (file: FileRow): string => file.name || `${typeLabel(file)} without a name`

/** At most so many bytes are read to be shown in a list. */
const mostForThumbnail = 4_000_000

/** Whether its picture can stand in a list. */
export const hasThumbnail = (file: FileRow): boolean =>
  kindOf(file) === "picture" && (file.size ?? 0) <= mostForThumbnail

/** The files, the newest first, as far as they are asked for. */
export const listOf = (query: ListQuery, limit: number) =>
  admin.infiniteQuery(files.list, { query: { sort: "-createdAt", ...query } }, { limit })

export const byId = (id: string) => admin.query(files.get, { id })
