// The bytes of a body as they come in, whatever the sizes of their pieces.
import { describe, expect, it } from "@effect/vitest"
import * as FC from "effect/FastCheck"
import { BoundedBytes } from "../../../core/ports/bounded-bytes.js"

const received = (pieces: ReadonlyArray<Uint8Array>, maxBytes = Number.MAX_SAFE_INTEGER) => {
  const body = new BoundedBytes(maxBytes)
  const accepted = pieces.map((piece) => body.push(piece))
  return { body, accepted }
}

describe("a body that comes in pieces", () => {
  it("of one piece is that piece, not a copy of it", () => {
    const piece = new Uint8Array([1, 2, 3])
    expect(received([piece]).body.whole()).toBe(piece)
    expect(received([new Uint8Array(), piece, new Uint8Array()]).body.whole()).toBe(piece)
  })

  it("of no piece is empty", () => {
    expect(received([]).body.whole()).toEqual(new Uint8Array())
  })

  const size = FC.oneof(FC.integer({ min: 0, max: 20 }), FC.integer({ min: 16_000, max: 17_000 }))
  it.prop("is all of them in their order", [FC.array(size, { maxLength: 60 })], ([sizes]) => {
    const pieces = sizes.map((length, at) => new Uint8Array(length).fill(at + 1))
    const whole = received(pieces).body.whole()
    expect(Buffer.compare(whole, Buffer.concat(pieces))).toBe(0)
  })

  it("keeps nothing of a small piece that it has taken: its sender may use the memory again", () => {
    const memory = new Uint8Array(4)
    const body = new BoundedBytes(100)
    body.push(new Uint8Array([9]))
    for (const byte of [1, 2, 3]) {
      memory.fill(byte)
      body.push(memory.subarray(0, 2))
    }
    expect([...body.whole()]).toEqual([9, 1, 1, 2, 2, 3, 3])
  })

  it("may have as many bytes as the bound, and not one more", () => {
    const pieces = [2, 3, 5].map((length) => new Uint8Array(length))
    expect(received(pieces, 10).accepted).toEqual([true, true, true])
    expect(received(pieces, 9).accepted).toEqual([true, true, false])
  })
})
