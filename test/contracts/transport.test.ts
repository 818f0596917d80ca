// What every Transport must do: the laws of the port, which also one in the same process keeps; and, over a wire, what it
// sends, what it makes of the answers, of failures and of streams, against a server of odd answers.
import { createServer } from "node:http"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Sandbox from "@quartet/sandbox"
import { aWhile, eventually } from "@quartet/support/eventually.js"
import { makeOddServer, type OddServer, packed, text } from "@quartet/support/odd-server.js"
import { listen } from "@quartet/support/servers.js"
import { exchange, type Opened, open, plainRequest } from "@quartet/support/transports.js"
import * as Layer from "effect/Layer"
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import * as FetchTransport from "../../adapters/fetch/index.js"
import * as PlatformTransport from "../../adapters/platform/index.js"
import * as DefaultTransport from "../../adapters/transport/index.js"
import * as UndiciTransport from "../../adapters/undici/index.js"
import type { Outcome, Request, Service, Transport } from "../../core/ports/transport.js"

const utf8 = new TextDecoder()

/** What an outcome holds that has to be of one kind. */
const only =
  <T extends Outcome["_tag"]>(tag: T) =>
  (outcome: Outcome): Extract<Outcome, { readonly _tag: T }> =>
    // The tag says which of the outcomes it is.
    outcome._tag === tag
      ? (outcome as Extract<Outcome, { readonly _tag: T }>)
      : expect.unreachable(outcome._tag)
const answered = only("Answered")
const streaming = only("Streaming")
const tooLarge = only("TooLarge")

/** Builds a transport for the tests of one block. */
const using = (layer: Layer.Layer<Transport>): (() => Service) => {
  let opened: Opened | undefined
  beforeAll(async () => {
    opened = await open({ layer })
    return opened.close
  })
  return () => opened?.transport ?? expect.unreachable("the transport is not built yet")
}

/** A Transport and the server at the other end of its wire. */
interface Wire {
  readonly server: () => OddServer
  readonly transport: () => Service
  readonly request: (path: string, more?: Partial<Request>) => Request
  readonly get: (path: string, more?: Partial<Request>) => Promise<Outcome>
}

// The laws of the port, which every Transport keeps, also one in the same process.

/** Requests whose answers are known. */
interface Subject {
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  /** A path whose answer is 2xx, longer than 10 bytes, and has a `content-type`. */
  readonly existing: string
  /** A path whose answer is 404. */
  readonly missing: string
}

/** The laws of the port. */
const transportLaws = (name: string, layer: Layer.Layer<Transport>, subject: () => Subject): void => {
  describe(`the Transport ${name} keeps the laws of the port:`, () => {
    const transport = using(layer)
    const request = (more: Partial<Request> = {}): Request => {
      const { existing, headers, origin } = subject()
      return { ...plainRequest, origin, headers, path: existing, ...more }
    }
    const get = (more: Partial<Request> = {}) => exchange(transport(), request(more))

    test("an answer has a status, headers by lower-case name, and its body", async () => {
      const outcome = answered(await get())
      expect(outcome.status).toBeGreaterThanOrEqual(200)
      expect(outcome.status).toBeLessThan(300)
      expect(outcome.header("content-type")).toContain("json")
      expect(outcome.body.byteLength).toBeGreaterThan(10)
    })

    test("a header that is not there is undefined, whatever an object's prototype has", async () => {
      const outcome = answered(await get())
      for (const missing of ["x-nothing", "tostring", "constructor", "__proto__"])
        expect(outcome.header(missing)).toBeUndefined()
    })

    test("an error status is an answer", async () => {
      expect(await get({ path: subject().missing })).toMatchObject({ _tag: "Answered", status: 404 })
    })

    test("an answer of just as many bytes as it may have is answered, one byte more is TooLarge", async () => {
      const outcome = answered(await get())
      const maxBytes = outcome.body.byteLength
      expect(await get({ maxBytes })).toMatchObject({ _tag: "Answered" })
      expect(tooLarge(await get({ maxBytes: maxBytes - 1 })).status).toBe(outcome.status)
    })

    test("an error of more bytes than it may have keeps its status and its headers", async () => {
      const outcome = tooLarge(await get({ path: subject().missing, maxBytes: 1 }))
      expect(outcome.status).toBe(404)
      expect(outcome.header("content-type")).toContain("json")
    })

    test("an answer that is asked for as a stream holds the same bytes, unbounded", async () => {
      const whole = answered(await get())
      const streamed = streaming(await get({ answer: "stream", maxBytes: 1 }))
      expect(streamed.status).toBe(whole.status)
      expect(await new Response(streamed.body).text()).toBe(utf8.decode(whole.body))
    })

    test("an error status is answered whole, also where a stream was asked for", async () => {
      const outcome = await get({ answer: "stream", path: subject().missing })
      expect(outcome).toMatchObject({ _tag: "Answered", status: 404 })
    })

    test("what is abandoned never settles", async () => {
      const settled: Array<Outcome> = []
      const abandon = transport().start(request(), (outcome) => settled.push(outcome))
      abandon()
      abandon()
      await aWhile()
      expect(settled).toEqual([])
    })

    test("what settles does so later, and once, and can be abandoned then to no effect", async () => {
      const settled: Array<Outcome> = []
      const abandon = transport().start(request(), (outcome) => settled.push(outcome))
      expect(settled).toEqual([])
      await eventually(() => expect(settled).toHaveLength(1))
      abandon()
      await aWhile(20)
      expect(settled).toHaveLength(1)
    })

    test("many exchanges at once each get their own answer", async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 60 }, (_, n) => get(n % 2 === 0 ? {} : { path: subject().missing }))
      )
      expect(outcomes.map((outcome) => "status" in outcome && outcome.status === 404)).toEqual(
        outcomes.map((_, n) => n % 2 === 1)
      )
    })
  })
}

