/** Who may speak to a served sandbox: programs and pages of this machine, and whoever it is told; no page of another site. */
import * as Http from "node:http"
import type { Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { accounts } from "../../adapters/sandbox/index.js"
import * as SandboxServer from "../../adapters/sandbox/server/index.js"
import { served } from "./clients.js"

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
    request.on("response", (response) => {
      let text = ""
      response.on("data", (piece) => {
        text += String(piece)
      })
      response.on("end", () =>
        resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, text }))
      )
    })
    request.on("upgrade", (response, socket: Socket) => {
      socket.destroy()
      resume(Effect.succeed({ status: 101, headers: response.headers, text: "" }))
    })
    request.on("error", (error) => resume(Effect.die(error)))
    request.end(body)
  })

const key = { "x-api-key": accounts.apiKey }
const chat = "/api_private/v1/chat/?EIO=4&transport="
const upgrade = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="
}

/** Everything that a page can send, with the headers of one that comes from elsewhere. */
const everyWay = (headers: Record<string, string>): ReadonlyArray<readonly [string, Sent]> => [
  ["a read", { headers: { ...key, ...headers } }],
  ["a page of the fallback", { path: "/index.html", headers }],
  [
    "a simple write",
    {
      method: "POST",
      path: "/v1/box",
      headers: { ...headers, "content-type": "text/plain" },
      body: '{"type":"QUIZ_RESULT"}'
    }
  ],
  [
    "a write",
    {
      method: "POST",
      path: "/v1/box",
      headers: { ...key, ...headers, "content-type": "application/json" },
      body: '{"type":"QUIZ_RESULT"}'
    }
  ],
  [
    "a preflight",
    { method: "OPTIONS", path: "/v1/box", headers: { ...headers, "access-control-request-method": "POST" } }
  ],
  ["the chat's polling", { path: `${chat}polling`, headers }],
  ["the chat's WebSocket", { path: `${chat}websocket`, headers: { ...headers, ...upgrade } }]
]

const isAllowed = ({ status }: Heard): boolean => status !== 403

