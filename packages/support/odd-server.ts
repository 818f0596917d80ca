// A real HTTP server on loopback that misbehaves on demand: the path says how.
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http"
import { createServer as createNetServer, type Socket } from "node:net"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import * as Zlib from "node:zlib"
import { listen, nobody } from "./servers.js"

/** What the server has seen of one request. */
export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

export type OddServer = Awaited<ReturnType<typeof makeOddServer>>

export const text = JSON.stringify({
  text: "ünïcödé 🎉 \u2028",
  list: Array.from({ length: 200 }, (_, n) => n)
})

const pack: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: Zlib.gzipSync,
  "x-gzip": Zlib.gzipSync,
  deflate: Zlib.deflateSync,
  br: Zlib.brotliCompressSync
}

/** The text in some codings, one after the other; what is no coding changes nothing. */
export const packed = (encoding: string, content = text): Buffer =>
  encoding
    .toLowerCase()
    .split(", ")
    .reduce<Buffer>((bytes, name) => pack[name]?.(bytes) ?? bytes, Buffer.from(content))

const mebibyte = 1024 * 1024
const compressors = {
  gzip: () => Zlib.createGzip(),
  deflate: () => Zlib.createDeflate(),
  br: () => Zlib.createBrotliCompress({ params: { [Zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })
}
type Encoding = keyof typeof compressors

/** 256 MiB of nothing, compressed piece by piece, so that making it weighs as little as it does; each made once. */
const bombs = new Map<string, Promise<Buffer>>()
const bomb = (encoding: string): Promise<Buffer> => {
  const zeros = Array<Buffer>(256).fill(Buffer.alloc(mebibyte))
  const bytes = bombs.get(encoding) ?? buffer(Readable.from(zeros).pipe(compressors[encoding as Encoding]()))
  bombs.set(encoding, bytes)
  return bytes
}

export const makeOddServer = async () => {
  /** Requests whose body has come in, and those that came in where a redirect leads. */
  const seen: Array<Seen> = []
  const strays: Array<string> = []
  /** The sockets of requests that are answered late, in part or never. */
  const unanswered: Array<Socket> = []
  /** Each lets one answer of `/drip` go on after its first line. */
  const dripping: Array<() => void> = []
  let flooded = 0

  const elsewhere = await listen(
    createServer((request, response) => {
      strays.push(request.url ?? "")
      response.end("caught")
    })
  )

  const flood = (response: ServerResponse): void => {
    const chunk = Buffer.alloc(64 * 1024, "x")
    const pour = (): void => {
      while (flooded < 512 * mebibyte) {
        flooded += chunk.byteLength
        if (!response.write(chunk)) {
          response.once("drain", pour)
          return
        }
      }
      response.end()
    }
    pour()
  }

  /** More than comes. */
  const promised = { "content-length": "1000" }
  const odd: Readonly<
    Record<string, (request: IncomingMessage, response: ServerResponse, rest: string) => void>
  > = {
    echo: (_request, response) => {
      const last = seen.at(-1)
      response.end(JSON.stringify({ ...last, body: last?.body.toString("base64") }))
    },
    status: (_request, response, rest) => {
      response.writeHead(Number(rest), { "content-type": "application/json" }).end('{"message":"as asked"}')
    },
    headers: (_request, response) => {
      response.writeHead(200, [
        ...["X-Request-Id", "r-1", "Retry-After", "3"],
        ...["X-Twice", "one", "x-twice", "two", "constructor", "own"]
      ])
      response.end("{}")
    },
    cookies: (_request, response) => {
      response.writeHead(200, [
        ...["Set-Cookie", "sid=s%2F1; Path=/; Expires=Wed, 01 Jan 2098 00:00:00 GMT"],
        ...["Set-Cookie", "csrf=c1; Secure; HttpOnly"]
      ])
      response.end("{}")
    },
    hints: (_request, response) => {
      response.writeEarlyHints({ link: "</style.css>; rel=preload" }, () => response.end("{}"))
    },
    empty: (_request, response, rest) => {
      response.writeHead(204, rest === "" ? {} : { "content-encoding": rest }).end()
    },
    redirect: (_request, response, rest) => {
      response.writeHead(Number(rest), { location: `${elsewhere.url}/stray` }).end("moved")
    },
    hang: (request) => {
      unanswered.push(request.socket)
    },
    stall: (request, response) => {
      unanswered.push(request.socket)
      response.writeHead(200, promised).write("{")
    },
    reset: (request) => {
      request.socket.resetAndDestroy()
    },
    drop: (request) => {
      request.socket.destroy()
    },
    "reset-in-body": ({ socket }, response, rest) => {
      response
        .writeHead(Number(rest || 200), promised)
        .write("{", () => setTimeout(() => socket.resetAndDestroy(), 20))
    },
    "cut-chunks": ({ socket }, response) => {
      response.write('{"a":1', () => setTimeout(() => socket.destroy(), 20))
    },
    short: ({ socket }, response) => {
      response.writeHead(200, promised).write("{", () => setTimeout(() => socket.end(), 20))
    },
    forced: (_request, response, rest) => {
      const body = packed(rest)
      response.writeHead(200, { "content-encoding": rest, "content-length": body.byteLength }).end(body)
    },
    offered: (request, response, rest) => {
      if (!String(request.headers["accept-encoding"]).includes(rest)) response.end(text)
      else response.writeHead(200, { "content-encoding": rest }).end(packed(rest))
    },
    "raw-deflate": (_request, response) => {
      response.writeHead(200, { "content-encoding": "deflate" }).end(Zlib.deflateRawSync(text))
    },
    tiny: (_request, response, rest) => {
      response.writeHead(200, { "content-encoding": rest }).end(packed(rest, "{}"))
    },
    nothing: (_request, response, rest) => {
      response.writeHead(200, { "content-encoding": rest }).end()
    },
    unknown: (_request, response, rest) => {
      response.writeHead(401, { "content-encoding": rest }).end(packed(rest))
    },
    corrupt: (_request, response, rest) => {
      response.writeHead(Number(rest), { "content-encoding": "gzip" }).end(packed("gzip").fill(7, 12, 40))
    },
    /** What no answer of this status may have. */
    surplus: ({ socket }, _response, rest) => {
      socket.end(`HTTP/1.1 ${rest} Odd\r\ncontent-length: 2\r\n\r\n{}`)
    },
    truncated: (_request, response, rest) => {
      const body = packed(rest)
      response.writeHead(200, { "content-encoding": rest }).end(body.subarray(0, body.byteLength - 20))
    },
    bomb: (_request, response, rest) => {
      void bomb(rest).then((body) => response.writeHead(200, { "content-encoding": rest }).end(body))
    },
    large: (request, response, rest) => {
      unanswered.push(request.socket)
      response.writeHead(200, { "content-length": rest })
      response.end(Buffer.alloc(Number(rest), "x"))
    },
    chunks: (request, response, rest) => {
      unanswered.push(request.socket)
      for (let left = Number(rest); left > 0; left -= 1000)
        response.write(Buffer.alloc(Math.min(left, 1000), "x"))
      response.end()
    },
    /** An error whose body has a stated length, none, or is a bomb. */
    "wordy-error": (request, response, rest) => {
      unanswered.push(request.socket)
      const [headers, words] = [{ "x-request-id": "r-1", "retry-after": "3" }, Buffer.alloc(3_000_000, "x")]
      const say = (more: OutgoingHttpHeaders, body: Buffer): void =>
        void response.writeHead(503, { ...headers, ...more }).end(body)
      if (rest === "stated") say({ "content-length": words.byteLength }, words)
      else if (rest === "unstated") {
        response.writeHead(503, headers)
        for (let at = 0; at < words.byteLength; at += 1_000) response.write(words.subarray(at, at + 1_000))
        response.end()
      } else void bomb(rest).then((body) => say({ "content-encoding": rest }, body))
    },
    drip: (_request, response) => {
      response.setHeader("content-type", "text/csv")
      response.write("a,b\n")
      dripping.push(() => response.end("1,2\nü,🎉\n"))
    },
    flood: (request, response) => {
      unanswered.push(request.socket)
      flood(response)
    }
  }

  const main = await listen(
    createServer((request, response) => {
      const pieces: Array<Buffer> = []
      request.on("data", (piece: Buffer) => pieces.push(piece))
      request.on("end", () => {
        const { headers, method = "", url = "" } = request
        seen.push({ method, url, headers, body: Buffer.concat(pieces) })
        const [, name = "", rest = ""] = decodeURIComponent(url.replace(/\?.*/, "")).split("/")
        const answer = odd[name]
        if (answer === undefined) response.writeHead(404).end("no such oddity")
        else answer(request, response, rest)
      })
      // A request or an answer that is cut off is what this server is for.
      request.on("error", () => undefined)
      response.on("error", () => undefined)
    })
  )

  const gibberish = await listen(
    createNetServer((socket) => {
      socket.once("data", () => socket.end("SMTP ready when you are\r\n\r\n"))
    })
  )

  return {
    origin: main.url,
    /** An origin where nothing listens, another where a redirect leads, and one whose bytes are no HTTP. */
    ...{ nowhere: await nobody(), elsewhere: elsewhere.url, gibberish: gibberish.url },
    ...{ seen, strays, unanswered, dripping },
    /** Bytes of `/flood` that were handed to the network. */
    flooded: () => flooded,
    close: () => Promise.all([main, elsewhere, gibberish].map(({ close }) => close()))
  }
}