// What a Transport puts on a wire: method, path, headers, bodies and forms, just as the request says.

const transportRequests = ({ get, server }: Wire): void => {
  /** What the server saw of a request. */
  const echoed = async (more: Partial<Request>, path = "/echo") => {
    const outcome = answered(await get(path, more))
    const { body, ...rest } = JSON.parse(utf8.decode(outcome.body))
    return { ...rest, body: Buffer.from(body, "base64") }
  }

  test.each(["GET", "POST", "PUT", "DELETE"] as const)(
    "sends %s, with nothing where there is no body",
    async (method) => {
      const seen = await echoed({ method })
      expect([seen.method, seen.body.byteLength]).toEqual([method, 0])
    }
  )

  test.each([
    ["POST", `${text}\u0000\\"`],
    ["PUT", `${text}\u0000\\"`],
    ["POST", JSON.stringify("ü".repeat(2_000_000))]
  ] as const)(
    "sends the body of %s byte by byte, with its type and its length, case %#",
    async (method, text) => {
      const body = { _tag: "Json", text } as const
      const seen = await echoed({ method, body, headers: { "content-type": "application/json" } })
      expect(seen.body.equals(Buffer.from(text))).toBe(true)
      expect(seen.headers["content-type"]).toBe("application/json")
      expect(seen.headers["content-length"]).toBe(String(Buffer.byteLength(text)))
    }
  )

  test("sends path and query as they are", async () => {
    const path = "/echo/a%2Fb/%25/%F0%9F%8E%89/x?q=a%20b&list=1,2&empty=&%D0%B0=%2B"
    expect((await echoed({}, path)).url).toBe(path)
  })

  test("sends its headers, and no credentials of its own", async () => {
    const headers = { authorization: "Bearer t", "x-api-key": "k", "x-session-id": "s" }
    const seen = await echoed({ headers })
    expect(seen.headers).toMatchObject(headers)
    expect(seen.headers).not.toHaveProperty("cookie")
    expect(seen.headers).not.toHaveProperty("traceparent")
  })

  test("sends a cookie that stands among its headers, whether or not it is to send the browser's", async () => {
    for (const credentials of [undefined, "include"] as const) {
      const seen = await echoed({ headers: { cookie: "sid=s1; csrf=c%2F1" }, credentials })
      expect(seen.headers.cookie).toBe("sid=s1; csrf=c%2F1")
    }
  })

  test("keeps no cookie that an answer sets", async () => {
    await get("/cookies", { credentials: "include" })
    expect((await echoed({ credentials: "include" })).headers).not.toHaveProperty("cookie")
  })

  const writes: Readonly<Record<string, Partial<Request>>> = {
    "a POST with a body": { method: "POST", body: { _tag: "Json", text: '{"a":1}' } },
    "a POST without one": { method: "POST" },
    "a PUT": { method: "PUT", body: { _tag: "Json", text: '{"a":1}' } },
    "a DELETE": { method: "DELETE" },
    "an upload": {
      method: "POST",
      body: { _tag: "Form", parts: [{ name: "file", file: new Blob(["abc"]), fileName: "a.txt" }] }
    }
  }
  for (const [name, more] of Object.entries(writes)) {
    test(`sends ${name} once, also where 408 or 421 invite to send it again`, async () => {
      for (const status of [408, 421]) {
        const before = server().seen.length
        expect(await get(`/status/${status}`, more)).toMatchObject({ _tag: "Answered", status })
        await aWhile(20)
        expect(server().seen).toHaveLength(before + 1)
      }
    })

    test(`sends ${name} once where a kept connection turns out to be closed`, async () => {
      // The first answer leaves a connection, the second request is lost on it.
      await get("/status/200")
      const before = server().seen.length
      expect(await get("/drop", more)).toMatchObject({ _tag: "Failed", sent: true })
      await aWhile(20)
      expect(server().seen).toHaveLength(before + 1)
    })
  }

  const names = [
    "plain.txt",
    'quo"te.txt',
    "semi;colon=.txt",
    "per%22cent.txt",
    "имя файла 🎉.txt",
    "line\r\nx-evil: yes.txt",
    "\r\n\r\n<script>.txt"
  ]
  test("sends forms with fields and files, whatever their names", async () => {
    const parts = [
      { name: "title", text: "ünïcödé 🎉\r\n--boundary" },
      { name: 'od"d\r\nname', text: "1" },
      ...names.map((fileName, n) => ({
        name: "file",
        file: new Blob([`content ${n}\u0000\r\n`], { type: n % 2 === 0 ? "text/plain" : "" }),
        fileName
      }))
    ]
    const seen = await echoed({ method: "POST", body: { _tag: "Form", parts } })
    expect(seen.headers["content-length"]).toBe(String(seen.body.byteLength))
    const type = seen.headers["content-type"] ?? ""
    expect(type).toMatch(/^multipart\/form-data; boundary=/)
    const raw: string = seen.body.toString("utf8")
    for (const line of raw.split("\r\n")) expect(line.startsWith("x-evil")).toBe(false)
    const form = await new Response(seen.body, { headers: { "content-type": type } }).formData()
    expect(form.get("title")).toBe("ünïcödé 🎉\r\n--boundary")
    expect(form.get('od"d\r\nname')).toBe("1")
    const files = form.getAll("file").filter((file) => file instanceof File)
    expect(files.map(({ name }) => name)).toEqual(names.map((name) => name.replace("per%22cent", 'per"cent')))
    for (const [n, file] of files.entries()) expect(await file.text()).toBe(`content ${n}\u0000\r\n`)
  })
}

