// React Native, by its globals: a `fetch` without streams, and none of the classes that Hermes lacks.
import { createContext, runInContext } from "node:vm"
import { root } from "@quartet/support/files.js"
import { jwt } from "@quartet/support/jwt.js"
import { condition } from "@quartet/support/sources.js"
import { build } from "esbuild"
import { beforeAll, expect, test } from "vitest"

const program = `
  import { createAdmin, pages, text } from "./clients/promise/admin.js"
  import { createPublic } from "./clients/promise/public.js"
  import * as requests from "./clients/admin/requests.js"
  import * as payments from "./clients/admin/payments.js"
  import * as files from "./clients/public/files.js"
  const failed = (work) => work.then(() => "done", (error) => ({ tag: error._tag, message: error.message }))
  globalThis.run = async () => {
    const admin = createAdmin({ baseUrl: "http://a.test", projectId: "p1", email: "a@b.c", password: "secret", policy: { attempts: 1 } })
    const visitor = createPublic({ baseUrl: "http://a.test", apiKey: "key" })
    const ids = []
    for await (const { _id, createdAt } of pages(admin, requests.list, {})) ids.push([_id, createdAt.toISOString()])
    return JSON.stringify({
      ids,
      made: await admin(requests.create, { payload: { title: "é" } }),
      missing: await failed(admin(requests.get, { id: "none" })),
      csv: await text(admin, payments.csv, {}),
      file: await failed(visitor(files.upload, { form: "f1", file: { uri: "file:///a.jpg", name: "a.jpg", type: "image/jpeg" } }))
    })
  }
`

/** What an answer of React Native's fetch is: whatwg-fetch's, without a body. */
const answer = (status: number, text: string) => ({
  status,
  ok: status < 300,
  headers: { get: (name: string) => (name === "content-type" ? "application/json" : null) },
  arrayBuffer: async () => new TextEncoder().encode(text).buffer,
  text: async () => text
})

const sent: Array<{ readonly method: string; readonly url: string; readonly body: unknown }> = []
const fetch = async (url: string, { body, method = "GET" }: RequestInit) => {
  sent.push({ method, url, body })
  const { pathname, searchParams } = new URL(url)
  if (pathname.endsWith("/auth/admin/login"))
    return answer(
      200,
      JSON.stringify({ accessToken: jwt({ sub: "a", p: { "*": { "*": 9 } } }), user: { _id: "a" } })
    )
  if (pathname.endsWith("/auth/login")) return answer(200, '{"sessionId":"s1"}')
  if (pathname.endsWith("/csv")) return answer(200, "id;sum\n1;é\n")
  if (pathname.endsWith("/none")) return answer(404, '{"message":"not there"}')
  if (method === "POST")
    return answer(201, `{"_id":"new","title":${JSON.stringify(JSON.parse(String(body)).title)}}`)
  return answer(
    200,
    searchParams.get("page") === "1" ? '[{"_id":"r1","createdAt":"2024-05-01T10:00:00.000Z"}]' : "[]"
  )
}

/** The globals that React Native sets up, which this program may touch. */
const globals = {
  fetch,
  URL,
  AbortController,
  AbortSignal,
  setTimeout,
  clearTimeout,
  setInterval,
  clearInterval,
  setImmediate,
  queueMicrotask,
  performance,
  atob,
  btoa,
  console,
  XMLHttpRequest: class {},
  FormData: class {},
  Blob: class {},
  File: class {},
  WebSocket: class {},
  navigator: { product: "ReactNative" }
}

let code = ""
beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    format: "iife",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: [condition, "react-native"],
    logLevel: "silent"
  })
  code = outputFiles[0]?.text ?? expect.unreachable()
})

test("a client signs in, reads, writes, downloads and refuses where there are React Native's globals alone", async () => {
  const context = createContext({ ...globals })
  context.globalThis = context
  runInContext(code, context)
  expect(JSON.parse(await runInContext("run()", context))).toEqual({
    ids: [["r1", "2024-05-01T10:00:00.000Z"]],
    made: { _id: "new", title: "é" },
    missing: { tag: "NotFound", message: expect.stringContaining("not there") },
    csv: "id;sum\n1;é\n",
    file: { tag: "InputError", message: expect.stringContaining("React Native's form of a file") }
  })
  expect(sent.filter(({ url }) => url.includes("cms/file"))).toEqual([])
})
