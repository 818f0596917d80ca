/** The packages as their users have them: laid out as they are published, beside the packages that they need. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { exists, removeFolder, root } from "./files.js"
import { packageOf, stage } from "./packed.js"
import { removalTimeout } from "./temporary.js"

/** Where a package that one in a folder needs stands in the repository. */
const placeOf = (name: string, folder: string): string => {
  const own = join(folder, "node_modules", name)
  return join(root, exists(own) ? own : join("node_modules", name))
}

/**
 * Lays packages out as they are published, beside the packages that they depend on and must have, and these besides, for the tests of
 * one block; answers the folder of the app.
 */
export const installed = (
  names: ReadonlyArray<string> = ["@quartet/sdk"],
  besides: ReadonlyArray<string> = []
): (() => string) => {
  let app = ""
  beforeAll(() => {
    app = mkdtempSync(join(tmpdir(), "quartet-app-"))
    const modules = join(app, "node_modules")
    const link = (name: string, folder: string): void => {
      if (names.includes(name) || name.startsWith("@quartet/")) return
      const place = join(modules, name)
      rmSync(place, { force: true })
      mkdirSync(dirname(place), { recursive: true })
      symlinkSync(placeOf(name, folder), place)
    }
    for (const name of names) {
      const { folder, manifest } = packageOf(name)
      cpSync(stage(name), join(modules, name), { recursive: true })
      const {
        dependencies,
        optionalDependencies,
        peerDependencies = {},
        peerDependenciesMeta = {}
      } = manifest
      const peers = Object.keys(peerDependencies).filter(
        (peer) => peerDependenciesMeta[peer]?.optional !== true
      )
      const needs = Object.keys({ ...dependencies, ...optionalDependencies })
      for (const needed of [...needs, ...peers]) link(needed, folder)
    }
    for (const name of besides) link(name, ".")
  })
  afterAll(() => removeFolder(app), removalTimeout)
  return () => app
}
