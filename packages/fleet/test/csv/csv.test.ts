// CSV as typed rows: what is read, what is refused, and that memory stays flat.
import { Chunk, Effect, Logger, Schema, Stream } from "effect"
import { describe, expect, it } from "vitest"
import * as Csv from "../../csv/index.js"

const Payment = Schema.Struct({ _id: Schema.String, amount: Csv.NumberFromCell })

const text = (...pieces: ReadonlyArray<string>) =>
  Stream.fromIterable(pieces.map((piece) => new TextEncoder().encode(piece)))

const read = <E>(stream: Stream.Stream<{ readonly _id: string; readonly amount: number }, E>) =>
  Effect.runPromise(Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray))

describe("rows of a CSV", () => {
  it("are typed by the schema, wherever the pieces are cut", async () => {
    const rows = await read(text("\uFEFF_id,amo", 'unt\r\np1,12.5\r\n"p,2', '",7\n').pipe(Csv.rows(Payment)))
    expect(rows).toEqual([
      { _id: "p1", amount: 12.5 },
      { _id: "p,2", amount: 7 }
    ])
  })

  it("keep quotes and line breaks inside a field", async () => {
    const rows = await read(text('_id,amount\n"a ""b""\nc",1\n').pipe(Csv.rows(Payment)))
    expect(rows).toEqual([{ _id: 'a "b"\nc', amount: 1 }])
  })

  it("name row and column of a value that breaks the schema, without showing it", async () => {
    const error = await Effect.runPromise(
      Effect.flip(Stream.runDrain(text("_id,amount\np1,1\np2,secret\n").pipe(Csv.rows(Payment))))
    )
    expect(error).toMatchObject({ _tag: "CsvError", reason: "Row", row: 2, field: "amount" })
    expect(error.message).toBe('row 2, column "amount" is not what the schema says')
  })

  it("fail with a typed error where the text is no CSV", async () => {
    const error = await Effect.runPromise(
      Effect.flip(Stream.runDrain(text('_id,amount\n"p1,1\n').pipe(Csv.rows(Payment))))
    )
    expect(error).toMatchObject({ _tag: "CsvError", reason: "Syntax" })
  })

  it("fail with a typed error where the bytes are no UTF-8, instead of replacing them", async () => {
    const bytes = Stream.make(Uint8Array.of(0x5f, 0x69, 0x64, 0x0a, 0xc3, 0x28, 0x0a))
    const rows = bytes.pipe(Csv.rows(Schema.Struct({ _id: Schema.String })))
    const error = await Effect.runPromise(Effect.flip(Stream.runDrain(rows)))
    expect(error).toMatchObject({ _tag: "CsvError", reason: "Syntax" })
  })

  const Row = Schema.Record({ key: Schema.String, value: Schema.String })
  const texts = (source: ReadonlyArray<string>, options?: Csv.ReadOptions) =>
    Effect.runPromise(
      Effect.map(Stream.runCollect(text(...source).pipe(Csv.rows(Row, options))), Chunk.toReadonlyArray)
    )
  const refused = (source: string, options?: Csv.ReadOptions) =>
    Effect.runPromise(Effect.flip(Stream.runDrain(text(source).pipe(Csv.rows(Row, options)))))

  it.each([
    [
      "two columns have one name, of which a row would hold the last alone",
      "sku,name,sku\n1,a,2\n",
      'column "sku" is there twice'
    ],
    ["a column has no name", "sku,,name\n1,a,2\n", "has no name for its column 2"],
    ["a column has spaces for a name", "sku, \n1,a\n", "has no name for its column 2"],
    [
      "no object can hold a name",
      "sku,__proto__\n1,a\n",
      'column "__proto__" has a name that no row can hold'
    ],
    [
      "a row has more cells than there are columns",
      "a,b\n1,2\n1,2,3\n",
      "has more or fewer cells than there are columns at line 3"
    ],
    ["a row has fewer", "a,b\n1\n", "has more or fewer cells than there are columns at line 2"],
    [
      "a quote stands in the middle of a cell",
      'a,b\n1,2"3\n',
      "has a quote in the middle of a cell at line 2"
    ],
    ["text stands behind a quote", 'a,b\n1,"2"3\n', "has text behind a closing quote at line 2"],
    ["text is UTF-16 without a mark", "a\0,\0b\0\n\0", "is no text in UTF-8"]
  ])("are refused where %s", async (_, source, message) => {
    const error = await refused(source)
    expect(error).toMatchObject({ _tag: "CsvError", reason: "Syntax" })
    expect(error.message).toContain(message)
  })

  it("hold what a name says that objects inherit", async () => {
    expect(await texts(["constructor,toString\n1,2\n"])).toEqual([
      Object.fromEntries([
        ["constructor", "1"],
        ["toString", "2"]
      ])
    ])
  })

  it.each([
    [
      "mixed ends of lines",
      "a,b\r\n1,2\n3,4\r\n",
      [
        ["1", "2"],
        ["3", "4"]
      ]
    ],
    ["mixed ends of lines in one column", "a\r\n1\n2\n", [["1"], ["2"]]],
    [
      "ends of lines of an old Mac",
      "a,b\r1,2\r\r3,4",
      [
        ["1", "2"],
        ["3", "4"]
      ]
    ],
    [
      "all three ends of lines in one column",
      "a\n1\r2\n3\r\n4\r\r\n5\r6\r",
      [["1"], ["2"], ["3"], ["4"], ["5"], ["6"]]
    ],
    [
      "all three ends of lines",
      "a,b\r\n1,2\n3,4\r5,6",
      [
        ["1", "2"],
        ["3", "4"],
        ["5", "6"]
      ]
    ],
    [
      "a carriage return in quotes",
      'a,b\n"1\r1",2\r"3\r\n4",5\n',
      [
        ["1\r1", "2"],
        ["3\r\n4", "5"]
      ]
    ],
    [
      "empty lines, also before the names",
      "\n\na,b\n\n1,2\n\n\n3,4\n",
      [
        ["1", "2"],
        ["3", "4"]
      ]
    ],
    ["a cell of quotes alone", 'a\n""\n1\n', [[""], ["1"]]],
    ["no end of the last line", "a,b\n1,2", [["1", "2"]]],
    ["nothing but names", "a,b", []],
    ["nothing", "", []],
    ["a mark of its bytes' order", "\uFEFFa,b\n1,2\n", [["1", "2"]]],
    ["spaces in cells, which stay", "a,b\n 1 ,2 \n", [[" 1 ", "2 "]]]
  ])("are all there with %s, wherever the pieces are cut", async (_, source, rows) => {
    for (const pieces of [[source], [...source]])
      expect((await texts(pieces)).map((row) => Object.values(row))).toEqual(rows)
  })

  it.each([";", "\t", "|", ",", ":", "§"])(
    "are read with %j between the cells, where that is said",
    async (delimiter) => {
      expect(await texts([`a${delimiter}b\n"x${delimiter}y"${delimiter}2\n`], { delimiter })).toEqual([
        { a: `x${delimiter}y`, b: "2" }
      ])
    }
  )

  it.each(["", ";;", '"', "\n", "\r"])("are not read with %j between the cells", async (delimiter) => {
    expect((await refused("a,b\n", { delimiter })).message).toContain("needs a delimiter of one character")
  })

  describe("between whose cells something else stands than commas", () => {
    const warned: Array<string> = []
    const logger = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ logLevel, message }) => warned.push(`${logLevel.label} ${String(message)}`))
    )
    const sniffed = async (source: string, options?: Csv.ReadOptions) => {
      warned.length = 0
      const rows = text(source).pipe(Csv.rows(Row, options), Stream.runCollect, Effect.provide(logger))
      return { rows: Chunk.toReadonlyArray(await Effect.runPromise(rows)), warned: [...warned] }
    }

    it.each([
      [";", "a;b\n1,5;2\n"],
      ["\t", "a\tb\n1,5\t2\n"],
      ["|", "a|b\n1,5|2\n"],
      [";", 'a;"b"\n1,5;2\n'],
      [";", '"x,y,z";b\n1,5;2\n']
    ])("are read by what the first line has most of, with a warning: %j", async (delimiter, source) => {
      const { rows, warned } = await sniffed(source)
      expect(rows.map((row) => Object.values(row))).toEqual([["1,5", "2"]])
      expect(warned).toEqual([
        `WARN the CSV is read with ${delimiter === "\t" ? "tab" : `"${delimiter}"`} between its cells, which its first line has most of: pass \`delimiter\` to say what it is`
      ])
    })

    it("are read with commas, with a warning, where the first line has as many of both", async () => {
      const { rows, warned } = await sniffed("a;b,c\n1;2,3\n")
      expect(rows).toEqual([{ "a;b": "1;2", c: "3" }])
      expect(warned).toEqual([expect.stringContaining('its first line has as many of ";"')])
    })

    it("are read without a warning where that is said, or where only cells have it", async () => {
      expect(await sniffed("a;b\n1;2\n", { delimiter: ";" })).toEqual({
        rows: [{ a: "1", b: "2" }],
        warned: []
      })
      expect(await sniffed("a;b\n1;2\n", { delimiter: "," })).toEqual({
        rows: [{ "a;b": "1;2" }],
        warned: []
      })
      expect(await sniffed("a\n1;2\n")).toEqual({ rows: [{ a: "1;2" }], warned: [] })
      expect(await sniffed('a,"b;c;d"\n1,2\n')).toEqual({ rows: [{ a: "1", "b;c;d": "2" }], warned: [] })
    })

    it("are read by a first line in which a spreadsheet says it", async () => {
      expect(await sniffed("sep=;\r\na;b\r\n1;2\r\n")).toEqual({ rows: [{ a: "1", b: "2" }], warned: [] })
    })
  })

  it("name the line of a row that is wrong, whatever ends of lines stand in the cells before it", async () => {
    for (const cell of ["\n", "\r\n", "\r"])
      for (const ends of [["\n"], ["\r\n"], ["\r"], ["\r", "\n", "\r\n"]]) {
        const lines = ["a,b", "1,2", `"x${cell}y${cell}z",3`, "", "4,5", "6"]
        const source = lines.map((line, n) => line + (ends[n % ends.length] ?? "")).join("")
        expect(await refused(source), JSON.stringify(source)).toMatchObject({ line: 8 })
      }
  })

  it("pass on the failure of the download", async () => {
    const broken = Stream.concat(text("_id,amount\np1,1\n"), Stream.fail({ _tag: "Lost" as const }))
    const error = await Effect.runPromise(Effect.flip(Stream.runDrain(broken.pipe(Csv.rows(Payment)))))
    expect(error).toEqual({ _tag: "Lost" })
  })

  it("are read a bounded way ahead: a reader that stops leaves the rest unread", async () => {
    let sent = 0
    const endless = Stream.concat(
      text("_id,amount\n"),
      Stream.repeatEffect(
        Effect.sync(() => {
          sent += 1
          return new TextEncoder().encode(`p${sent},${sent}\n`.repeat(100))
        })
      )
    )
    const rows = await read(endless.pipe(Csv.rows(Payment), Stream.take(250)))
    expect(rows).toHaveLength(250)
    expect(sent).toBeLessThan(300)
  })
})
