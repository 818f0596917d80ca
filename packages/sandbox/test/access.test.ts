/** Who may speak to a served sandbox: programs and pages of this machine, and whoever it is told; no page of another site. */
import * as Http from "node:http"
import type { Socket } from "node:net"
import { describe, expect } from "@effect/vitest"
import { served } from "@quartet/support/clients.js"
import { live } from "@quartet/support/effect.js"
import * as Effect from "effect/Effect"
import { accounts } from "../index.js"
import * as SandboxServer from "../server/index.js"

/** What came back: an answer, or status 101 where the connection was upgraded. */
interface Heard {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  readonly text: string
}

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** A request with every header as it is given; a browser or `fetch` would not let one set `Host`. */
const send = (port: number, { body, headers = {}, method = "GET", path = "/project/self" }: Sent) =>
  Effect.async<Heard>((resume) => {
    const request = Http.request({ host: "127.0.0.1", port, method, path, headers, agent: false })
    request.on("response", async (response) => {
      const text = (await response.setEncoding("utf8").toArray()).join("")
      resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on("upgrade", (response, socket: Socket) => {
      socket.destroy()
      resume(Effect.succeed({ status: 101, headers: response.headers, text: "" }))
    })
    request.on("error", (error) => resume(Effect.die(error)))
    request.end(body)
  })

const key = { "x-api-key": accounts.apiKey }
const body = '{"type":"QUIZ_RESULT"}'
const chat = "/api_private/v1/chat/?EIO=4&transport="
const write = { method: "POST", path: "/v1/box", body }
const socket = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="
}

/** Everything that a page can send. */
const ways: Readonly<Record<string, Sent>> = {
  "a read": { headers: key },
  "a page of the fallback": { path: "/index.html" },
  "a simple write": { ...write, headers: { "content-type": "text/plain" } },
  "a write": { ...write, headers: { ...key, "content-type": "application/json" } },
  "a preflight": { method: "OPTIONS", path: "/v1/box", headers: { "access-control-request-method": "POST" } },
  "the chat's polling": { path: `${chat}polling` },
  "the chat's WebSocket": { path: `${chat}websocket`, headers: socket }
}

interface Answered extends Heard {
  readonly way: string
  readonly value: string
  readonly isAllowed: boolean
}

/** What everything hears that a page can send, with each of these values of a header. */
const everyWay = (port: number, header: "host" | "origin", values: ReadonlyArray<string>) =>
  Effect.forEach(
    values.flatMap((value) => Object.entries(ways).map((way) => [value, ...way] as const)),
    ([value, way, sent]) =>
      Effect.map(
        send(port, { ...sent, headers: { ...sent.headers, [header]: value } }),
        (heard): Answered => ({
          ...heard,
          way,
          value,
          isAllowed: heard.status !== 403
        })
      )
  )

const refusedOf = (all: ReadonlyArray<Answered>) => all.filter(({ isAllowed }) => !isAllowed)
const wayOf = ({ value, way }: Answered): string => `${value}: ${way}`

/** The statuses of reads with these headers. */
const statuses = (port: number, all: ReadonlyArray<Record<string, string>>) =>
  Effect.forEach(all, (headers) =>
    Effect.map(send(port, { headers: { ...key, ...headers } }), ({ status }) => status)
  )

const hosts = (...names: ReadonlyArray<string>) => names.map((host) => ({ host }))

const loopback = ["localhost", "LOCALHOST:8080", "app.localhost", "localhost.:1", "127.0.0.1", "[::1]:4400"]
const foreignHosts = ["evil.test", "evil.test:80", "localhost.evil.test", "127.0.0.1.evil.test", "10.0.0.7"]
const foreignOrigins = [
  ...["https://evil.test", "http://localhost.evil.test", "http://evil.test:4400"],
  ...["null", "file://", "chrome-extension://abcdefgh", "http://"]
]
const ownOrigins = ["http://localhost:5173", "https://app.localhost", "http://127.0.0.1", "http://[::1]:3000"]

describe("a served sandbox", () => {
  served.each([
    ["host", foreignHosts, "--allow-host", "allowedHosts"],
    ["origin", foreignOrigins, "--allow-origin", "allowedOrigins"]
  ] as const)(
    "does nothing that is asked with a foreign %s, and says what would allow it",
    function* ([header, values, option, field], { control, port }) {
      const heard = yield* everyWay(port, header, values)
      expect(refusedOf(heard).map(wayOf)).toEqual(heard.map(wayOf))
      for (const { headers, text, value } of heard) {
        expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([])
        const named = header === "host" ? value.split(":")[0] : value
        expect(text).toContain(`${option} ${named}, in code with ${field}`)
      }
      expect(control.log()).toEqual([])
    }
  )

  served("answers to every name of loopback, whatever the port", function* ({ port }) {
    expect(refusedOf(yield* everyWay(port, "host", loopback)).map(wayOf)).toEqual([])
  })

  served("refuses what names no host, or is none", function* ({ port }) {
    const none = hosts(" ", "localhost/x", "x@localhost", "localhost:80:80", "[localhost]")
    expect(yield* statuses(port, none)).toEqual(none.map(() => 403))
  })

  served.with({ allowedHosts: ["sandbox.test"] })("answers to the hosts it is told", function* ({ port }) {
    const all = hosts("sandbox.test", "Sandbox.Test:80", "other.test")
    expect(yield* statuses(port, all)).toEqual([200, 200, 403])
    const own = { host: "sandbox.test:81", origin: "http://sandbox.test:81" }
    expect(yield* statuses(port, [own])).toEqual([200])
  })

  served.with({ allowedHosts: ["Bücher.test"], allowedOrigins: ["https://bücher.test"] })(
    "knows a name and an origin that are not ASCII by their punycode",
    function* ({ port }) {
      const headers = { host: "xn--bcher-kva.test", origin: "https://xn--bcher-kva.test" }
      expect(yield* statuses(port, [headers])).toEqual([200])
    }
  )

  served("refuses an empty origin, and says no more than that", function* ({ port }) {
    const heard = yield* send(port, { headers: { origin: "" } })
    expect(heard.status).toBe(403)
    expect(heard.text).toContain("the request's header origin is empty")
    expect(heard.text).not.toContain("--allow-origin")
  })

  served.with({ host: "0.0.0.0" })("on all addresses answers to each, and to no name", function* ({ port }) {
    const all = hosts("192.168.1.5:4400", "[fe80::1]", "0.0.0.0", "evil.test")
    expect(yield* statuses(port, all)).toEqual([200, 200, 200, 403])
  })

  served("answers pages of this machine on any port, and lets them read it", function* ({ port, url }) {
    const heard = yield* everyWay(port, "origin", [url, ...ownOrigins])
    expect(refusedOf(heard).map(wayOf)).toEqual([])
    for (const { headers, status, value } of heard)
      if (status !== 101) expect(headers["access-control-allow-origin"]).toBe(value)
  })

  served.with({ allowedOrigins: ["https://App.test:443/", "null"] })(
    "answers pages of the origins that it is told, and of all where it is told so",
    function* (sandbox) {
      const open = yield* SandboxServer.serve({ port: 0, allowedOrigins: ["*"] })
      const strangers = ["https://app.test:8443", "http://app.test"]
      const all = ["https://app.test", "null", ...strangers]
      const heard = yield* everyWay(sandbox.port, "origin", all)
      expect(refusedOf(heard)).toEqual(heard.filter(({ value }) => strangers.includes(value)))
      expect(refusedOf(yield* everyWay(open.port, "origin", all)).map(wayOf)).toEqual([])
    }
  )

  served.with({ allowedOrigins: ["https://app.test"] })(
    "refuses what a browser says that another site asked for, though it names no origin",
    function* ({ port }) {
      const image = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" }
      const link = { ...image, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" }
      const refused = [image, { ...image, referer: "https://evil.test/page" }]
      const allowed = [
        { ...image, referer: "http://localhost:5173/page" },
        { ...image, referer: "https://app.test/page" },
        { ...image, "sec-fetch-site": "same-origin" },
        link
      ]
      expect(yield* statuses(port, [...refused, ...allowed])).toEqual([403, 403, 200, 200, 200, 200])
    }
  )

  const refusals: Array<string> = []
  served.with({ onRefused: (message) => refusals.push(message) })(
    "tells its owner what was refused, and what would allow it",
    function* ({ port }) {
      yield* send(port, { headers: { origin: "https://app.test" } })
      yield* send(port, { path: `${chat}websocket`, headers: { ...socket, host: "evil.test" } })
      expect(refusals).toEqual([
        'the sandbox does not answer pages of the origin "https://app.test". Allow them with --allow-origin https://app.test, in code with allowedOrigins',
        'the sandbox does not answer to the host "evil.test". Allow it with --allow-host evil.test, in code with allowedHosts'
      ])
    }
  )

  const noHost = "must be a host's name or address, without scheme and port, or * alone"
  const noOrigin = "must be an origin such as https://app.test, null or * alone"
  live.each([
    ...["http://b.test", "*.test", "a.test,b.test", "", "a test", "ü.test:80"].map(
      (host) => [{ allowedHosts: ["a.test", host] }, "allowedHosts.1", noHost] as const
    ),
    ...["app.test", "https://app.test/page", "https://*.app.test", "chrome-extension://*", "*.test"].map(
      (origin) => [{ allowedOrigins: [origin] }, "allowedOrigins.0", noOrigin] as const
    )
  ])("does not start with %j", ([options, field, rule]) =>
    Effect.map(Effect.flip(SandboxServer.serve({ port: 0, ...options })), (error) =>
      expect(error).toMatchObject({ _tag: "InputError", field, rule })
    )
  )
})
