/**
 * The digests of delivered messages by their keys, both whole numbers from 1 to 2⁵³. They stand in arrays of numbers:
 * a Map would keep the text of each id, and look twice as slowly for one that is new, as most are.
 */

/** Pairs of a key and its digest, by open addressing: at most half of the places are taken. */
type Table = Float64Array

const smallest = 128

/** The place of a key in a table, or the empty one where it belongs. */
const placeOf = (table: Table, key: number): number => {
  const last = table.length - 2
  let place = (key << 1) & last
  while (table[place] !== 0 && table[place] !== key) place = (place + 2) & last
  return place
}

const put = (table: Table, place: number, key: number, digest: number | undefined): void => {
  table[place] = key
  table[place + 1] = digest ?? 0
}

const grown = (table: Table): Table => {
  const larger = new Float64Array(table.length * 2)
  for (let place = 0; place < table.length; place += 2) {
    const key = table[place]
    if (key) put(larger, placeOf(larger, key), key, table[place + 1])
  }
  return larger
}

/** Forgets the older half, all at once, whenever the younger half is full. */
export class Digests {
  private young: Table = new Float64Array(smallest)
  private old: Table = new Float64Array(smallest)
  private size = 0

  /** Between `half` and twice as many are remembered. */
  constructor(private readonly half: number) {}

  get(key: number): number | undefined {
    return this.young[placeOf(this.young, key) + 1] || this.old[placeOf(this.old, key) + 1] || undefined
  }

  set(key: number, digest: number): void {
    const place = placeOf(this.young, key)
    if (this.young[place] === 0) this.size += 1
    put(this.young, place, key, digest)
    if (this.size * 4 > this.young.length) this.young = grown(this.young)
    if (this.size < this.half) return
    this.old = this.young
    this.young = new Float64Array(this.old.length)
    this.size = 0
  }
}
