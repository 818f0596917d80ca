/** The sandbox in a process is also one for browsers: it bundles for them, and runs where there is nothing of Node. */
import { createContext, runInContext } from "node:vm"
import { expect, it } from "@effect/vitest"
import { root } from "@quartet/support/files.js"
import { conditions } from "@quartet/support/sources.js"
import { build } from "esbuild"

/** A page's program: it makes a sandbox and signs an end user in. */
const program = `
  import * as Effect from "effect/Effect"
  import * as Sandbox from "@quartet/sandbox"
  const { apiKey, endUsers } = Sandbox.accounts
  export const run = () => Effect.runPromise(Effect.flatMap(Sandbox.make(), ({ transport }) => Effect.async((resume) => {
    transport.start({
      operation: "auth.login",
      method: "POST",
      origin: "http://sandbox.test",
      path: "/auth/login",
      headers: { "x-api-key": apiKey },
      body: { _tag: "Json", text: JSON.stringify(endUsers.ana) },
      answer: "bytes",
      maxBytes: 100000,
      attempt: 1,
      onUpload: undefined
    }, ({ body, status }) => resume(Effect.succeed([status, new TextDecoder().decode(body)])))
  })))
`

/** What a page has of what the sandbox may use; nothing else is there. */
const globalsOfAPage = () => ({
  AbortController,
  Blob,
  ReadableStream,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  Uint8Array,
  clearTimeout,
  performance,
  queueMicrotask,
  setTimeout,
  structuredClone
})

it("bundles for a browser without Node's modules, and runs without its globals", async () => {
  const { metafile, outputFiles } = await build({
    stdin: { contents: program, resolveDir: root, loader: "ts" },
    absWorkingDir: root,
    bundle: true,
    conditions: [...conditions],
    platform: "browser",
    format: "iife",
    globalName: "page",
    target: "es2022",
    metafile: true,
    write: false
  })
  const inputs = Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : []))
  )
  expect(inputs).toContain("packages/sandbox/sandbox.ts")
  expect(inputs.filter((input) => /^adapters\/|^packages\/sandbox\/(server|testing)\//.test(input))).toEqual(
    []
  )
  const packages = inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [])
  expect(packages).toContain("effect")
  expect(packages.filter((name) => /^(@effect|socket|undici|ws)/.test(name))).toEqual([])

  const page = createContext(globalsOfAPage())
  expect(runInContext("typeof process + typeof Buffer + typeof require", page)).toBe("undefined".repeat(3))
  runInContext(outputFiles[0]?.text ?? "", page)
  const [status, text] = await runInContext("page.run()", page)
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({ user: { email: "ana@quartet.test" } })
})
