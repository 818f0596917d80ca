/**
 * How many items all pages of a process may have begun at a moment: they stand in the store as perhaps sent, so after a crash each of them is
 * asked about. They are at most twice as many as can be in flight, or one for each page where there are more pages.
 */
export class Marks {
  private pages = 0
  private count = 0

  /** `inFlight`: how many requests of this process may be under way at once. */
  constructor(private readonly inFlight: () => number) {}

  /** A page takes part. */
  enter(): void {
    this.pages += 1
  }

  /** It does no longer, and leaves so many of its marks. */
  leave(count: number): void {
    this.pages -= 1
    this.count -= count
  }

  /** So many items more stand in the store as perhaps sent, or fewer. */
  add(count: number): void {
    this.count += count
  }

  /** The most items that one page may have begun, which works on so many at once. */
  most(concurrency: number): number {
    return Math.max(1, Math.min(2 * concurrency, Math.floor((2 * this.inFlight()) / Math.max(1, this.pages))))
  }

  /**
   * How many more a page may begin of which so many have come to no end, and so many are marked in the store, where all that have ended will
   * no longer be. Each page may have one, or it would wait for others.
   */
  room(open: number, marked: number, concurrency: number): number {
    const others = this.count - marked
    const room = Math.min(this.most(concurrency), 2 * this.inFlight() - others) - open
    return Math.max(open === 0 ? 1 : 0, room)
  }
}
