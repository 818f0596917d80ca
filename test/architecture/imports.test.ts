// The walls between the packages, and the layers inside of the SDK: what an import breaks is told with its file and line, and what may
// be imported instead. `npm run check:imports` reads every file of the repository by the same rules.
import { posix } from "node:path"
import { filesIn, read } from "@quartet/support/files.js"
import { breachesIn } from "@quartet/support/imports.js"
import { entriesOf, type Workspace, workspaces } from "@quartet/support/workspaces.js"
import { describe, expect, test } from "vitest"

const from = (specifier: string): string => `import { it } from "${specifier}"\nexport const its = it\n`

const pathTo = (file: string, target: string): string => {
  const path = posix.relative(posix.dirname(file), target).replace(/\.tsx?$/, ".js")
  return path.startsWith(".") ? path : `./${path}`
}

const named = (name: string): Workspace => {
  const workspace = workspaces.find(({ manifest }) => manifest.name === name)
  if (workspace === undefined) throw new Error(`there is no ${name}`)
  return workspace
}

const sdk = named("@quartet/sdk")
const fleet = named("@quartet/fleet")

describe("a package", () => {
  const packages = workspaces.map((workspace): [string, Workspace] => [workspace.manifest.name, workspace])

  test.each(packages)(
    "%s is not reached into by a path: the file, the line and the entry are told",
    (name, workspace) => {
      const neighbour = workspace === sdk ? fleet : sdk
      const [entry] = entriesOf(neighbour)
      const target = entry?.source ?? ""
      const home = workspace === sdk ? "clients" : workspace.folder
      for (const file of [`${home}/x.ts`, posix.join(workspace.folder, "test/x.test.ts")]) {
        const specifier = pathTo(file, target)
        expect(breachesIn(file, `// A comment.\n${from(specifier)}`)).toEqual([
          `${file}:2 imports "${specifier}": ${name} reaches into ${neighbour.manifest.name} past its entries: import it from "${entry?.name}"`
        ])
      }
    }
  )

  test.each(packages)(
    "%s is imported by the names that its manifest exports, and by no other",
    (name, workspace) => {
      const file = workspace === sdk ? "packages/fleet/test/x.ts" : "test/x.ts"
      for (const entry of entriesOf(workspace)) expect(breachesIn(file, from(entry.name))).toEqual([])
      const inner = `${name}/no/such/entry`
      expect(breachesIn(file, from(inner))).toEqual([
        `${file}:1 imports "${inner}": ${inner} is no entry of ${name}: its "exports" are its face`
      ])
    }
  )

  test.each(packages.filter(([, { manifest }]) => manifest.private !== true))(
    "%s imports in its sources only what its manifest depends on",
    (name, workspace) => {
      const file = workspace === sdk ? "adapters/x.ts" : `${workspace.folder}/x.ts`
      expect(breachesIn(file, from("vitest"))).toEqual([
        `${file}:1 imports "vitest": ${name} has vitest neither in its dependencies nor in its peers`
      ])
      expect(breachesIn(posix.join(workspace.folder, "test/x.ts"), from("vitest"))).toEqual([])
      expect(breachesIn(file, from(name))).toHaveLength(1)
      expect(breachesIn(file, from("effect"))).toEqual([expect.stringContaining("never the barrel")])
      expect(breachesIn(file, from("effect/Effect"))).toEqual([])
    }
  )

  test("an import of any kind is seen", () => {
    const codes = [
      'import type { It } from "PATH"',
      'export * from "PATH"',
      'export { it } from "PATH"',
      'export const load = () => import("PATH")',
      'export type Its = import("PATH").It',
      'vi.mock("PATH", () => ({}))',
      'export const url = new URL("PATH", import.meta.url)',
      "export const load = () => import(`PATH`)",
      'import its = require("PATH")',
      'export const its = require("PATH")',
      'export const its = createRequire(import.meta.url)("PATH")',
      'export const path = require.resolve("PATH")'
    ]
    for (const code of codes)
      expect(breachesIn("ui/test/x.ts", code.replace("PATH", "../../core/catalogue.js")), code).toHaveLength(
        1
      )
    expect(breachesIn("ui/test/x.ts", '// import("../../core/catalogue.js")\n')).toEqual([])
  })

  test("an example imports no package by a path", () => {
    expect(breachesIn("examples/script/x.ts", from("../../core/catalogue.js"))).toEqual([
      expect.stringContaining("An example imports the packages by their names")
    ])
    expect(breachesIn("examples/script/x.ts", from("./y.js"))).toEqual([])
  })

  test("a file that no entry leads to is told as such, and one that an entry exports again by that entry", () => {
    expect(breachesIn("test/x.ts", from("../packages/fleet/engine/store.js"))).toEqual([
      expect.stringContaining("@quartet/fleet past its entries:")
    ])
    expect(breachesIn("ui/x.ts", from("../adapters/tabs/tabs.js"))).toEqual([
      expect.stringMatching(/import it from "@quartet\/sdk\/(?:extend|adapters\/tabs)"$/)
    ])
    expect(breachesIn("ui/x.ts", from("../core/kernel/dispatch/launch.js"))).toEqual([
      expect.stringContaining("@quartet/react reaches into @quartet/sdk")
    ])
  })
})

