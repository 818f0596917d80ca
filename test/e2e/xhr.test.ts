// Uploads over XMLHttpRequest, in a real browser: their progress, their answers, and no more of those than may be held.

import { eventually } from "@quartet/support/eventually.js"
import { makeOddServer, type OddServer } from "@quartet/support/odd-server.js"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openPage, path } from "./program.js"
import { patience } from "./stage.js"

/** What of an outcome can leave the page. */
interface Seen {
  readonly tag: string
  readonly status: number
  readonly headers: ReadonlyArray<string | undefined>
  readonly size: number
  /** Bytes sent, and the total, as they were told last. */
  readonly progress: readonly [number, number] | undefined
  /** Whether the browser was to send and keep its cookies. */
  readonly hasCookies: boolean
}

const probe = `
  import { make } from ${path("adapters/xhr/index.ts")}
  const transport = make({ start: () => { throw new Error("not an upload") } })
  let hasCookies
  const { send } = XMLHttpRequest.prototype
  XMLHttpRequest.prototype.send = function (body) {
    hasCookies = this.withCredentials
    send.call(this, body)
  }
  globalThis.upload = (path, maxBytes, credentials) =>
    new Promise((resolve) => {
      let progress
      const file = new Blob(["x".repeat(100_000)])
      const body = { _tag: "Form", parts: [{ name: "file", file, fileName: "a.txt" }] }
      const onUpload = (sent, total) => { progress = [sent, total] }
      const request = { operation: "files.upload", method: "POST", origin: location.origin, path, headers: {}, body, answer: "bytes", maxBytes, attempt: 1, credentials, onUpload }
      transport.start(request, (outcome) =>
        resolve({
          tag: outcome._tag,
          status: outcome.status,
          headers: outcome.header ? ["x-request-id", "retry-after", "x-nothing"].map(outcome.header) : [],
          size: outcome.body?.byteLength ?? 0,
          progress,
          hasCookies
        })
      )
    })
`

describe("an upload over XMLHttpRequest", () => {
  let server: OddServer
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    server = await makeOddServer()
    ;({ browser, page } = await openPage(probe, `${server.origin}/status/200`))
  }, patience)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  const upload = (path: string, maxBytes = 10_000_000, credentials?: "include"): Promise<Seen> =>
    page.evaluate(`upload(${JSON.stringify(path)}, ${maxBytes}, ${JSON.stringify(credentials)})`)

  test("has the browser send and keep its cookies for another origin only where the request asks for that", async () => {
    expect(await upload("/status/200")).toMatchObject({ status: 200, hasCookies: false })
    expect(await upload("/status/200", undefined, "include")).toMatchObject({ status: 200, hasCookies: true })
  })

  test("is answered, and tells how far it is", async () => {
    const seen = await upload("/headers")
    expect(seen).toMatchObject({ tag: "Answered", status: 200, headers: ["r-1", "3", undefined], size: 2 })
    expect(seen.progress?.[0]).toBeGreaterThan(100_000)
    expect(seen.progress?.[0]).toBe(seen.progress?.[1])
  })

  test("may be answered with as many bytes as the bound, and not one more", async () => {
    const { size } = await upload("/status/422")
    expect(await upload("/status/422", size)).toMatchObject({ tag: "Answered", status: 422 })
    expect(await upload("/status/422", size - 1)).toMatchObject({ tag: "TooLarge", status: 422 })
  })

  test.each(["stated", "unstated", "gzip"])(
    "keeps the status and the headers of an error beyond the bound (%s)",
    async (said) => {
      expect(await upload(`/wordy-error/${said}`, 5_000)).toMatchObject({
        tag: "TooLarge",
        status: 503,
        headers: ["r-1", "3", undefined]
      })
    }
  )

  test("breaks off an answer beyond the bound, and does not read it all", async () => {
    expect(await upload("/flood", 5_000)).toMatchObject({ tag: "TooLarge", status: 200 })
    await eventually(() => expect(server.unanswered.at(-1)?.destroyed).toBe(true))
    expect(server.flooded()).toBeLessThan(64 * 1024 * 1024)
  })

  test("fails where the answer is a redirect", async () => {
    expect(await upload("/redirect/307")).toMatchObject({ tag: "Failed" })
  })
})