// What a Transport makes of the answers on a wire: of their status and headers, of redirects, compression and size.

/** What an adapter does beyond what all do. */
interface Abilities {
  /** Content encodings that it undoes even where it did not offer them. */
  readonly forced: ReadonlyArray<string>
  /** Whether it notices that compressed bytes are cut short. Where it does not, the kernel finds JSON that is cut. */
  readonly noticesCuts: boolean
}

const transportAnswers = ({ get, server }: Wire, abilities: Abilities): void => {
  test("hands over the headers of an answer, those that stand twice joined", async () => {
    const outcome = answered(await get("/headers"))
    const names = ["x-request-id", "retry-after", "x-twice", "constructor"]
    expect(names.map(outcome.header)).toEqual(["r-1", "3", "one, two", "own"])
  })

  test("hands over each cookie that an answer sets, on a line of its own", async () => {
    const cookies = answered(await get("/cookies"))
      .header("set-cookie")
      ?.split("\n")
    expect(cookies).toEqual([
      expect.stringMatching(/^sid=s%2F1; .*Expires=Wed, 01 Jan 2098/),
      expect.stringMatching(/^csrf=c1; /)
    ])
    expect(answered(await get("/headers")).header("set-cookie")).toBeUndefined()
  })

  const statuses = [200, 201, 400, 401, 403, 404, 409, 422, 429, 500, 503]
  test.each(statuses)("answers status %i with its body", async (status) => {
    const outcome = answered(await get(`/status/${status}`))
    expect([outcome.status, utf8.decode(outcome.body)]).toEqual([status, '{"message":"as asked"}'])
  })

  test("answers 407 by its status, and not as an exchange that failed", async () => {
    for (const method of ["GET", "POST"] as const)
      expect(await get("/status/407", { method })).toMatchObject({ _tag: "Answered", status: 407 })
  })

  test.each(["/empty", "/empty/gzip"])("answers 204 with an empty body (%s)", async (path) => {
    const outcome = answered(await get(path))
    expect([outcome.status, outcome.body.byteLength]).toEqual([204, 0])
  })

  test.each([204, 205, 304])("answers %i as empty, whatever comes after its headers", async (status) => {
    const outcome = answered(await get(`/surplus/${status}`))
    expect([outcome.status, outcome.body.byteLength]).toEqual([status, 0])
  })

  const broken = ["/corrupt/", "/reset-in-body/"]
  test.each(broken)("fails where the body of a success cannot be read (%s)", async (path) => {
    expect(await get(`${path}200`)).toMatchObject({ _tag: "Failed", sent: true })
  })

  test.each(broken)("answers with the status of an error whose body cannot be read (%s)", async (path) => {
    for (const status of [401, 404, 503]) {
      const outcome = answered(await get(path + status, { method: "POST" }))
      expect([outcome.status, outcome.body.byteLength]).toEqual([status, 0])
    }
  })

  const unknown = ["utf-8", "none", "identity", "compress", "identity, gzip", "gzip, none", "constructor"]
  test.each(unknown)(
    "hands over as it is what is in an encoding that it does not know (%s)",
    async (name) => {
      for (const [path, status] of [["forced", 200] as const, ["unknown", 401] as const]) {
        const outcome = answered(await get(`/${path}/${encodeURIComponent(name)}`))
        expect(outcome.status).toBe(status)
        expect(packed(name).equals(outcome.body)).toBe(true)
      }
    }
  )

  test.each(["gzip", "br"])("answers an empty body that is said to be %s", async (encoding) => {
    expect(answered(await get(`/nothing/${encoding}`)).body.byteLength).toBe(0)
    const streamed = streaming(await get(`/nothing/${encoding}`, { answer: "stream" }))
    expect(await new Response(streamed.body).text()).toBe("")
  })

  test("holds little of a compressed stream that its reader leaves waiting", async () => {
    const memory = () => process.memoryUsage().arrayBuffers
    await get("/bomb/gzip", { maxBytes: 1 })
    const before = memory()
    const reader = streaming(await get("/bomb/gzip", { answer: "stream" })).body.getReader()
    expect((await reader.read()).done).toBe(false)
    await aWhile(300)
    expect(memory() - before).toBeLessThan(64 * 1024 * 1024)
    await reader.cancel()
  })

  if (abilities.forced.includes("br")) {
    const odd = ["x-gzip", "GZIP", "gzip, br", "br, deflate, gzip"].map((name) => `/forced/${name}`)
    test.each([...odd, "/raw-deflate"])("undoes %s", async (path) => {
      expect(utf8.decode(answered(await get(encodeURI(path))).body)).toBe(text)
      const streamed = streaming(await get(encodeURI(path), { answer: "stream" }))
      expect(await new Response(streamed.body).text()).toBe(text)
    })

    test("takes the bound for decoded bytes, however many were sent", async () => {
      expect(answered(await get("/tiny/gzip", { maxBytes: 2 })).body.byteLength).toBe(2)
      expect(tooLarge(await get("/tiny/gzip", { maxBytes: 1 })).status).toBe(200)
    })
  }

  test("passes over a provisional answer", async () => {
    expect(await get("/hints")).toMatchObject({ _tag: "Answered", status: 200 })
    const streamed = streaming(await get("/hints", { answer: "stream" }))
    expect(streamed.status).toBe(200)
    expect(await new Response(streamed.body).text()).toBe("{}")
  })

  for (const status of [301, 302, 303, 307, 308]) {
    test(`does not follow a redirect (${status}): nothing gets there`, async () => {
      const headers = { authorization: "Bearer canary", "content-type": "application/json" }
      const body = { _tag: "Json", text: '"canary"' } as const
      for (const method of ["GET", "POST"] as const) {
        const request = { method, headers, body: method === "POST" ? body : undefined }
        expect(answered(await get(`/redirect/${status}`, request)).status).toBe(status)
      }
      await aWhile(20)
      expect(server().strays).toEqual([])
    })
  }

  for (const encoding of ["gzip", "deflate", "br"]) {
    test(`undoes ${encoding} where it offered it`, async () => {
      const outcome = answered(await get(`/offered/${encoding}`))
      expect(utf8.decode(outcome.body)).toBe(text)
    })

    if (!abilities.forced.includes(encoding)) continue

    test(`undoes ${encoding} where the server takes it upon itself`, async () => {
      const outcome = answered(await get(`/forced/${encoding}`, { maxBytes: Number.MAX_SAFE_INTEGER }))
      expect(utf8.decode(outcome.body)).toBe(text)
    })

    test(`never hands over all of a body where ${encoding} is cut short`, async () => {
      const outcome = await get(`/truncated/${encoding}`)
      if (abilities.noticesCuts) expect(outcome).toMatchObject({ _tag: "Failed", sent: true })
      else if (outcome._tag === "Answered") expect(outcome.body.byteLength).toBeLessThan(text.length)
      else expect(outcome).toMatchObject({ _tag: "Failed", sent: true })
    })

    test(`does not let a bomb of ${encoding} grow beyond the bound`, async () => {
      // The first one is made while it is asked for.
      await get(`/bomb/${encoding}`, { maxBytes: 100_000 })
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      expect(tooLarge(await get(`/bomb/${encoding}`, { maxBytes: 100_000 })).status).toBe(200)
      const now = process.memoryUsage()
      expect(now.heapUsed + now.arrayBuffers - heapUsed - arrayBuffers).toBeLessThan(128 * 1024 * 1024)
    })
  }

  for (const said of ["stated", "unstated", ...abilities.forced]) {
    for (const answer of ["bytes", "stream"] as const) {
      test(`keeps the status and the headers of an error beyond the bound (${said}, asked for as ${answer}), and lets go`, async () => {
        const outcome = tooLarge(await get(`/wordy-error/${said}`, { answer, maxBytes: 5_000 }))
        const names = ["x-request-id", "retry-after", "x-nothing"]
        expect([outcome.status, ...names.map(outcome.header)]).toEqual([503, "r-1", "3", undefined])
        await aWhile(20)
        // What was let go is not in the way of the next exchange.
        expect(await get("/status/200", { maxBytes: 5_000 })).toMatchObject({ _tag: "Answered" })
        if (said.endsWith("stated"))
          await eventually(() => expect(server().unanswered.at(-1)?.destroyed).toBe(true))
      })
    }
  }

  for (const oddity of ["large", "chunks"]) {
    test(`is TooLarge beyond the bound, whether the length is stated or not (${oddity}), and lets go`, async () => {
      const before = server().unanswered.length
      expect(await get(`/${oddity}/5000`, { maxBytes: 5_000 })).toMatchObject({ _tag: "Answered" })
      expect(tooLarge(await get(`/${oddity}/3000000`, { maxBytes: 5_000 })).status).toBe(200)
      await eventually(() => expect(server().unanswered.at(-1)?.destroyed).toBe(true))
      expect(server().unanswered).toHaveLength(before + 2)
    })
  }
}

