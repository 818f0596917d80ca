// Messages come out whole, wherever the network cuts them.
import { describe, expect, test } from "vitest"
import { Framer, isUpgrade, type Message, statusOf } from "./framing.js"

const messages = [
  ["GET /plain HTTP/1.1", "host: a", "", ""],
  ["POST /body HTTP/1.1", "Content-Length: 18", "", "a\r\n\r\nGET / HTTP/1."],
  [
    "POST /chunks HTTP/1.1",
    "transfer-encoding: chunked",
    "",
    "5\r\n12345\r\nA;x=y\r\n0\r\n\r\n56789\r\n0\r\n\r\n"
  ],
  ["HTTP/1.1 204 No Content", "server: b", "", ""],
  ["HTTP/1.1 304 Not Modified", "content-length: 900", "", ""],
  ["HTTP/1.1 200 OK", "content-length:0", "", ""],
  ["HTTP/1.1 200 OK", "Transfer-Encoding: gzip, Chunked", "", "0", "", ""],
  ["HTTP/1.1 500 x", "content-length: 4", "", "\u00ff\u0000\r\n"]
].map((lines) => lines.join("\r\n"))
const stream = Buffer.from(messages.join(""), "latin1")

const push = (framer: Framer, text: string): ReadonlyArray<Message> =>
  framer.push(Buffer.from(text, "latin1"))
const only = (text: string): Message => push(new Framer(), text)[0] ?? expect.unreachable("no message")

/** The messages of the stream, cut at every so many bytes. */
const framed = (size: number): ReadonlyArray<string> => {
  const framer = new Framer()
  const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, at) =>
    stream.subarray(at * size, (at + 1) * size)
  )
  return pieces.flatMap((piece) => framer.push(piece).map(({ bytes }) => bytes.toString("latin1")))
}

test("a stream comes out message by message, in pieces of every size", () => {
  for (let size = 1; size <= stream.length; size++)
    expect(framed(size), `pieces of ${size}`).toEqual(messages)
})

describe("a message", () => {
  test("is not given out before its last byte is there, for every message and every place", () => {
    for (const message of messages)
      for (let at = 0; at < message.length; at++) expect(push(new Framer(), message.slice(0, at))).toEqual([])
  })

  test("that is not whole can be taken as it came, once", () => {
    const framer = new Framer()
    push(framer, "GET /whole HTTP/1.1\r\n\r\nGET /half HT")
    expect([framer.take(), framer.take()].map(String)).toEqual(["GET /half HT", ""])
  })

  test("has its start line, its head, and an answer its status", () => {
    const message = only("HTTP/1.1 404 Not Found\r\na: b\r\ncontent-length: 2\r\n\r\nno")
    expect(message.startLine).toBe("HTTP/1.1 404 Not Found")
    expect(message.head).toBe("HTTP/1.1 404 Not Found\r\na: b\r\ncontent-length: 2")
    expect([statusOf(message), isUpgrade(message)]).toEqual([404, false])
  })

  test("that asks for another protocol is told apart, in whatever case", () => {
    expect(isUpgrade(only("GET /socket HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"))).toBe(true)
    expect(isUpgrade(only("GET /socket HTTP/1.1\r\nx-upgrade: websocket\r\n\r\n"))).toBe(false)
  })

  test.each([
    ["transfer-encoding: chunked\r\n\r\nzz\r\n", "a chunk without a size"],
    ["content-length: the-key\r\n\r\n", "a length that is no number"],
    ["content-length: -5\r\n\r\n", "a length that is no number"]
  ])("with %j is no message, and no reason to wait for ever", (rest, says) => {
    expect(() => push(new Framer(), `HTTP/1.1 200 OK\r\n${rest}`)).toThrow(says)
  })
})
