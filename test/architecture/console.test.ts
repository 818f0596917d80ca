// The console stays small: what is missing there is to be derived from the operations, not written once more.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const root = new URL("../../ui/console/", import.meta.url).pathname

test("the console has at most 8,000 lines, styles included", () => {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.(tsx?|css)$/.test(path)
  )
  const lines = files.map((path) => readFileSync(join(root, path), "utf8").split("\n").length - 1)
  expect(files.length).toBeGreaterThan(50)
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(8_000)
})
