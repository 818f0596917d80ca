/**
 * A file that many write: each page of a run is a part of its own in a folder beside the file, and in the end the parts become the
 * file, which is there once it is whole. All runners have to see the same folder.
 */
import { createHash, randomUUID } from "node:crypto"
import { appendFile, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { lineOf, plainOf } from "@quartet/sdk/extend"
import { codeOf } from "@quartet/sdk/extend/http"
import * as Effect from "effect/Effect"
import { isRecord } from "effect/Predicate"
import { FleetError } from "../fleet-error.js"
import type { Format } from "./rows.js"

/** Where a run's parts are: each key has a folder of its own, so that two runs with one file do not mix. */
export const folderOf = (file: string, key = ""): string =>
  `${resolve(file)}.${key === "" ? "" : `${createHash("sha256").update(key).digest("hex").slice(0, 8)}.`}parts`

const attempt = <A>(file: string, work: () => Promise<A>): Effect.Effect<A, FleetError> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) =>
      cause instanceof FleetError
        ? cause
        : new FleetError({
            reason: "Source",
            advice: `${file} cannot be written: ${codeOf(cause) || "unknown"}`,
            cause
          })
  })

const nameOf = (page: number): string => `${String(page).padStart(10, "0")}.ndjson`

/** The pages of the list that were read: each with the number of its first item, and its cursor where it has one. */
const index = "pages"

/** A page of a list, by its number, and by what the page before it said that it is asked for by. */
export interface ListPage {
  readonly page: number
  readonly cursor: string | null
  /** The number of its first item. */
  readonly from: number
}

/** Makes the folder of the parts; what another run has left there goes where this one has nothing yet. */
export const prepare = (folder: string, isFresh: boolean): Effect.Effect<void, FleetError> =>
  attempt(folder, async () => {
    if (isFresh) await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
  })

/** Notes where a page of the list begins. */
export const note = (folder: string, { cursor, from, page }: ListPage): Effect.Effect<void, FleetError> =>
  attempt(folder, () =>
    appendFile(join(folder, index), `${page} ${from}${cursor === null ? "" : ` ${JSON.stringify(cursor)}`}\n`)
  )

/** The last page of the list that begins at an item before or at this one; undefined where none was read. */
export const placeOf = (folder: string, item: number): Effect.Effect<ListPage | undefined, FleetError> =>
  attempt(folder, async () => {
    const text = await readFile(join(folder, index), "utf8").catch((cause: unknown) => {
      if (codeOf(cause) === "ENOENT") return ""
      throw cause
    })
    // A line that was cut off has no end.
    const places = [...text.matchAll(/^(\d+) (\d+)(?: (".*"))?\n/gm)].map(
      ([, page, from, cursor]): ListPage => ({
        page: Number(page),
        from: Number(from),
        cursor: cursor === undefined ? null : String(JSON.parse(cursor))
      })
    )
    // Of several, the latest: its cursor is the newest.
    return places
      .filter(({ from }) => from <= item)
      .reverse()
      .sort((a, b) => b.from - a.from)[0]
  })

/** Writes a part, which takes the place of one that was written before. */
export const write = (
  folder: string,
  page: number,
  items: ReadonlyArray<unknown>
): Effect.Effect<void, FleetError> =>
  attempt(folder, async () => {
    const draft = join(folder, `${randomUUID()}.draft`)
    await writeFile(draft, items.map((item) => `${JSON.stringify(item) ?? "null"}\n`).join(""))
    await rename(draft, join(folder, nameOf(page)))
  })

/** The parts in their order. One that is missing fails. */
const partsOf = async (folder: string): Promise<ReadonlyArray<string>> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".ndjson")).sort()
  const missing = names.findIndex((name, page) => name !== nameOf(page))
  if (missing >= 0)
    throw new FleetError({ reason: "Source", advice: `${folder} lacks the part ${nameOf(missing)}` })
  return names.map((name) => join(folder, name))
}

async function* linesOf(parts: ReadonlyArray<string>) {
  // Not by Node's readline, for which JSON's texts may hold ends of lines.
  for (const part of parts) yield* (await readFile(part, "utf8")).split("\n").slice(0, -1)
}

const fieldsOf = (line: string): Readonly<Record<string, unknown>> => {
  const value: unknown = JSON.parse(line)
  return isRecord(value) ? value : { value }
}

/** How the file is written. @category models */
export interface Written {
  readonly format: Format
  /** The columns of CSV; all fields of all items by default, in the order in which they come. */
  readonly columns?: ReadonlyArray<string> | undefined
  /** Leaves texts that a spreadsheet would run as they are. */
  readonly keepsFormulas?: boolean | undefined
}

/** The lines of the file. */
async function* textOf(parts: ReadonlyArray<string>, { columns, format, keepsFormulas }: Written) {
  if (format === "ndjson") {
    for await (const line of linesOf(parts)) yield `${line}\n`
    return
  }
  const names = new Set(columns)
  if (columns === undefined)
    for await (const line of linesOf(parts)) for (const name of Object.keys(fieldsOf(line))) names.add(name)
  const all = [...names]
  yield lineOf(all, keepsFormulas)
  for await (const line of linesOf(parts)) {
    const fields = fieldsOf(line)
    yield lineOf(
      all.map((name) => plainOf(Object.hasOwn(fields, name) ? fields[name] : null)),
      keepsFormulas
    )
  }
}

/** Characters that are written at once. */
const most = 1 << 16

/**
 * Joins the parts into the file, and removes them. What is done twice changes nothing: parts that are no longer there were joined, for their
 * folder goes at once, and before that they are all there.
 */
export const assemble = (folder: string, file: string, written: Written): Effect.Effect<void, FleetError> =>
  attempt(file, async () => {
    const isJoined = await stat(folder).then(
      () => false,
      (cause: unknown) => {
        if (codeOf(cause) === "ENOENT") return true
        throw cause
      }
    )
    const over = `${folder}.joined`
    if (!isJoined) {
      const to = resolve(file)
      const draft = join(dirname(to), `.quartet-${randomUUID()}.part`)
      const handle = await open(draft, "wx")
      try {
        let text = ""
        for await (const line of textOf(await partsOf(folder), written)) {
          text += line
          if (text.length < most) continue
          await handle.appendFile(text)
          text = ""
        }
        await handle.appendFile(text)
        await handle.sync()
        await handle.close()
        await rename(draft, to)
      } catch (cause) {
        await handle.close().catch(() => undefined)
        await rm(draft, { force: true })
        throw cause
      }
      await rm(over, { recursive: true, force: true })
      await rename(folder, over)
    }
    await rm(over, { recursive: true, force: true })
  })
