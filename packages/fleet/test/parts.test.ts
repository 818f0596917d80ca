/** The parts of an export, and the file that they become. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "@quartet/support/temporary.js"
import * as Effect from "effect/Effect"
import { beforeEach, describe, expect, it } from "vitest"
import * as Parts from "../store/parts.js"

const home = temporaryFolder("parts")

let n = 0
let file = ""
let folder = ""
beforeEach(() => {
  n += 1
  file = join(home, `out-${n}`)
  folder = Parts.folderOf(file)
})

const run = Effect.runPromise
const begin = () => run(Parts.prepare(folder, true))
const join_ = (written: Parts.Written = { format: "ndjson" }) => run(Parts.assemble(folder, file, written))
const content = () => readFileSync(file, "utf8")

describe("the parts of an export", () => {
  it("become the file in their order, whichever was written first, and leave nothing behind", async () => {
    await begin()
    await run(Parts.write(folder, 1, [{ a: "\u2028" }]))
    await run(Parts.write(folder, 0, [{ a: 1 }, { a: 2 }]))
    // A page that is worked on again replaces its part.
    await run(Parts.write(folder, 1, [{ a: "\u2028" }]))
    writeFileSync(file, "before")
    await join_()
    expect(content()).toBe('{"a":1}\n{"a":2}\n{"a":"\u2028"}\n')
    expect(readdirSync(home).filter((name) => name.startsWith(`out-${n}`) || name.startsWith("."))).toEqual([
      `out-${n}`
    ])
  })

  it("are joined once: what finishes again finds the file, and takes nothing from it", async () => {
    await begin()
    await run(Parts.write(folder, 0, [{ a: 1 }]))
    await join_()
    await join_()
    expect(content()).toBe('{"a":1}\n')
  })

  it("make an empty file of an empty list, in the place of an older one", async () => {
    writeFileSync(file, "before")
    await begin()
    await join_()
    expect(content()).toBe("")
  })

  it("are not joined where one is missing", async () => {
    await begin()
    await run(Parts.write(folder, 0, [1]))
    await run(Parts.write(folder, 2, [3]))
    const error = await run(Effect.flip(Parts.assemble(folder, file, { format: "ndjson" })))
    expect(error.message).toContain("lacks the part 0000000001.ndjson")
    expect([existsSync(file), existsSync(folder)]).toEqual([false, true])
    expect(readdirSync(home).filter((name) => name.startsWith(".quartet"))).toEqual([])
  })

  it("are CSV with all fields of all items, quoted, and safe in a spreadsheet", async () => {
    await begin()
    await run(Parts.write(folder, 0, [{ id: 1, text: 'a "b"\nc' }]))
    await run(Parts.write(folder, 1, [{ id: -2, more: { x: [1] }, text: "=1+1" }, "bare"]))
    await join_({ format: "csv" })
    expect(content()).toBe(
      'id,text,more,value\r\n1,"a ""b""\nc",,\r\n-2,\'=1+1,"{""x"":[1]}",\r\n,,,bare\r\n'
    )
  })

  it("are CSV with the columns that are asked for, and the texts as they are where that is asked for", async () => {
    await begin()
    await run(Parts.write(folder, 0, [{ id: 1, text: "=1+1", more: 1 }]))
    await join_({ format: "csv", columns: ["text", "none"], keepsFormulas: true })
    expect(content()).toBe("text,none\r\n=1+1,\r\n")
  })

  it("know the last page of the list that begins before an item, and its newest cursor, and nothing of a line that was cut off", async () => {
    await begin()
    expect(await run(Parts.placeOf(folder, 10))).toBeUndefined()
    const noted: ReadonlyArray<Parts.ListPage> = [
      { page: 1, from: 0, cursor: null },
      { page: 2, from: 40, cursor: 'of "2"\n' },
      { page: 3, from: 90, cursor: "old" },
      { page: 3, from: 90, cursor: "new" }
    ]
    for (const page of noted) await run(Parts.note(folder, page))
    writeFileSync(join(folder, "pages"), "4 95", { flag: "a" })
    const places = [0, 39, 40, 89, 500].map((item) => run(Parts.placeOf(folder, item)))
    expect((await Promise.all(places)).map((place) => place?.page)).toEqual([1, 1, 2, 2, 3])
    expect(await run(Parts.placeOf(folder, 40))).toEqual(noted[1])
    expect(await run(Parts.placeOf(folder, 500))).toEqual(noted[3])
  })

  it("of another run are gone when a new one begins, and another key has others", async () => {
    await begin()
    await run(Parts.write(folder, 0, [1]))
    await begin()
    await join_()
    expect(content()).toBe("")
    expect(Parts.folderOf(file, "monday")).not.toBe(Parts.folderOf(file, "tuesday"))
  })
})
