/** Rows of files, as imports read them. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "@quartet/support/temporary.js"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { countRows, rows } from "../store/rows.js"

const folder = temporaryFolder("rows")

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const read = (path: string, options?: Parameters<typeof rows>[1]) =>
  Effect.runPromise(Effect.map(Stream.runCollect(rows(path, options)), Chunk.toReadonlyArray))

const refused = (path: string) => Effect.runPromise(Effect.flip(Stream.runDrain(rows(path))))

describe("rows of a file", () => {
  it("are the lines of NDJSON, with any ends of lines, and without empty ones", async () => {
    const path = file("a.ndjson", '\ufeff{"a": 1}\r\n\n{"a": "\u2028x"}\n[2]')
    expect(await read(path)).toEqual([{ a: 1 }, { a: "\u2028x" }, [2]])
  })

  it("are objects of texts for CSV, by its first line", async () => {
    const path = file("a.csv", 'sku,name\r\n007,"a ""b"", c"\r\n8,\r\n')
    expect(await read(path)).toEqual([
      { sku: "007", name: 'a "b", c' },
      { sku: "8", name: "" }
    ])
  })

  it.each(["csv", "ndjson"] as const)("go on behind those that were read, of %s", async (format) => {
    const many = Array.from({ length: 5000 }, (_, n) => `{"n":${n}}`).join("\n")
    const path =
      format === "csv"
        ? file("many.csv", `n\n${Array.from({ length: 5000 }, (_, n) => n).join("\n")}\n`)
        : file("many.ndjson", many)
    const all = await read(path)
    expect(all).toHaveLength(5000)
    expect(await read(path, { skip: 4321 })).toEqual(all.slice(4321))
    expect(await read(path, { skip: 5000 })).toEqual([])
  })

  it.each([
    ["short.csv", "a\n1\n2\n"],
    ["short.ndjson", "1\n\n2\n"]
  ])("fail where some of those that were read have gone, as of %s", async (name, content) => {
    const path = file(name, content)
    expect(await Effect.runPromise(Stream.runCount(rows(path, { skip: 2 })))).toBe(0)
    const error = await Effect.runPromise(Effect.flip(Stream.runCount(rows(path, { skip: 3 }))))
    expect(error).toMatchObject({
      reason: "Source",
      message: `${path} has become shorter: its first 3 items were read before, and 2 are there. A run goes on where they all are, in the same order`
    })
  })

  it("are not parsed before the first that is wanted, so that a corrected file is read where it went wrong", async () => {
    const path = file("b.ndjson", 'nonsense\n{"a":1}\n')
    expect(await read(path, { skip: 1 })).toEqual([{ a: 1 }])
  })

  it("cross the pieces in which a file is read, inside of a character too", async () => {
    const long = "ლ".repeat(70_000)
    const path = file("long.ndjson", `{"t":"${long}"}\n{"t":"end"}\n`)
    expect(await read(path)).toEqual([{ t: long }, { t: "end" }])
  })

  it.each([
    [
      "a line that is not JSON, without its content",
      "bad.ndjson",
      '{"a":1}\n\n{secret\n',
      "bad.ndjson, line 3: is not JSON"
    ],
    [
      "a line of CSV with too many cells",
      "bad.csv",
      "a,b\n1,2\n1,2,3\n",
      "bad.csv, line 3: has more or fewer cells than there are columns"
    ],
    [
      "a line with a number that would be another one",
      "long.ndjson",
      '{"a":1}\n{"id":12345678901234567890}\n',
      "long.ndjson, line 2: has a number with more digits than a number holds: write it as text"
    ],
    [
      "a line with a number that is none",
      "large.ndjson",
      '{"price":1e400}\n',
      "large.ndjson, line 1: has a number"
    ],
    [
      "a line with a fraction that would be another one",
      "fraction.ndjson",
      '{"a":0.1}\n{"price":0.1000000000000000055511151231257827}\n',
      "fraction.ndjson, line 2: has a number with more digits than a number holds: write it as text"
    ],
    [
      "a line with a name twice, of which the last would stand",
      "names.ndjson",
      '{"amount":[{"amount":1},{"amount":2}]}\n{"amount":5,"amount":50}\n',
      'names.ndjson, line 2: has "amount" twice: give it once'
    ],
    [
      "bytes that are no text",
      "bytes.ndjson",
      new Uint8Array([0x7b, 0xff, 0x7d]),
      "bytes.ndjson: is no text in UTF-8"
    ],
    ["a name that shows no format", "rows.txt", "", "rows.txt: is neither .csv nor .ndjson nor .jsonl"]
  ])("name %s", async (_, name, content, message) => {
    const error = await refused(file(name, content))
    expect(error).toMatchObject({ _tag: "FleetError", reason: "Source" })
    expect(error.message).toContain(message)
    expect(error.message).not.toContain("secret")
  })

  it("are refused where two columns have one name, of which a row would hold one alone", async () => {
    expect((await refused(file("twice.csv", "sku,name,sku\n1,a,2\n"))).message).toContain(
      'twice.csv: the CSV, column "sku" is there twice'
    )
  })

  it("name a file that is not there", async () => {
    expect((await refused(join(folder, "none.csv"))).message).toContain("none.csv: cannot be read (ENOENT)")
  })
})

describe("the count of a file's rows", () => {
  it.each([
    ["plain.csv", "sku,name\n1,a\n2,b\n"],
    ["quoted.csv", 'sku,name\r\n1,"a\r\n""b"""\r\n\r\n2,c'],
    ["declared.csv", '\ufeffsep=;\r\nsku;name\r\n1;"a;\n"\r\n'],
    ["old.csv", "sku\r1\r2\r3"],
    ["head.csv", "sku,name\n"],
    ["empty.csv", ""],
    ["some.ndjson", '{"a": "\\""}\n \n\r\n[2]\n"3"']
  ])("is that of what is read: %s", async (name, content) => {
    const path = file(`count-${name}`, content)
    expect(await Effect.runPromise(countRows(path))).toBe((await read(path)).length)
  })

  it("is that of all pieces of a large one", async () => {
    const path = file("large.csv", `n,text\n${`1,"a\n""${"b".repeat(90)}"\n`.repeat(5_000)}`)
    expect(await Effect.runPromise(countRows(path))).toBe(5_000)
  })

  it("fails where there is no file", async () => {
    expect(await Effect.runPromise(Effect.flip(countRows(join(folder, "none.csv"))))).toMatchObject({
      reason: "Source"
    })
  })
})
