// CSV as typed rows: what is read, what is refused, and that memory stays flat.
import { Chunk, Effect, Schema, Stream } from "effect"
import { describe, expect, it } from "vitest"
import * as Csv from "../../../adapters/csv/index.js"

const Payment = Schema.Struct({ _id: Schema.String, amount: Schema.NumberFromString })

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
