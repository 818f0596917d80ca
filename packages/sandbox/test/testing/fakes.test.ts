// Fake transports, chat sockets, stubs and fixtures without a platform: neither its state nor its calls are loaded with them.
import { root } from "@quartet/support/files.js"
import { conditions } from "@quartet/support/sources.js"
import { build } from "esbuild"
import { expect, test } from "vitest"

/** The files of the sandbox that an entry loads, also those of which nothing is used. */
const loadedBy = async (entry: string): Promise<ReadonlyArray<string>> => {
  const { metafile } = await build({
    stdin: { contents: `import "${entry}"`, resolveDir: root },
    absWorkingDir: root,
    bundle: true,
    conditions: [...conditions],
    platform: "node",
    format: "esm",
    ignoreAnnotations: true,
    metafile: true,
    write: false
  })
  return Object.keys(metafile.inputs).filter((file) => file.startsWith("packages/sandbox/"))
}

const isPlatform = (file: string): boolean => !file.startsWith("packages/sandbox/testing/")

test("the fakes load nothing of the sandbox's platform, which the layers of a test load", async () => {
  const [fakes, testing] = [
    await loadedBy("@quartet/sandbox/fakes"),
    await loadedBy("@quartet/sandbox/testing")
  ]
  expect(fakes).toContain("packages/sandbox/testing/script.ts")
  expect(fakes).toContain("packages/sandbox/testing/chat-script.ts")
  expect(fakes.filter(isPlatform)).toEqual([])
  expect(testing.filter(isPlatform).length).toBeGreaterThan(30)
})