// What a Transport says of an exchange that fails on the wire, and that it lets go of one that is abandoned.

const transportFailures = ({ get, request, server, transport }: Wire): void => {
  test.each<readonly [string, () => string, string, boolean]>([
    ["nothing was sent where nobody listens", () => server().nowhere, "Refused", false],
    ["nothing was sent where the host has no address", () => "http://nowhere.invalid", "Unresolved", false],
    ["it was sent where the answer is not HTTP", () => server().gibberish, "Protocol", true]
  ])("says that %s", async (_, origin, reason, sent) => {
    const outcome = await get("/", { origin: origin(), method: "POST" })
    expect(outcome).toMatchObject({ _tag: "Failed", reason, sent })
  })

  const breaks = ["reset", "drop", "reset-in-body", "cut-chunks", "short"]
  test.each(breaks)("says that it was sent where the connection breaks (%s)", async (oddity) => {
    const outcome = await get(`/${oddity}`, { method: "POST" })
    expect(outcome).toMatchObject({ _tag: "Failed", reason: "Reset", sent: true })
  })

  test("fails, and does not throw, where a header cannot be sent", async () => {
    const before = server().seen.length
    expect(await get("/echo", { headers: { "x-bad": "a\r\nb: c" } })).toMatchObject({ _tag: "Failed" })
    await aWhile(20)
    expect(server().seen).toHaveLength(before)
  })

  for (const oddity of ["hang", "stall"]) {
    test(`lets go of the connection when it is abandoned (${oddity})`, async () => {
      const before = server().unanswered.length
      const settled: Array<Outcome> = []
      const abandon = transport().start(request(`/${oddity}`), (outcome) => settled.push(outcome))
      await eventually(() => expect(server().unanswered).toHaveLength(before + 1))
      await aWhile(20)
      abandon()
      await eventually(() => expect(server().unanswered[before]?.destroyed).toBe(true))
      await aWhile(50)
      expect(settled).toEqual([])
    })
  }
}

