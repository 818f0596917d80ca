/** The jobs under torture, as the runners do them and as whoever starts them knows them. */
import { createReadStream } from "node:fs"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Fleet from "@quartet/fleet"
import * as Csv from "@quartet/fleet/csv"
import { Effect, Option, Schema, Stream } from "effect"
import * as Admin from "../../../clients/admin/index.js"

/** How much of a job is done at once. */
export interface Shape {
  readonly page: number
  readonly lanes: number
  readonly concurrency: number
}

export type JobName = "notices" | "rows"

/** `begun`: it is about to be sent. `found`: its answer was lost, and it was done. `absent`: it was not. */
export type Event = "begun" | "found" | "absent"

/** What a runner writes down before it does it. */
export type Note = (event: Event, job: JobName, item: number) => void

const Row = Schema.Struct({ externalId: Schema.String, title: Schema.String })

/** The id of an item, by which the proxy deals out its faults and the platform's state tells it. */
export const idOf = (job: JobName, item: number): string =>
  `qt-${job === "notices" ? "notice" : "row"}-${item}`

/** A platform looks a row up among those of its kind: one of many thousands would cost more than the fleet. */
const kindOf = (item: number): string => `imported-${item % 100}`

/** A CSV file for the import. */
export const csv = function* (count: number): Generator<string> {
  yield "externalId,title\n"
  for (let item = 0; item < count; item++) yield `${idOf("rows", item)},"the row, ${item}"\n`
}

/** One call in sixteen fails here: with five attempts, one item of a million would be set aside. */
const attempts = 10

export const make = (shape: Shape, note: Note) => {
  /** The platform honours idempotency keys, and has no list of what it sent: what may have been sent is sent with its key again. */
  const notices = Fleet.job("notices", {
    ...shape,
    attempts,
    input: Schema.Struct({
      audience: Schema.String,
      count: Schema.Number,
      users: Schema.Array(Schema.String)
    }),
    key: ({ audience }) => audience,
    source: ({ count }, skip) => ({
      from: skip,
      items: skip < count ? Stream.range(skip, count - 1) : Stream.empty
    }),
    item: Schema.Number,
    each: (number, { idempotencyKey, input: { users } }) => {
      note("begun", "notices", number)
      const payload = { userId: users[number % users.length], title: idOf("notices", number) }
      return Admin.notifications.send({ payload }, { idempotencyKey })
    },
    onUnknown: (number) =>
      Effect.sync(() => {
        note("absent", "notices", number)
        return Option.none()
      })
  })

  /** The platform forgets keys, so what may have been done is looked for before anything is sent again. */
  const rows = Fleet.job("rows", {
    ...shape,
    attempts,
    input: Schema.Struct({ file: Schema.String }),
    key: ({ file }) => file,
    source: ({ file }) =>
      NodeStream.fromReadable<Error, Uint8Array>(
        () => createReadStream(file),
        (cause) => new Error("the file cannot be read", { cause })
      ).pipe(Csv.rows(Row)),
    item: Row,
    each: (payload, { idempotencyKey, item }) => {
      note("begun", "rows", item)
      return Admin.entities.create({ kind: kindOf(item), payload }, { idempotencyKey })
    },
    onUnknown: ({ externalId }, { item }) =>
      Admin.entities.list({ kind: kindOf(item), limit: 1, query: { externalId } }).pipe(
        Effect.map(({ items }) => Option.fromNullable(items[0])),
        Effect.tap((row) => Effect.sync(() => note(Option.isSome(row) ? "found" : "absent", "rows", item)))
      )
  })
  return { notices, rows }
}
