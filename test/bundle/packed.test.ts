// What the package holds: each page in it links to what is in it too, because it may stand where the repository does not;
// and each entry needs no package but those that the README names for it.
import { execFileSync } from "node:child_process"
import { posix } from "node:path"
import { describe, expect, test } from "vitest"
import { read } from "../../tools/files.js"
import { linksIn } from "../docs/markdown.js"
import { entries, installed, packed } from "../support/package.js"

const paths = packed()
const pages = paths.filter((path) => path.endsWith(".md"))

test("the package holds what runs, its types and its pages: no source, no map, no test, no program of the repository", () => {
  expect(paths).toEqual(
    expect.arrayContaining([
      "dist/clients/index.js",
      "dist/clients/index.d.ts",
      "docs/react.md",
      "docs/openapi/admin.json"
    ])
  )
  const own =
    /^(LICENSE|package\.json|(README|CHANGELOG|SECURITY|docs\/[a-z]+)\.md|docs\/openapi\/[a-z-]+\.json)$/
  const built = /^dist\/(core|adapters|clients|ui\/rx)\/.*\.(js|d\.ts)$/
  expect(paths.filter((path) => !own.test(path) && !built.test(path))).toEqual([])
})

test.each(pages)("every link of %s leads to what is packed, or out of it", (page) => {
  const targets = linksIn(read(page))
    .filter((target) => !/^(https?:|#)/.test(target))
    .map((target) => posix.join(posix.dirname(page), target.split("#")[0] ?? ""))
  expect(targets.filter((target) => !paths.some((path) => `${path}/`.startsWith(`${target}/`)))).toEqual([])
})

describe("beside effect alone", () => {
  const app = installed()

  test("every entry loads but those that are for a package that is missing, and says which", () => {
    const script = `const missing = {}
      for (const entry of process.argv.slice(1))
        await import(entry).catch(({ code, message }) => { missing[entry] = code + " " + /'(.+?)'/.exec(message)?.[1] })
      console.log(JSON.stringify(missing))`
    const told = execFileSync(process.execPath, ["--input-type=module", "--eval", script, ...entries], {
      cwd: app(),
      encoding: "utf8"
    })
    const missing = (name: string) => `ERR_MODULE_NOT_FOUND ${name}`
    expect(JSON.parse(told)).toEqual({
      "@quartet/sdk/rx": missing("@effect-rx/rx-react"),
      "@quartet/sdk/sandbox/server": missing("@effect/platform-node"),
      "@quartet/sdk/adapters/csv": missing("csv-parse"),
      "@quartet/sdk/adapters/platform": missing("@effect/platform"),
      "@quartet/sdk/adapters/storage": missing("@effect/platform"),
      "@quartet/sdk/adapters/storage-file": missing("@effect/platform")
    })
    expect(entries).toEqual(
      expect.arrayContaining(["@quartet/sdk", "@quartet/sdk/admin/requests", "@quartet/sdk/adapters/undici"])
    )
  })
})