describe("a served sandbox", () => {
  served(
    "answers to no host but loopback's: a name that leads to this machine is not enough",
    function* ({ control, port }) {
      for (const host of [
        "evil.test",
        `evil.test:${port}`,
        "localhost.evil.test",
        "127.0.0.1.evil.test",
        "10.0.0.7"
      ]) {
        for (const [way, sent] of everyWay({ host })) {
          const heard = yield* send(port, sent)
          expect([way, heard.status]).toEqual([way, 403])
          expect(heard.headers).not.toHaveProperty("access-control-allow-origin")
          expect(heard.text).toContain(`--allow-host ${host.split(":")[0]}, in code with allowedHosts`)
        }
      }
      expect(control.log()).toEqual([])
    }
  )

  served("answers to every name of loopback, whatever the port", function* ({ port }) {
    for (const host of [
      "localhost",
      "LOCALHOST:8080",
      "app.localhost",
      "localhost.:1",
      "127.0.0.1",
      "[::1]:4400"
    ]) {
      for (const [way, sent] of everyWay({ host })) {
        expect([way, host, isAllowed(yield* send(port, sent))]).toEqual([way, host, true])
      }
    }
  })

  served("refuses what names no host, or what is none", function* ({ port }) {
    for (const host of [" ", "localhost/x", "x@localhost", "localhost:80:80", "[localhost]"]) {
      expect([host, isAllowed(yield* send(port, { headers: { ...key, host } }))]).toEqual([host, false])
    }
  })

  served(
    "answers to the hosts that it is told",
    function* ({ port }) {
      const statuses = yield* Effect.forEach(["sandbox.test", "Sandbox.Test:80", "other.test"], (host) =>
        Effect.map(send(port, { headers: { ...key, host } }), ({ status }) => status)
      )
      expect(statuses).toEqual([200, 200, 403])
      const own = { ...key, host: "sandbox.test:81", origin: "http://sandbox.test:81" }
      expect((yield* send(port, { headers: own })).status).toBe(200)
    },
    { allowedHosts: ["sandbox.test"] }
  )

  served(
    "knows a name and an origin that are not ASCII by their punycode",
    function* ({ port }) {
      const headers = { host: "xn--bcher-kva.test", origin: "https://xn--bcher-kva.test" }
      expect(isAllowed(yield* send(port, { headers }))).toBe(true)
    },
    { allowedHosts: ["Bücher.test"], allowedOrigins: ["https://bücher.test"] }
  )

  served("refuses an empty origin, without advice that leads nowhere", function* ({ port }) {
    const heard = yield* send(port, { headers: { origin: "" } })
    expect(isAllowed(heard)).toBe(false)
    expect(heard.text).toContain("the request's header origin is empty")
    expect(heard.text).not.toContain("--allow-origin")
  })

  served(
    "that listens on all addresses answers to each of them, and to no name",
    function* ({ port }) {
      const statuses = yield* Effect.forEach(
        ["192.168.1.5:4400", "[fe80::1]", "0.0.0.0", "evil.test"],
        (host) => Effect.map(send(port, { headers: { ...key, host } }), ({ status }) => status)
      )
      expect(statuses).toEqual([200, 200, 200, 403])
    },
    { host: "0.0.0.0" }
  )

  served(
    "answers no page of another origin, and does nothing of what it asks",
    function* ({ control, port }) {
      for (const origin of [
        "https://evil.test",
        "http://localhost.evil.test",
        "http://evil.test:4400",
        "null",
        "file://",
        "chrome-extension://abcdefgh",
        "http://"
      ]) {
        for (const [way, sent] of everyWay({ origin })) {
          const heard = yield* send(port, sent)
          expect([way, heard.status]).toEqual([way, 403])
          expect(Object.keys(heard.headers).filter((name) => name.startsWith("access-control"))).toEqual([])
          expect(heard.text).toContain(`--allow-origin ${origin}, in code with allowedOrigins`)
        }
      }
      expect(control.log()).toEqual([])
    }
  )

  served(
    "answers pages of this machine, whatever their port, with what lets them read the answer",
    function* ({ port, url }) {
      for (const origin of [
        url,
        "http://localhost:5173",
        "https://app.localhost",
        "http://127.0.0.1",
        "http://[::1]:3000"
      ]) {
        for (const [way, sent] of everyWay({ origin })) {
          const heard = yield* send(port, sent)
          expect([way, origin, isAllowed(heard)]).toEqual([way, origin, true])
          if (heard.status !== 101) expect(heard.headers["access-control-allow-origin"]).toBe(origin)
        }
      }
    }
  )

  served(
    "answers pages of the origins that it is told, and of all where it is told so",
    function* (told) {
      const open = yield* SandboxServer.serve({ port: 0, allowedOrigins: ["*"] })
      for (const [origin, expected] of [
        ["https://app.test", true],
        ["null", true],
        ["https://app.test:8443", false],
        ["http://app.test", false]
      ] as const) {
        for (const [way, sent] of everyWay({ origin })) {
          expect([way, origin, isAllowed(yield* send(told.port, sent))]).toEqual([way, origin, expected])
          expect([way, origin, isAllowed(yield* send(open.port, sent))]).toEqual([way, origin, true])
        }
      }
    },
    { allowedOrigins: ["https://App.test:443/", "null"] }
  )

  served(
    "refuses what a browser says that another site asked for, though it names no origin",
    function* ({ port }) {
      const asked = (headers: Record<string, string>) =>
        Effect.map(send(port, { headers: { ...key, ...headers } }), isAllowed)
      const image = {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "no-cors",
        "sec-fetch-dest": "image"
      }
      const visit = {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document"
      }
      expect(yield* asked(image)).toBe(false)
      expect(yield* asked({ ...image, referer: "https://evil.test/page" })).toBe(false)
      expect(yield* asked({ ...image, referer: "http://localhost:5173/page" })).toBe(true)
      expect(yield* asked({ ...image, referer: "https://app.test/page" })).toBe(true)
      expect(yield* asked({ ...image, "sec-fetch-site": "same-origin" })).toBe(true)
      expect(yield* asked(visit), "a link that the visitor followed").toBe(true)
    },
    { allowedOrigins: ["https://app.test"] }
  )

  const told: Array<string> = []
  served(
    "tells its owner what was refused, and what would allow it",
    function* ({ port }) {
      yield* send(port, { headers: { origin: "https://app.test" } })
      yield* send(port, { path: `${chat}websocket`, headers: { ...upgrade, host: "evil.test" } })
      expect(told).toEqual([
        'the sandbox does not answer pages of the origin "https://app.test". Allow them with --allow-origin https://app.test, in code with allowedOrigins',
        'the sandbox does not answer to the host "evil.test". Allow it with --allow-host evil.test, in code with allowedHosts'
      ])
    },
    { onRefused: (message) => told.push(message) }
  )

  it.scopedLive("does not start with a host or an origin that is none", () =>
    Effect.gen(function* () {
      const failure = (options: SandboxServer.ServeOptions) =>
        Effect.flip(SandboxServer.serve({ port: 0, ...options }))
      expect(yield* failure({ allowedHosts: ["a.test", "http://b.test"] })).toMatchObject({
        _tag: "InputError",
        field: "allowedHosts.1",
        rule: "must be a host's name or address, without scheme and port, or * alone"
      })
      expect(yield* failure({ allowedOrigins: ["app.test"] })).toMatchObject({
        _tag: "InputError",
        field: "allowedOrigins.0",
        rule: "must be an origin such as https://app.test, null or * alone"
      })
      expect((yield* failure({ allowedOrigins: ["https://app.test/page"] }))._tag).toBe("InputError")
      for (const host of ["*.test", "a.test,b.test", "", "a test", "ü.test:80"])
        expect(yield* failure({ allowedHosts: [host] }), host).toMatchObject({ field: "allowedHosts.0" })
      for (const origin of ["https://*.app.test", "chrome-extension://*", "*.test"])
        expect(yield* failure({ allowedOrigins: [origin] }), origin).toMatchObject({
          field: "allowedOrigins.0"
        })
    })
  )
})
