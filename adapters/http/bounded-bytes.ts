/**
 * The bytes of a body as they come in: no more of them than may be, and in few pieces however small those are that a
 * server sends. A byte that is kept as an object of its own takes a hundred.
 */

/** Pieces from this size on are kept as they come, the memory that they are a part of included. */
const large = 16 * 1024

/** Small pieces are put together in blocks, which grow with the body up to this size. */
const largestBlock = 256 * 1024

const none = /*#__PURE__*/ new Uint8Array()

/** Made for one body. */
export class BoundedBytes {
  private readonly pieces: Array<Uint8Array> = []
  private size = 0
  private block = none
  /** The part of the block that is not among the pieces yet. */
  private start = 0
  private end = 0

  constructor(private readonly maxBytes: number) {}

  /** Takes a piece; false where the body is then larger than it may be. */
  push(piece: Uint8Array): boolean {
    const { byteLength } = piece
    this.size += byteLength
    if (this.size > this.maxBytes) return false
    if (byteLength === 0) return true
    // Most bodies come in one piece, which is not copied.
    if (this.size === byteLength || byteLength >= large) {
      this.seal()
      this.pieces.push(piece)
      return true
    }
    if (byteLength > this.block.byteLength - this.end) {
      this.seal()
      this.block = new Uint8Array(Math.max(large, Math.min(this.size, largestBlock)))
      this.start = this.end = 0
    }
    this.block.set(piece, this.end)
    this.end += byteLength
    return true
  }

  /** The whole body; a single piece as it came. */
  whole(): Uint8Array {
    this.seal()
    const [first] = this.pieces
    if (this.pieces.length === 1 && first !== undefined) return first
    const whole = new Uint8Array(this.size)
    let offset = 0
    for (const piece of this.pieces) {
      whole.set(piece, offset)
      offset += piece.byteLength
    }
    return whole
  }

  /** Ends the piece that the block is being filled with; what is left of the block is for the next one. */
  private seal(): void {
    if (this.end > this.start) this.pieces.push(this.block.subarray(this.start, this.end))
    this.start = this.end
  }
}
