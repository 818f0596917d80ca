/** Whatever carries a credential of a platform, and whatever it is called there, no sink shows its value. */
import { createServer } from "node:http"
import { inspect } from "node:util"
import { logs, spans } from "@quartet/sdk/adapters/telemetry"
import * as Platform from "@quartet/sdk/platform"
import {
  createAdminClient,
  createEndUserClient,
  createPrivateClient,
  createPublicClient
} from "@quartet/sdk/promise"
import { jwt } from "@quartet/support/jwt.js"
import { listen } from "@quartet/support/servers.js"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import * as FetchTransport from "../../adapters/fetch/index.js"
import * as Tap from "../../adapters/tap/index.js"

const secret = {
  accessToken: jwt({ sub: "ada", p: { "*": { "*": 9 } } }),
  session: "canary-of-the-session",
  apiKey: "canary-of-the-api-key",
  privateKey: "canary-of-the-private-key"
}

type Kind = keyof typeof secret

/** Names that tell of no secret by themselves. */
const carriers: Readonly<Record<string, (name: string) => Platform.Carrier>> = {
  "a header": (name) => ({ header: `x-${name}` }),
  "a header with a scheme": (name) => ({ header: `x-${name}`, scheme: "Thing" }),
  "the query": (name) => ({ query: name }),
  "a cookie": (name) => ({ cookie: name })
}

const names: Readonly<Record<Kind, string>> = {
  accessToken: "aa",
  session: "bb",
  apiKey: "cc",
  privateKey: "dd"
}

/** Answers each request with all that it has heard: as an error's words, its code, its field and its id. */
const echo = async () => {
  const heard: Array<string> = []
  const server = createServer((request, response) => {
    const all = `${request.url} ${JSON.stringify(request.headers)}`
    heard.push(decodeURIComponent(all))
    response.writeHead(400, { "content-type": "application/json", "x-request-id": all.slice(0, 2_000) })
    response.end(JSON.stringify({ message: all, code: all, field: all, data: { [all]: all } }))
  })
  const { close, url } = await listen(server)
  onTestFinished(close)
  return { heard, url }
}

/** All that the sinks of a client show of one call that fails. */
const shownBy = async (credentials: Platform.Credentials, call: (options: object) => Promise<unknown>) => {
  const shown: Array<unknown> = []
  const exchanges: Array<Tap.Exchange> = []
  const written = (["log", "info", "warn", "error"] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...words) => void shown.push(...words))
  )
  onTestFinished(() => {
    for (const spy of written) spy.mockRestore()
  })
  const span = {
    spanContext: () => ({ traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 }),
    setAttribute: (...attribute: ReadonlyArray<unknown>) => shown.push(attribute),
    addEvent: (...event: ReadonlyArray<unknown>) => shown.push(event),
    setStatus: (status: unknown) => shown.push(status),
    end: () => undefined
  }
  const startSpan = (...options: ReadonlyArray<unknown>) => {
    shown.push(options)
    return span
  }
  const error: unknown = await call({
    platform: Platform.make({ credentials }),
    policy: { attempts: 1 },
    transport: Tap.make(FetchTransport.make(), (exchange) => void exchanges.push(exchange)),
    middleware: [{ effect: logs() }, { effect: spans({ startSpan }) }]
  }).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ _tag: "Rejected" })
  expect(exchanges.length).toBeGreaterThan(0)
  const texts = [error, ...shown].flatMap((one) => [
    String(one),
    inspect(one, { depth: 20, showHidden: true }),
    JSON.stringify(one)
  ])
  return [...texts, JSON.stringify(exchanges), Tap.har(exchanges)].join("\n")
}

const clients: Readonly<
  Record<string, { kinds: ReadonlyArray<Kind>; call: (options: object) => Promise<unknown> }>
> = {
  admin: {
    kinds: ["accessToken", "session"],
    call: (options) => {
      const { accessToken, session: sessionId } = secret
      return createAdminClient({
        baseUrl: "",
        projectId: "p1",
        accessToken,
        sessionId,
        ...options
      }).users.get({
        id: "u1"
      })
    }
  },
  "end user": {
    kinds: ["session", "apiKey"],
    call: (options) => {
      const { apiKey, session: sessionId } = secret
      return createEndUserClient({ baseUrl: "", apiKey, sessionId, ...options }).orders.get({ id: "o1" })
    }
  },
  public: {
    kinds: ["apiKey"],
    call: (options) =>
      createPublicClient({ baseUrl: "", apiKey: secret.apiKey, ...options }).items.get({ id: "i1" })
  },
  private: {
    kinds: ["privateKey"],
    call: (options) =>
      createPrivateClient({ baseUrl: "", privateKey: secret.privateKey, ...options }).items.list()
  }
}

describe.each(Object.entries(carriers))("a credential in %s", (_, carrier) => {
  test.each(Object.entries(clients))(
    "of the %s client is sent and shown nowhere",
    async (_name, { call, kinds }) => {
      const { heard, url } = await echo()
      const credentials = Object.fromEntries(kinds.map((kind) => [kind, carrier(names[kind])]))
      const shown = await shownBy(credentials, (options) => call({ ...options, baseUrl: url }))
      for (const kind of kinds) {
        expect(heard.at(-1)).toContain(secret[kind])
        expect(shown).not.toContain(secret[kind])
        expect(shown).not.toContain(encodeURIComponent(secret[kind]))
      }
    }
  )
})
