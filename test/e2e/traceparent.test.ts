// Where `traceparent` goes from a page, in a real browser: to the page's own origin, and to no other unless it is asked for.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { claims, jwt } from "@quartet/support/jwt.js"
import { listen } from "@quartet/support/servers.js"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { openPage, path } from "./program.js"
import { patience } from "./stage.js"

const probe = `
  import * as Telemetry from ${path("adapters/telemetry/index.ts")}
  import * as FetchTransport from ${path("adapters/fetch/index.ts")}
  import * as XhrTransport from ${path("adapters/xhr/index.ts")}
  import { createAdminClient, createEndUserClient } from ${path("clients/promise/index.ts")}
  const span = {
    spanContext: () => ({ traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 }),
    setAttribute() {}, addEvent() {}, setStatus() {}, end() {}
  }
  const file = new File(["abc"], "a.txt")
  const calls = {
    own: (config) => createAdminClient(config).requests.get({ id: "r1" }),
    legacy: (config) => createAdminClient(config).contentModels.list(),
    upload: (config) => createEndUserClient(config).files.upload({ file }, { onUpload: () => undefined })
  }
  globalThis.make = (name, config) => {
    const transport = XhrTransport.make(FetchTransport.make())
    const middleware = [{ effect: Telemetry.spans({ startSpan: () => span }) }]
    const policy = { attempts: 1 }
    return calls[name]({ ...config, policy, transport, middleware }).then(() => "done", ({ _tag }) => _tag)
  }
`

const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`

/** What arrived at a server besides preflights. */
type Seen = Array<{ readonly url: string; readonly traceparent: unknown; readonly session: unknown }>

const serve = (seen: Seen, handle: (request: IncomingMessage, response: ServerResponse) => void) =>
  listen(
    createServer((request, response) => {
      const { headers, method, url = "" } = request
      if (method !== "OPTIONS")
        seen.push({ url, traceparent: headers.traceparent, session: headers["x-session-id"] })
      request.resume()
      handle(request, response)
    })
  )

describe("from a page, traceparent", () => {
  let browser: Browser
  let page: Page
  let own: Awaited<ReturnType<typeof serve>>
  let foreign: Awaited<ReturnType<typeof serve>>
  const there: { readonly own: Seen; readonly foreign: Seen } = { own: [], foreign: [] }

  beforeAll(async () => {
    // Another origin, which allows the client's headers and no other, as a platform does that was not made for traces.
    foreign = await serve(there.foreign, (_, response) => {
      response.setHeader("access-control-allow-origin", "*")
      response.setHeader("access-control-allow-methods", "*")
      response.setHeader("access-control-allow-headers", "authorization, x-session-id, x-api-key, accept")
      response.setHeader("content-type", "application/json")
      response.end(JSON.stringify({ _id: "a", items: [] }))
    })
    own = await serve(there.own, ({ method }, response) => {
      if (method === "POST") return response.writeHead(307, { location: `${foreign.url}/taken` }).end()
      return response.setHeader("content-type", "application/json").end(JSON.stringify({ _id: "a" }))
    })
    ;({ browser, page } = await openPage(probe, own.url))
  }, patience)
  afterAll(async () => {
    await browser?.close()
    await own?.close()
    await foreign?.close()
  })
  beforeEach(() => {
    there.own.length = 0
    there.foreign.length = 0
  })

  const callWith = (name: string, options: object = {}): Promise<unknown> => {
    const config = {
      baseUrl: own.url,
      legacyUrl: foreign.url,
      projectId: "p1",
      apiKey: "k1",
      sessionId: "s1",
      accessToken: jwt(claims),
      ...options
    }
    return page.evaluate(`make(${JSON.stringify(name)}, ${JSON.stringify(config)})`)
  }

  test("goes to the page's own origin", async () => {
    expect(await callWith("own")).toBe("done")
    expect(there.own).toMatchObject([{ traceparent, session: "s1" }])
  })

  test("does not go to the legacy address on another origin, which answers", async () => {
    expect(await callWith("legacy")).toBe("done")
    expect(there.foreign).toMatchObject([{ traceparent: undefined, session: "s1" }])
  })

  test("goes there where it is asked for, and the browser refuses it where that origin does not allow it", async () => {
    expect(await callWith("legacy", { traceparent: true })).toBe("NetworkError")
    expect(there.foreign).toEqual([])
  })

  test("does not follow a redirect of an upload with progress, as the credentials do", async () => {
    expect(await callWith("upload")).toBe("OutcomeUnknown")
    expect(there.own).toMatchObject([{ traceparent: undefined }])
    expect(there.foreign).toMatchObject([{ url: "/taken", traceparent: undefined, session: "s1" }])
  })
})
