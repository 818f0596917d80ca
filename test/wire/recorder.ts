/** A plain HTTP server that keeps every request as it came and answers what it is told. It knows nothing of the SDK. */
import { createServer, type IncomingMessage } from "node:http"
import { listen as listening } from "../support/servers.js"

/** One request, byte for byte. */
export interface Received {
  readonly method: string
  /** Path and query as they stood in the request line. */
  readonly target: string
  /** Names in lower case; every header stands here once for each time that it was sent. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Buffer
}

export interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string | Uint8Array
}

export interface Recorder {
  readonly url: string
  /** The requests since it was asked last. */
  readonly take: () => ReadonlyArray<Received>
  /** Says how requests are answered from now on. */
  readonly answer: (reply: (received: Received) => Reply) => void
  readonly close: () => Promise<void>
}

export const json = (value: unknown, status = 200): Reply => ({
  status,
  type: "application/json",
  body: JSON.stringify(value)
})

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const headersOf = ({ rawHeaders }: IncomingMessage): Received["headers"] =>
  rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), rawHeaders[index + 1] ?? ""] as const] : []
  )

/** Starts a recorder on a free port of the loopback. */
export const listen = async (): Promise<Recorder> => {
  let requests: Array<Received> = []
  let reply: (received: Received) => Reply = () => json(null)
  const { close, url } = await listening(
    createServer(async (request, response) => {
      const received: Received = {
        method: request.method ?? "",
        target: request.url ?? "",
        headers: headersOf(request),
        body: await bodyOf(request)
      }
      requests.push(received)
      const { body, status, type } = reply(received)
      response.writeHead(status, { "content-type": type }).end(body)
    })
  )
  return {
    url,
    take: () => {
      const taken = requests
      requests = []
      return taken
    },
    answer: (next) => {
      reply = next
    },
    close
  }
}

/** The values of a header, in the order in which they were sent. */
export const valuesOf = (received: Received, name: string): ReadonlyArray<string> =>
  received.headers.filter(([header]) => header === name).map(([, value]) => value)
