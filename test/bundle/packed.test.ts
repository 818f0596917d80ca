// What the package holds: each page in it links to what is in it too, because it may stand where the repository does not.
import { execFileSync } from "node:child_process"
import { posix } from "node:path"
import { expect, test } from "vitest"
import { read, root } from "../../tools/files.js"
import { linksIn } from "../docs/markdown.js"

const packed: ReadonlyArray<{ readonly files: ReadonlyArray<{ readonly path: string }> }> = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: root, encoding: "utf8" })
)
const paths = packed.flatMap(({ files }) => files.map(({ path }) => path))
const pages = paths.filter((path) => path.endsWith(".md"))

test("the package holds its sources and its pages, and no tests", () => {
  expect(paths).toEqual(
    expect.arrayContaining(["core/catalogue.ts", "dist/clients/index.js", "docs/react.md"])
  )
  expect(paths.filter((path) => /^(test|tools|docs\/images|ui\/console)\//.test(path))).toEqual([])
})

test.each(pages)("every link of %s leads to what is packed, or out of it", (page) => {
  const targets = linksIn(read(page))
    .filter((target) => !/^(https?:|#)/.test(target))
    .map((target) => posix.join(posix.dirname(page), target.split("#")[0] ?? ""))
  expect(targets.filter((target) => !paths.some((path) => `${path}/`.startsWith(`${target}/`)))).toEqual([])
})