describe("the SDK", () => {
  const refused: ReadonlyArray<readonly [says: string, file: string, specifier: string, why: string]> = [
    [
      "core refuses an adapter",
      "core/requests/x.ts",
      "../../adapters/fetch/index.js",
      "imports nothing but Effect's"
    ],
    [
      "core refuses a client",
      "core/requests/x.ts",
      "../../clients/admin/index.js",
      "imports nothing but Effect's"
    ],
    [
      "the catalogue refuses an adapter",
      "core/x.ts",
      "../adapters/fetch/index.js",
      "imports nothing but Effect's"
    ],
    ["core refuses Node", "core/requests/x.ts", "node:fs", "imports nothing but Effect's"],
    ["core refuses what adapters depend on", "core/requests/x.ts", "undici", "imports nothing but Effect's"],
    ["core refuses React", "core/requests/x.ts", "react", "neither in its dependencies"],
    [
      "a slice refuses another's operations",
      "core/requests/x.ts",
      "../auth/operations.js",
      "A slice of core may import"
    ],
    [
      "a slice's room refuses them too",
      "core/a/b/c.ts",
      "../../auth/operations.js",
      "A slice of core may import"
    ],
    ["a slice refuses the catalogue", "core/requests/x.ts", "../catalogue.js", "A slice of core may import"],
    [
      "the kernel refuses a slice",
      "core/kernel/session/x.ts",
      "../../auth/model.js",
      "carry everything else"
    ],
    ["a port refuses the kernel", "core/ports/x.ts", "../kernel/errors/errors.js", "carry everything else"],
    ["a port refuses permissions", "core/ports/x.ts", "../permissions/own.js", "carry everything else"],
    [
      "the kernel refuses a file outside of its rooms",
      "core/kernel/x.ts",
      "./errors/errors.js",
      "one of its rooms"
    ],
    [
      "an adapter refuses a client",
      "adapters/fetch/x.ts",
      "../../clients/admin/index.js",
      "Adapters never import clients"
    ],
    ["a client refuses Node", "clients/admin/x.ts", "node:fs", "through an adapter"],
    ["a client refuses a transport's library", "clients/admin/x.ts", "undici", "through an adapter"],
    ["a source refuses a test", "clients/admin/x.ts", "../../test/x.js", "neither tests nor tools"]
  ]
  test.each(refused)("%s", (_, file, specifier, why) => {
    expect(breachesIn(file, from(specifier))).toEqual([expect.stringContaining(why)])
  })

  const rooms = ["errors", "operation", "codec", "redaction", "dispatch", "session"]
  test.each(rooms.slice(1))("no room of the kernel before %s imports it", (room) => {
    for (const before of rooms.slice(0, rooms.indexOf(room)))
      expect(breachesIn(`core/kernel/${before}/x.ts`, from(`../${room}/x.js`))).toEqual([
        expect.stringContaining("The rooms of the kernel import one way")
      ])
    expect(breachesIn(`core/kernel/${room}/x.ts`, from("../errors/x.js"))).toEqual([])
  })

  test.each([
    [
      "a slice may use kernel, ports, permissions, another's model and its own",
      "core/requests/x.ts",
      [
        ...[
          "effect/Effect",
          "../auth/model.js",
          "../kernel/codec/x.js",
          "../permissions/x.js",
          "../ports/x.js"
        ],
        ...["./model.js", "./operations.js"]
      ]
    ],
    ["the catalogue may list operations", "core/catalogue.ts", ["./auth/operations.js"]],
    [
      "an adapter may use core and Node",
      "adapters/fetch/x.ts",
      ["../../core/kernel/codec/x.js", "node:fs", "undici"]
    ],
    ["a client may use an adapter", "clients/admin/x.ts", ["../../adapters/fetch/index.js", "#runtime/fetch"]]
  ])("%s", (_, file, specifiers) => {
    for (const specifier of specifiers) expect(breachesIn(file, from(specifier)), specifier).toEqual([])
  })

  // Spec 0.3, 2.1
  test("no client, and nothing that one stands on, imports a screen", () => {
    const sources = ["core", "adapters", "clients"].flatMap(filesIn)
    expect(sources.length).toBeGreaterThan(250)
    // By the name of a package, or by a path into the folder of the screens.
    const screens =
      /\b(?:from|import)\s*\(?\s*"(?:@quartet\/react[^"]*|react(?:-dom)?(?:\/[^"]*)?|(?:\.\.\/)+ui\/[^"]*)"/
    for (const wrong of [
      'export * as Screens from "../ui/rx/index.js"',
      'import "../../ui/rx/index.js"',
      'import "react"'
    ])
      expect(wrong).toMatch(screens)
    expect(sources.filter((file) => screens.test(read(file)))).toEqual([])
  })
})

test.each(["../app/explain.js", "../data/form.js", "@quartet/react", "@quartet/sdk", "effect/Effect"])(
  "the console's design refuses %s: it knows neither the platform nor the console",
  (specifier) => {
    expect(breachesIn("ui/console/design/x.ts", from(specifier))).toEqual([
      expect.stringContaining("The console's design knows neither")
    ])
    expect(breachesIn("ui/console/design/x.ts", from("react"))).toEqual([])
  }
)

test.each(["react-aria-components", "@internationalized/date"])(
  "a page of the console refuses %s: the kit stands behind the design",
  (specifier) => {
    expect(breachesIn("ui/console/views/x.ts", from(specifier))).toEqual([
      expect.stringContaining("The console's kit stands behind its design")
    ])
    expect(breachesIn("ui/console/design/x.ts", from(specifier))).toEqual([])
  }
)

test.each(["@quartet/sandbox", "@quartet/sandbox/server", "@quartet/fleet", "@quartet/fleet/handler"])(
  "a page of the console refuses %s, which only its server may import",
  (specifier) => {
    expect(breachesIn("ui/console/views/x.ts", from(specifier))).toEqual([
      expect.stringContaining("The console's pages know no sandbox")
    ])
    expect(breachesIn("ui/console/sandbox.ts", from(specifier))).not.toContainEqual(
      expect.stringContaining("The console's pages know no sandbox")
    )
    expect(breachesIn("ui/console/views/x.ts", from("@quartet/fleet/http"))).toEqual([])
  }
)
