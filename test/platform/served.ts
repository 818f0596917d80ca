/** Servers that a test of a platform plays, and an admin of each. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import * as Platform from "@quartet/sdk/platform"
import { createAdminClient } from "@quartet/sdk/promise"
import { jwt } from "@quartet/support/jwt.js"
import { listen } from "@quartet/support/servers.js"
import { expect, onTestFinished } from "vitest"
import * as FetchTransport from "../../adapters/fetch/index.js"
import * as Tap from "../../adapters/tap/index.js"

/** What a server heard of one request. */
interface Heard {
  readonly method: string
  readonly target: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
  /** Ends the connection without an answer. */
  readonly hangUp: () => void
}

type Answer = (
  heard: Heard,
  json: (value: unknown, status?: number, headers?: object) => void,
  response: ServerResponse
) => void

/** A server that a test plays: what it heard, and where it is. */
export const serve = async (answer: Answer) => {
  const heard: Array<Heard> = []
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const one: Heard = {
      method: request.method ?? "",
      target: request.url ?? "",
      headers: request.headers,
      body: await text(request),
      hangUp: () => void request.socket.destroy()
    }
    heard.push(one)
    const json = (value: unknown, status = 200, headers: object = {}): void => {
      response.writeHead(status, { "content-type": "application/json", ...headers })
      response.end(value === undefined ? "" : JSON.stringify(value))
    }
    answer(one, json, response)
  })
  const { close, url } = await listen(server)
  onTestFinished(close)
  return { heard, url, host: new URL(url).host }
}

export const account = { projectId: "p1", email: "ada@example.com", password: "a good password" }

/** An admin of a server whose value is said, with what a tap saw. */
export const adminOf = (url: string, definition: Platform.Definition, more: object = {}) => {
  const exchanges: Array<Tap.Exchange> = []
  const admin = createAdminClient({
    baseUrl: url,
    ...account,
    platform: Platform.make(definition),
    transport: Tap.make(FetchTransport.make(), (exchange) => void exchanges.push(exchange)),
    permissions: "off",
    logDrift: false,
    ...more
  })
  onTestFinished(() => admin.close())
  return { admin, exchanges }
}

export const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable("it succeeds"),
    (error: unknown) => error
  )

export const token = (name: string): string => jwt({ sub: name, name, p: { "*": { "*": 9 } } })
