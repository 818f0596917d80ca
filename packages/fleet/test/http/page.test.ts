/** The client of a page is for browsers: of the jobs it holds what is asked and answered, and nothing of what runs them. */
import { expect, it } from "@effect/vitest"
import { root } from "@quartet/support/files.js"
import { condition } from "@quartet/support/sources.js"
import { type BuildFailure, build } from "esbuild"

const bundled = (entry: string) =>
  build({
    stdin: { contents: `export * from "${entry}"`, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    conditions: [condition, "browser"],
    platform: "browser",
    format: "esm",
    metafile: true,
    write: false,
    logLevel: "silent"
  })

/** What a page loads of an entry: sources of the repository by their paths, and others by their packages. */
const inputsOf = async (entry: string): Promise<ReadonlyArray<string>> => {
  const { metafile } = await bundled(entry)
  const paths = Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []))
  )
  return [...new Set(paths.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path))]
}

it("@quartet/fleet/http bundles for a page: no SQL, no engine, nothing of Node, and no package but effect", async () => {
  const inputs = await inputsOf("@quartet/fleet/http")
  expect(inputs.filter((path) => path.startsWith("packages/")).sort()).toEqual([
    "packages/fleet/http/client.ts",
    "packages/fleet/http/wire.ts"
  ])
  expect(inputs.filter((path) => !/^(packages|core|adapters|clients)\//.test(path))).toEqual(["effect"])
})

it("@quartet/fleet/handler is for a server, and bundles for none", async () => {
  const missing = await bundled("@quartet/fleet/handler").then(
    () => [],
    ({ errors }: BuildFailure) => errors.map(({ text }) => text)
  )
  expect(missing).toContain('Could not resolve "node:http"')
})
