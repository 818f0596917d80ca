/** Seeds the files that people look at: pictures, a document and a large table. The bytes of all sandboxes are the same. */
import type { File } from "./entities.js"
import { pictures } from "./pictures.js"
import type { Random } from "./random.js"
import * as Words from "./vocabulary.js"

/** The seeded pictures by the names that they have as files. */
export interface Pictures {
  readonly files: ReadonlyArray<File>
  readonly bytes: ReadonlyArray<readonly [id: string, bytes: Uint8Array]>
  /** The id of a picture. */
  readonly idOf: (name: string) => string
}

/** A document of one page, whose table of contents says where each object begins. */
const documentOf = (title: string): string => {
  const text = `BT /F1 24 Tf 72 740 Td (${title}) Tj ET`
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    `<</Length ${text.length}>>stream\n${text}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
  ]
  let body = "%PDF-1.4\n"
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj${object}endobj\n`
    return `${String(offset).padStart(10, "0")} 00000 n \n`
  })
  const count = objects.length + 1
  return `${body}xref\n0 ${count}\n0000000000 65535 f \n${offsets.join("")}trailer<</Size ${count}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`
}

const readings = (): string =>
  `flat,month,kWh\n${Array.from({ length: 240 * 12 }, (_, index) => `${1 + Math.floor(index / 12)},${1 + (index % 12)},${90 + ((index * 37) % 210)}\n`).join("")}`

interface Source {
  readonly name: string
  readonly type: string
  readonly bytes: Uint8Array
}

let known: ReadonlyArray<Source> | undefined

/** They are made once, since every sandbox has the same. */
const sources = (): ReadonlyArray<Source> => {
  if (known !== undefined) return known
  const encoder = new TextEncoder()
  const source = (name: string, type: string, text: string): Source => ({
    name,
    type,
    bytes: encoder.encode(text)
  })
  known = [
    ...pictures.map(({ name, svg }) => source(name, "image/svg+xml", svg)),
    source("handover-protocol.pdf", "application/pdf", documentOf("Handover protocol")),
    source("meter-readings.csv", "text/csv", readings().repeat(60))
  ]
  return known
}

/** They are older than all else, so that the newest files stay those that people sent. */
export const seedFiles = (random: Random): Pictures => {
  const ids = new Map<string, string>()
  const stored = sources().map(({ bytes, name, type }, index) => {
    const _id = random.id()
    const createdAt = new Date(Words.began.getTime() - (index + 1) * 3_600_000)
    ids.set(name, _id)
    const file: File = {
      _id,
      name,
      type,
      size: bytes.byteLength,
      url: `/cms/file/${_id}/download`,
      isPrivate: false,
      userId: null,
      createdAt,
      updatedAt: createdAt
    }
    return { bytes, file }
  })
  return {
    files: stored.map(({ file }) => file),
    bytes: stored.map(({ bytes, file }) => [file._id, bytes]),
    idOf: (name) => ids.get(name) ?? ""
  }
}
