/** A collection in memory: rows by id, in order of creation. Rows are immutable; a change replaces one. */
import * as Effect from "effect/Effect"
import { notFound, type Refusal } from "../platform/refusal.js"

/** The fields of every row. */
export interface Row {
  readonly _id: string
}

/** A collection whose missing rows are refusals (404) that name the row. */
export class Table<A extends Row> {
  private readonly rows = new Map<string, A>()
  private readonly parts = new Map<string, Map<string, A>>()
  /** Called with the new row after each `change`. */
  onChange: ((row: A) => void) | undefined

  /** `what` names one row in messages, such as `the request`. `partOf`, which a row keeps, has the rows of a part found without a look at all. */
  constructor(
    readonly what: string,
    rows: Iterable<A> = [],
    private readonly partOf: (row: A) => string = () => ""
  ) {
    for (const row of rows) this.put(row)
  }

  get size(): number {
    return this.rows.size
  }

  all(): ReadonlyArray<A> {
    return [...this.rows.values()]
  }

  filter(test: (row: A) => boolean): ReadonlyArray<A> {
    return this.all().filter(test)
  }

  /** The rows of a part, in order of creation. */
  part(name: string): ReadonlyArray<A> {
    return [...(this.parts.get(name)?.values() ?? [])]
  }

  find(test: (row: A) => boolean): A | undefined {
    for (const row of this.rows.values()) if (test(row)) return row
    return undefined
  }

  peek(id: string): A | undefined {
    return this.rows.get(id)
  }

  /** One row. Rows that fail the test do not exist for the caller. */
  get(id: string, test: (row: A) => boolean = () => true): Effect.Effect<A, Refusal> {
    const row = this.rows.get(id)
    return row !== undefined && test(row) ? Effect.succeed(row) : Effect.fail(notFound(this.what))
  }

  /** Inserts a row, or replaces the one with the same id. */
  put(row: A): A {
    this.rows.set(row._id, row)
    const name = this.partOf(row)
    const part = this.parts.get(name) ?? new Map<string, A>()
    this.parts.set(name, part.set(row._id, row))
    return row
  }

  private delete(row: A): void {
    this.rows.delete(row._id)
    this.parts.get(this.partOf(row))?.delete(row._id)
  }

  /** Replaces a row by the result of `change`. */
  change(id: string, change: (row: A) => A, test?: (row: A) => boolean): Effect.Effect<A, Refusal> {
    return Effect.map(this.get(id, test), (row) => {
      const changed = this.put(change(row))
      this.onChange?.(changed)
      return changed
    })
  }

  /** Removes a row and returns it. */
  remove(id: string, test?: (row: A) => boolean): Effect.Effect<A, Refusal> {
    return Effect.tap(this.get(id, test), (row) => Effect.sync(() => this.delete(row)))
  }

  /** Removes all rows that pass the test. */
  drop(test: (row: A) => boolean): void {
    for (const row of this.filter(test)) this.delete(row)
  }

  /** Reorders the rows; rows that are not named keep their order behind the others. */
  reorder(ids: ReadonlyArray<string>): void {
    const first = ids.flatMap((id) => this.rows.get(id) ?? [])
    const named = new Set(ids)
    const rest = this.filter((row) => !named.has(row._id))
    this.rows.clear()
    this.parts.clear()
    for (const row of [...first, ...rest]) this.put(row)
  }
}
