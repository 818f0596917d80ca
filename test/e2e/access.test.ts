/** What pages in a browser reach of a served sandbox: those of this machine all of it, those of another site nothing. */
import * as Http from "node:http"
import { describe, expect } from "@effect/vitest"
import { accounts } from "@quartet/sandbox"
import { served } from "@quartet/support/clients.js"
import { listen } from "@quartet/support/servers.js"
import * as Effect from "effect/Effect"
import type { Page } from "playwright-core"
import { connect } from "./browser.js"
import { patience } from "./stage.js"

/** What a page hears of all that it may try at an address: the status or text of an answer, or that there was none. */
const tryAll = (page: Page, target: string): Promise<Record<string, string>> =>
  page.evaluate(
    async ([at, apiKey]) => {
      const statusOf = (init: RequestInit, path: string) =>
        fetch(at + path, init).then(
          async (response) => (response.type === "opaque" ? "opaque" : `${response.status}`),
          () => "nothing"
        )
      const type = { "content-type": "text/plain" }
      const headers = { "x-api-key": apiKey, "content-type": "application/json" }
      const body = '{"type":"QUIZ_RESULT"}'
      return {
        read: await statusOf({ headers: { "x-api-key": apiKey } }, "/project/self"),
        write: await statusOf({ method: "POST", headers, body }, "/v1/box"),
        simple: await statusOf({ method: "POST", headers: type, body }, "/v1/box"),
        blind: await statusOf({ method: "POST", mode: "no-cors", headers: type, body }, "/v1/box"),
        image: await statusOf({ mode: "no-cors" }, "/v1/box"),
        polling: await statusOf({}, "/api_private/v1/chat/?EIO=4&transport=polling"),
        socket: await new Promise<string>((done) => {
          const socket = new WebSocket(
            `${at.replace("http", "ws")}/api_private/v1/chat/?EIO=4&transport=websocket`
          )
          socket.onmessage = () => done("heard")
          socket.onerror = () => done("nothing")
        })
      }
    },
    [target, accounts.apiKey] as const
  )

/** An empty page at every path of a port of this machine. */
const site = Effect.acquireRelease(
  Effect.promise(() =>
    listen(
      Http.createServer((_, response) => {
        response.setHeader("content-type", "text/html").end("<!doctype html><title>a page</title>")
      })
    )
  ),
  ({ close }) => Effect.promise(close)
)

/** A page of a browser that a hostile name server leads to this machine by the name of a foreign site. */
const misled = Effect.acquireRelease(Effect.promise(connect), (browser) =>
  Effect.promise(() => browser.close())
).pipe(Effect.flatMap((browser) => Effect.promise(() => browser.newPage())))

describe("pages in Chromium", { timeout: 4 * patience }, () => {
  served("of a foreign site reach nothing, by any name", function* ({ control, port, url }) {
    const { port: sitePort } = yield* site
    const foreign = yield* misled
    yield* Effect.promise(() => foreign.goto(`http://evil.test:${sitePort}/`))
    const heard = yield* Effect.promise(() => tryAll(foreign, url))
    expect(heard).toEqual({
      read: "nothing",
      write: "nothing",
      simple: "nothing",
      blind: "opaque",
      image: "opaque",
      polling: "nothing",
      socket: "nothing"
    })
    const rebound = yield* Effect.promise(() => foreign.goto(`http://evil.test:${port}/project/self`))
    expect(rebound?.status()).toBe(403)
    const own = yield* Effect.promise(() => tryAll(foreign, `http://evil.test:${port}`))
    expect(new Set(Object.values(own))).toEqual(new Set(["403", "nothing"]))
    expect(control.log(), "nothing of all this came as far as the platform").toEqual([])
  })

  served("of this machine use it as any program does", function* ({ url }) {
    const { port: sitePort } = yield* site
    const page = yield* misled
    yield* Effect.promise(() => page.goto(`http://localhost:${sitePort}/`))
    expect(yield* Effect.promise(() => tryAll(page, url))).toMatchObject({
      read: "200",
      write: "201",
      simple: "415",
      polling: "200",
      socket: "heard"
    })
  })
})
