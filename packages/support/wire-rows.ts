/** The platform's list of calls: what goes on the wire for each, as the specification states it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./files.js"

export interface Row {
  /** `<audience>.<slice>.<call>` */
  readonly id: string
  readonly method: string
  readonly path: string
  /** Names; `*` marks a list parameter, `=` a default, `…any` further fields, `f.<key>` a family of names. */
  readonly query: ReadonlyArray<string>
  /** Names, `any`, `any?`, `multipart: …` or none. */
  readonly body: ReadonlyArray<string> | string | null
  readonly service: "api" | "legacy"
  readonly answer: string
  /** The words of the specification that state the call. */
  readonly stated: string
  readonly note?: string
}

export const rows: ReadonlyArray<Row> = JSON.parse(readFileSync(join(root, "spec/calls.json"), "utf8"))

export const clients = ["admin", "public", "private", "endUser"] as const

export type Client = (typeof clients)[number]

/** The rows of a client. */
export const rowsOf = (client: Client): ReadonlyArray<Row> =>
  rows.filter(({ id }) => id.startsWith(`${client}.`))

/** The three parts of a row's id. */
export const partsOf = (
  id: string
): { readonly client: Client; readonly slice: string; readonly call: string } => {
  const [first = "", slice = "", call = ""] = id.split(".")
  const client = clients.find((name) => name === first)
  if (client === undefined) throw new Error(`${id} belongs to no client`)
  return { client, slice, call }
}

/** Whether a call sends no credentials, because it obtains them. */
export const isSignIn = (row: Row): boolean => row.note?.startsWith("no credentials sent") === true
