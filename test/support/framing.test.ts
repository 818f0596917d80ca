// Messages come out whole, wherever the network cuts them.
import { describe, expect, test } from "vitest"
import { Framer, isUpgrade, type Message, statusOf } from "./framing.js"

const lines = (...parts: ReadonlyArray<string>): string => parts.join("\r\n")

const messages: ReadonlyArray<string> = [
  lines("GET /plain HTTP/1.1", "host: a", "", ""),
  lines("POST /body HTTP/1.1", "Content-Length: 18", "", "a\r\n\r\nGET / HTTP/1."),
  lines(
    "POST /chunks HTTP/1.1",
    "transfer-encoding: chunked",
    "",
    "5",
    "12345",
    "A;x=y",
    "0\r\n\r\n56789",
    "0",
    "",
    ""
  ),
  lines("HTTP/1.1 204 No Content", "server: b", "", ""),
  lines("HTTP/1.1 304 Not Modified", "content-length: 900", "", ""),
  lines("HTTP/1.1 200 OK", "content-length:0", "", ""),
  lines("HTTP/1.1 200 OK", "Transfer-Encoding: gzip, Chunked", "", "0", "", ""),
  lines("HTTP/1.1 500 x", "content-length: 4", "", "\u00ff\u0000\r\n")
]
const stream = Buffer.from(messages.join(""), "latin1")

const textsOf = (found: ReadonlyArray<Message>): ReadonlyArray<string> =>
  found.map(({ bytes }) => bytes.toString("latin1"))

/** The messages of a stream that comes in pieces. */
const framed = (pieces: ReadonlyArray<Buffer>): ReadonlyArray<string> => {
  const framer = new Framer()
  return pieces.flatMap((piece) => textsOf(framer.push(piece)))
}

const only = (text: string): Message => {
  const [message, ...more] = new Framer().push(Buffer.from(text, "latin1"))
  if (message === undefined) return expect.unreachable("no message")
  expect(more).toEqual([])
  return message
}

describe("a stream of messages comes out message by message,", () => {
  test("where it comes at once", () => {
    expect(framed([stream])).toEqual(messages)
  })

  test("where it is cut in two, at every place", () => {
    for (let at = 0; at <= stream.length; at++)
      expect(framed([stream.subarray(0, at), stream.subarray(at)]), `cut at ${at}`).toEqual(messages)
  })

  test("where it comes in pieces of every size, down to single bytes", () => {
    for (let size = 1; size < 40; size++) {
      const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, index) =>
        stream.subarray(index * size, (index + 1) * size)
      )
      expect(framed(pieces), `pieces of ${size}`).toEqual(messages)
    }
  })
})

describe("a message", () => {
  test("is not given out before its last byte is there, for every message and every place", () => {
    for (const message of messages) {
      const bytes = Buffer.from(message, "latin1")
      for (let at = 0; at < bytes.length; at++) expect(new Framer().push(bytes.subarray(0, at))).toEqual([])
    }
  })

  test("that is not whole can be taken as it came, once", () => {
    const framer = new Framer()
    framer.push(Buffer.from("GET /whole HTTP/1.1\r\n\r\nGET /half HT"))
    expect(framer.take().toString()).toBe("GET /half HT")
    expect(framer.take()).toHaveLength(0)
  })

  test("has its start line, its head, and an answer its status", () => {
    const message = only("HTTP/1.1 404 Not Found\r\na: b\r\ncontent-length: 2\r\n\r\nno")
    expect(message.startLine).toBe("HTTP/1.1 404 Not Found")
    expect(message.head).toBe("HTTP/1.1 404 Not Found\r\na: b\r\ncontent-length: 2")
    expect(statusOf(message)).toBe(404)
    expect(isUpgrade(message)).toBe(false)
  })

  test("that asks for another protocol is told apart, in whatever case", () => {
    expect(isUpgrade(only("GET /socket HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"))).toBe(true)
    expect(isUpgrade(only("GET /socket HTTP/1.1\r\nx-upgrade: websocket\r\n\r\n"))).toBe(false)
  })

  test("with a chunk without a size is no message, and no reason to wait for ever", () => {
    const broken = Buffer.from("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n")
    expect(() => new Framer().push(broken)).toThrow("a chunk without a size")
  })

  test("with a length that is no number is no message, and no reason to turn in circles", () => {
    for (const length of ["the-key", "-5"]) {
      const broken = Buffer.from(`GET / HTTP/1.1\r\ncontent-length: ${length}\r\n\r\n`)
      expect(() => new Framer().push(broken)).toThrow("a length that is no number")
    }
  })
})
