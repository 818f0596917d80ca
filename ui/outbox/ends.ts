/** How entries ended, for those who ask late; of one that is gone from the store, once another tab has told or was given the time to. */
import type { EntryEnd, EntryError } from "../rx/queue.js"
import type { Kept } from "./entry.js"
import type { Ports } from "./store.js"

/** Milliseconds in which another tab tells how an entry ended that is gone. */
const longestNews = 5_000

const deleted: EntryError = {
  _tag: "Deleted",
  message:
    "something else than the outbox removed this from the device, such as who cleared the site's data: look whether it was done"
}

/** Most ends that are remembered, for those who ask late. */
const mostEnds = 200

export class Ends {
  private readonly ends = new Map<string, EntryEnd<unknown>>()
  /** Entries that are gone from the store, while it may still be told how they ended. */
  private readonly missing = new Map<string, Kept>()

  constructor(
    private readonly after: Ports["after"],
    /** Something else than an outbox has removed an entry. */
    private readonly onDeleted: () => void
  ) {}

  get(id: string): EntryEnd<unknown> | undefined {
    return this.ends.get(id)
  }

  /** An entry that is gone, and of which nothing is known yet. */
  gone(id: string): Kept | undefined {
    return this.missing.get(id)
  }

  set(id: string, end: EntryEnd<unknown>): void {
    this.ends.set(id, end)
    this.missing.delete(id)
    const [oldest] = this.ends.keys()
    if (this.ends.size > mostEnds && oldest !== undefined) this.ends.delete(oldest)
  }

  /** Waits for news of an entry that is gone. Without any, nobody knows what has become of it. */
  miss(entry: Kept): void {
    const { id } = entry
    if (this.ends.has(id)) return
    this.missing.set(id, entry)
    this.after(longestNews, () => {
      if (this.missing.get(id) !== entry) return
      this.set(id, { status: "unknown", error: deleted })
      this.onDeleted()
    })
  }
}
