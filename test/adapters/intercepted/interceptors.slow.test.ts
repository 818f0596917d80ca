// Interceptors of others see and answer the calls of a program as it is: over the default transport and over fetch, in both faces. They
// need a newer Node than we do, so each stands in a folder of its own beside the SDK as it is published.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { read, root } from "@quartet/support/files.js"
import { foreignTool } from "@quartet/support/foreign.js"
import { installed } from "@quartet/support/package.js"
import { patient } from "@quartet/support/patience.js"
import { serve } from "@quartet/support/raw-server.js"
import { transform } from "esbuild"
import { beforeAll, describe, expect, test } from "vitest"
import { blocksIn } from "../../docs/markdown.js"
import { json } from "../../wire/platform.js"

interface Interceptor {
  readonly name: string
  readonly version: string
  /** Whether it sees what leaves over undici itself, which is no fetch. */
  readonly seesUndici: boolean
  /** Answers the calls of the walk to the origin that it is told. */
  readonly code: string
}

const interceptors: ReadonlyArray<Interceptor> = [
  {
    name: "msw",
    version: "3.0.5",
    seesUndici: false,
    code: `
      import { http, HttpResponse } from "msw"
      import { setupServer } from "msw/node"

      const boxes = process.env.ORIGIN + "/v1/box"
      const server = setupServer(
        http.get(boxes, ({ request }) => HttpResponse.json([{ _id: new URL(request.url).searchParams.get("page") }])),
        http.post(boxes, async ({ request }) => HttpResponse.json({ _id: "b2", ...(await request.json()) })),
        http.get(boxes + "/:id", ({ params, request }) =>
          params.id === "none"
            ? HttpResponse.json({ message: "no such box" }, { status: 404 })
            : HttpResponse.json({ _id: request.headers.get("x-api-key") })
        )
      )
      server.listen({ onUnhandledRequest: "error" })
    `
  },
  {
    name: "nock",
    version: "15.0.6",
    seesUndici: true,
    code: `
      import nock from "nock"

      nock.disableNetConnect()
      const { ORIGIN } = process.env
      nock(ORIGIN, { reqheaders: { "x-api-key": "key-1" } })
        .get("/v1/box").query({ page: "2", limit: "1" }).reply(200, [{ _id: "2" }])
        .post("/v1/box", { type: "QUIZ_RESULT" }).reply(200, { _id: "b2", type: "QUIZ_RESULT" })
        .get("/v1/box/none").reply(404, { message: "no such box" })
        .get("/v1/box/b1").reply(200, { _id: "key-1" })
    `
  }
]

describe.each(interceptors)("$name $version", ({ code, name, seesUndici, version }) => {
  const tool = foreignTool(name, { packages: { [name]: version }, node: "24.21.0" })
  const app = installed(["@quartet/sdk"])
  let server: Awaited<ReturnType<typeof serve>>

  /** Runs the program of the app over a transport; answers what it printed. */
  const walked = async (transport: string): Promise<ReadonlyArray<unknown>> => {
    const { output, stdout } = await tool.execute(join(app(), "main.mjs"), transport, server.url)
    expect(stdout, output).toMatch(/^\[/)
    return JSON.parse(stdout)
  }

  beforeAll(async () => {
    server = await serve(() => json({ _id: "of the network" }))
    return server.close
  })

  beforeAll(async () => {
    const place = join(app(), "node_modules", name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(tool.folder, "node_modules", name), place)
    const walk = readFileSync(join(root, "test/adapters/intercepted/walk.ts"), "utf8")
    writeFileSync(join(app(), "walk.mjs"), (await transform(walk, { loader: "ts" })).code)
    writeFileSync(join(app(), "interceptor.mjs"), code)
    writeFileSync(
      join(app(), "main.mjs"),
      `const [transport, origin] = process.argv.slice(2)
      process.env.ORIGIN = origin
      await import("./interceptor.mjs")
      const { walk } = await import("./walk.mjs")
      console.log(JSON.stringify(await walk(transport, origin)))`
    )
  }, patient(60_000))

  const answers = ["key-1", "QUIZ_RESULT", 1, ["NotFound", "no such box"]]

  test.each(["default", "fetch", ...(seesUndici ? ["undici"] : [])])(
    "sees and answers what leaves over the transport %s",
    async (transport) => {
      expect(await walked(transport)).toEqual(answers)
      expect(server.requests).toEqual([])
    },
    patient(60_000)
  )

  if (!seesUndici)
    test(
      "sees nothing of a client over undici",
      async () => {
        const [first] = await walked("undici")
        expect(first).toBe("of the network")
        expect(server.requests.length).toBeGreaterThan(0)
      },
      patient(60_000)
    )

  test(
    "runs the sample of the page as it stands",
    async () => {
      const { blocks } = blocksIn(read("docs/testing.md"))
      const at = blocks.findIndex((block) => block.note === "foreign" && block.code.includes(`"${name}"`))
      const [sample, prints] = blocks.slice(at, at + 2)
      if (sample === undefined) throw new Error(`the page has no sample with ${name}`)
      writeFileSync(join(app(), "sample.mts"), sample.code)
      const { output, stdout } = await tool.execute(join(app(), "sample.mts"))
      expect(stdout.trim(), output).toBe(prints?.code.trim())
    },
    patient(60_000)
  )
})
