/** Cells that are written: what a spreadsheet must not run, and what a reader gets back. */

import { lineOf } from "@quartet/sdk/extend"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { records } from "../../csv/records.js"

/** The lines as they are read back. */
const readBack = (...lines: ReadonlyArray<string>) =>
  Stream.make(new TextEncoder().encode(lines.join(""))).pipe(
    records,
    Stream.runCollect,
    Effect.map(Chunk.toReadonlyArray),
    Effect.runPromise
  )

const cellOf = async (text: string) => (await readBack(lineOf(["text"]), lineOf([text])))[0]?.text

const shown = (text: string): string => JSON.stringify(text)

describe("a cell that a spreadsheet would run", () => {
  it.each(["=", "+", "-", "@", "＝", "＋", "－", "＠"].map((sign) => [shown(sign), sign] as const))(
    "stays a text where it begins with %s",
    async (_, sign) => {
      expect(await cellOf(`${sign}1+1`)).toBe(`'${sign}1+1`)
      expect(await cellOf(sign)).toBe(`'${sign}`)
    }
  )

  it.each(["\t", "\r", "\n"].map((sign) => [shown(sign), sign] as const))(
    "stays a text where it begins with %s, whatever follows",
    async (_, sign) => {
      expect(await cellOf(`${sign}plain`)).toBe(`'${sign}plain`)
      expect(await cellOf(sign)).toBe(`'${sign}`)
    }
  )

  it.each(
    [" ", "   ", "\n", "\r\n", "\t", "\u00A0", "\u3000", "\uFEFF", "\u200B", "\0", "\u000B", " \n \t"].map(
      (before) => [shown(before), before] as const
    )
  )("stays a text behind %s", async (_, before) => {
    for (const sign of ["=", "+", "-", "@", "＝", "＋", "－", "＠"])
      expect(await cellOf(`${before}${sign}1+1`)).toBe(`'${before}${sign}1+1`)
  })

  it("stays a text among the names of columns too", () => {
    expect(lineOf(["=1+1", "\n＝1"])).toBe(`'=1+1,"'\n＝1"\r\n`)
  })

  it("is left as it is for programs, and so is what no spreadsheet runs", async () => {
    expect(lineOf(["=1", "\t"], true)).toBe("=1,\t\r\n")
    for (const text of ["a=1", "1+1", "a@b.example", "x\n=1", " a", "'=1", "½", "–"])
      expect(await cellOf(text)).toBe(text)
    expect(lineOf([-1, 1.5, true])).toBe("-1,1.5,true\r\n")
  })

  it("is also a date beyond the year 9999, whose text begins with a sign", () => {
    expect(lineOf([new Date(8.64e15)])).toBe("'+275760-09-13T00:00:00.000Z\r\n")
  })
})

describe("rows that are written", () => {
  it("are read back as they were, with every character, and empty ones", async () => {
    const text = FastCheck.string({ unit: "binary" }).filter((cell) => !cell.startsWith("\uFEFF"))
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.array(FastCheck.array(text, { minLength: 3, maxLength: 3 })),
        async (rows) => {
          const read = await readBack(lineOf(["a", "b", "c"]), ...rows.map((row) => lineOf(row, true)))
          expect(read.map(({ a, b, c }) => [a, b, c])).toEqual(rows)
        }
      ),
      { numRuns: 20 }
    )
  })

  it("are there where their only cell is empty", async () => {
    const texts = ["x", null, "", undefined, "y"]
    expect(await readBack(lineOf(["note"]), ...texts.map((text) => lineOf([text])))).toEqual(
      ["x", "", "", "", "y"].map((note) => ({ note }))
    )
  })
})