// How a Transport hands over an answer as a stream: as it comes, no faster than it is taken, and broken where it breaks.

const transportStreams = ({ get, server }: Wire): void => {
  test("hands a stream over as it comes", async () => {
    const outcome = streaming(await get("/drip", { answer: "stream" }))
    expect(outcome.header("content-type")).toBe("text/csv")
    const reader = outcome.body.getReader()
    const first = await reader.read()
    expect(utf8.decode(first.value)).toBe("a,b\n")
    server().dripping.pop()?.()
    let rest = ""
    for (let next = await reader.read(); !next.done; next = await reader.read())
      rest += utf8.decode(next.value)
    expect(rest).toBe("1,2\nü,🎉\n")
  })

  test("hands over an empty stream", async () => {
    const outcome = streaming(await get("/empty", { answer: "stream" }))
    expect(await new Response(outcome.body).text()).toBe("")
  })

  test("reads a stream no faster than it is taken, and lets go when it is cancelled", async () => {
    const outcome = streaming(await get("/flood", { answer: "stream" }))
    const reader = outcome.body.getReader()
    await reader.read()
    await aWhile(300)
    const poured = server().flooded()
    await aWhile(200)
    expect(server().flooded()).toBe(poured)
    expect(poured).toBeLessThan(64 * 1024 * 1024)
    await reader.cancel()
    await eventually(() => expect(server().unanswered.at(-1)?.destroyed).toBe(true))
  })

  test.each(["reset-in-body", "cut-chunks"])(
    "fails a stream whose connection breaks (%s)",
    async (oddity) => {
      const outcome = streaming(await get(`/${oddity}`, { answer: "stream" }))
      await expect(new Response(outcome.body).text()).rejects.toThrow()
    }
  )
}

