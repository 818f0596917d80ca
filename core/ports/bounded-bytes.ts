/**
 * The bytes of a body as they arrive: within a limit, and in few chunks even if a server sends small ones. A byte in
 * its own object takes a hundred.
 */

/** Chunks from this size on are kept as received, with the buffer that they belong to. */
const large = 16 * 1024

/** Small chunks are merged in blocks, which grow with the body up to this size. */
const largestBlock = 256 * 1024

const none = /*#__PURE__*/ new Uint8Array()

/** Made for one body. */
export class BoundedBytes {
  private readonly pieces: Array<Uint8Array> = []
  /** How many bytes have come. */
  size = 0
  private block = none
  /** The part of the block that is not among the chunks yet. */
  private start = 0
  private end = 0

  constructor(private readonly maxBytes: number) {}

  /** Takes a chunk; false if the body is then too large. */
  push(piece: Uint8Array): boolean {
    const { byteLength } = piece
    this.size += byteLength
    if (this.size > this.maxBytes) return false
    if (byteLength === 0) return true
    // Maximum bodies arrive in one chunk, which is not copied.
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

  /** The whole body; a single chunk as received. */
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

  /** Ends the current chunk in the block; the rest of the block is for the next one. */
  private seal(): void {
    if (this.end > this.start) this.pieces.push(this.block.subarray(this.start, this.end))
    this.start = this.end
  }
}
