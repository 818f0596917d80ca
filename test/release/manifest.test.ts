// What `npm pack` runs before and after it: the published manifest stands in a package's folder meanwhile, and never takes the place of one
// that somebody has changed.
import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "@quartet/support/files.js"
import { afterEach, beforeEach, expect, test } from "vitest"

let home = ""
const own = {
  name: "@quartet/cli",
  version: "1.0.0",
  exports: { ".": { "@quartet/source": "./a.ts", default: "./dist/a.js" } },
  scripts: { prepack: "x" }
}
const published = { name: "@quartet/cli", version: "1.0.0", exports: { ".": { default: "./dist/a.js" } } }

const path = () => join(home, "packages/cli/package.json")
const written = (): unknown => JSON.parse(readFileSync(path(), "utf8"))
const write = (manifest: object) => writeFileSync(path(), JSON.stringify(manifest))

/** What the script says, and how it ends, in the folder of a package. */
const run = (option: string) => {
  const { status, stderr } = spawnSync(process.execPath, ["../../tools/manifest.mjs", option], {
    cwd: join(home, "packages/cli"),
    encoding: "utf8"
  })
  return { status, stderr }
}

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "quartet-manifest-"))
  for (const folder of ["packages/cli", "tools"]) mkdirSync(join(home, folder), { recursive: true })
  for (const name of ["manifest.mjs", "sources.mjs"])
    cpSync(join(root, "tools", name), join(home, "tools", name))
  symlinkSync(join(root, "node_modules"), join(home, "node_modules"))
  // Nothing is built of it.
  writeFileSync(join(home, "tools/build.mjs"), "")
  write(own)
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

test("a published manifest has neither the condition of sources nor scripts, and the own one comes back after it", () => {
  const { status, stderr } = run("--publish")
  expect([status, written()]).toEqual([0, published])
  expect(stderr).toContain("--restore")
  run("--restore")
  expect(written()).toEqual(own)
})

test.each([
  ["0.2.0", ">=0.2.0 <1.0.0"],
  ["1.3.0", ">=1.3.0 <2.0.0"],
  ["1.0.0-next.0", ">=1.0.0-next.0 <2.0.0"]
])(
  "a sibling of version %s asks for those of its release and later ones, until the next major version",
  (version, range) => {
    const peerDependencies = { "@quartet/sdk": ">=0.1.0 <1.0.0", effect: "^3.22.0" }
    write({ ...own, version, peerDependencies })
    run("--publish")
    expect(written()).toMatchObject({ peerDependencies: { "@quartet/sdk": range, effect: "^3.22.0" } })
  }
)

test("one that an interrupted run left in place is made again from what that run kept", () => {
  run("--publish")
  expect([run("--publish").status, written()]).toEqual([0, published])
  run("--restore")
  expect(written()).toEqual(own)
})

test.each([
  ["a peer of another package", { effect: "^3.22.0" }],
  ["a sibling as a peer", { "@quartet/sdk": ">=0.1.0 <1.0.0" }]
])(
  "a published one with %s that somebody has given another version is refused, and stays",
  (_, peerDependencies) => {
    write({ ...own, peerDependencies })
    run("--publish")
    const changed = { ...Object(written()), version: "2.0.0" }
    write(changed)
    const { status, stderr } = run("--publish")
    expect([status, stderr]).toEqual([1, expect.stringContaining("git checkout package.json")])
    expect(written()).toEqual(changed)
    run("--restore")
    expect(written()).toEqual({ ...own, peerDependencies })
  }
)

test("what somebody has written since an interrupted run is what is published", () => {
  run("--publish")
  write({ ...own, version: "2.0.0" })
  expect([run("--publish").status, written()]).toEqual([0, { ...published, version: "2.0.0" }])
  run("--restore")
  expect(written()).toEqual({ ...own, version: "2.0.0" })
})

test.each([
  ["a published manifest that was changed after an interrupted run", () => run("--publish")],
  ["a published manifest of which nothing is kept", () => undefined]
])("%s is refused, with what to do, and stays as it is", (_, before) => {
  before()
  const changed = { ...published, version: "2.0.0" }
  write(changed)
  const { status, stderr } = run("--publish")
  expect([status, written()]).toEqual([1, changed])
  expect(stderr).toContain("git checkout package.json")
})