const encodings = ["gzip", "deflate", "br"]
/** Node's fetch takes compressed bytes that are cut short for whole. */
const fetches = { forced: encodings, noticesCuts: false }
/** These hand over what a server compressed as it is, and the web platform undoes no brotli. */
const bare = { forced: ["gzip", "deflate"], noticesCuts: true }

const cases = [
  ["over fetch", FetchTransport.layer, fetches],
  ["over undici", UndiciTransport.layer, { forced: encodings, noticesCuts: true }],
  ["by default", DefaultTransport.layer, { forced: encodings, noticesCuts: true }],
  ["over an HttpClient of fetch", Layer.provide(PlatformTransport.layer, FetchHttpClient.layer), fetches],
  ["over an HttpClient of undici", Layer.provide(PlatformTransport.layer, NodeHttpClient.layerUndici), bare],
  ["over an HttpClient of node:http", Layer.provide(PlatformTransport.layer, NodeHttpClient.layer), bare]
] as const

describe.each(cases)("%s", (name, layer, abilities) => {
  let server: OddServer
  beforeAll(async () => {
    server = await makeOddServer()
    return server.close
  })
  transportLaws(name, layer, () => ({
    origin: server.origin,
    headers: {},
    existing: "/status/200",
    missing: "/status/404"
  }))

  describe(`the Transport ${name} on the wire`, () => {
    const transport = using(layer)
    const request = (path: string, more: Partial<Request> = {}): Request => ({
      ...plainRequest,
      origin: server.origin,
      path,
      ...more
    })
    const get = (path: string, more: Partial<Request> = {}) => exchange(transport(), request(path, more))
    const wire: Wire = { server: () => server, transport, request, get }
    transportRequests(wire)
    transportAnswers(wire, abilities)
    transportFailures(wire)
    transportStreams(wire)
  })
})

