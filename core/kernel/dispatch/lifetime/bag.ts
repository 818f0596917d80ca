/** A list that its items leave in constant time. */

/** The position of an item that is in no list. */
export const gone = -1

/** An item that knows its position in a list. */
export interface Placed {
  place: number
}

/**
 * An unordered list with removal in constant time: the last item moves into the gap. Items are not linked, so removed
 * ones keep nothing alive.
 */
export class Bag<T extends Placed> {
  readonly items: Array<T> = []

  add(item: T): void {
    item.place = this.items.length
    this.items.push(item)
  }

  /** False if the item was removed before. */
  remove(item: T): boolean {
    const { place } = item
    if (place === gone) return false
    item.place = gone
    const last = this.items.pop()
    if (last === undefined || last === item) return true
    this.items[place] = last
    last.place = place
    return true
  }
}