describe.each(cases.filter(([, , abilities]) => abilities === fetches))("%s", (_, layer) => {
  const transport = using(layer)

  test("fetch is asked for neither cookies nor redirects", async () => {
    const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("{}"))
    answered(await exchange(transport(), plainRequest))
    expect(spy.mock.calls).toEqual([
      [expect.anything(), expect.objectContaining({ credentials: "omit", redirect: "manual" })]
    ])
    spy.mockRestore()
  })

  test("fetch sends and keeps the browser's cookies where a request asks for that", async () => {
    const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("{}"))
    answered(await exchange(transport(), { ...plainRequest, credentials: "include" }))
    expect(spy.mock.calls).toEqual([[expect.anything(), expect.objectContaining({ credentials: "include" })]])
    spy.mockRestore()
  })
})

/** What ends one request: the controller that this fetch gets from a module that is loaded anew. */
const controllerOf = async (choose: (native: typeof fetch) => typeof fetch = (native) => native) => {
  vi.resetModules()
  const { makeController, native } = await import("../../adapters/fetch/node.js")
  return makeController(choose(native ?? expect.unreachable("this is not Node")))
}

/** Whether it has a whole AbortSignal, which any number may listen to. */
const isWhole = (controller: Pick<AbortController, "abort" | "signal">): boolean => {
  const heard = new Set<number>()
  for (const each of [1, 2]) controller.signal.addEventListener("abort", () => heard.add(each))
  controller.abort()
  return heard.size === 2
}

describe("a request over fetch is ended by", () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  test("less than an AbortSignal over Node's own, which follows it", async () => {
    expect(isWhole(await controllerOf())).toBe(false)
  })

  test("an AbortSignal over any other", async () => {
    expect(
      isWhole(
        await controllerOf(
          (native) =>
            (...args) =>
              native(...args)
        )
      )
    ).toBe(true)
  })

  test.each([
    ["ignores", () => new AbortController()],
    ["refuses", () => expect.unreachable("not an AbortSignal")]
  ])("an AbortSignal over a version of Node's own that %s anything else", async (_, Request) => {
    vi.stubGlobal("Request", Request)
    expect(isWhole(await controllerOf())).toBe(true)
  })
})

test.each([
  [{ "content-length": "12" }, 12],
  [{ "content-length": "12", "content-encoding": "gzip" }, undefined],
  [{ "content-length": "12", "transfer-encoding": "chunked" }, undefined],
  [{}, undefined]
])("over Node's fetch, a body with the headers %o has a length of %o", async (headers, length) => {
  const { lengthOf, native } = await import("../../adapters/fetch/node.js")
  const response = new Response(null, { headers })
  expect(lengthOf(native ?? expect.unreachable("this is not Node"), response)).toBe(length)
  expect(lengthOf(async () => response, response)).toBeUndefined()
})

test("over Node's fetch, bodies read up to their length leave the connection to the next request", async () => {
  const sockets = new Set<unknown>()
  const server = await listen(
    createServer((request, response) => {
      sockets.add(request.socket)
      response.setHeader("content-length", 300_000).end("a".repeat(300_000))
    })
  )
  const { start } = FetchTransport.make()
  for (let count = 0; count < 20; count++) {
    const { body } = answered(await exchange({ start }, { ...plainRequest, origin: server.url, path: "/" }))
    expect(body).toHaveLength(300_000)
  }
  expect(sockets.size).toBeLessThan(4)
  await server.close()
})

transportLaws("of the sandbox in this process", Layer.orDie(Sandbox.layer()), () => ({
  origin: "http://sandbox.test",
  headers: { "x-api-key": Sandbox.accounts.apiKey },
  existing: "/project/self",
  missing: "/no/such/route"
}))
