// `npm run check:packed`: what users install, each package by itself. publint and "are the types wrong?" look at it as it is published, and
// what it imports there is what its manifest depends on, no more and no less.
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { builtinModules } from "node:module"
import { join, posix } from "node:path"
import { parseSync, Visitor } from "oxc-parser"
import { importSource, root } from "./sources.mjs"
import { pack, stage } from "./stage.mjs"

const { entriesOf, published } = await importSource("packages/support/workspaces.ts")

/** What a program of node_modules says of something that it refuses; empty where it is content. */
const complaint = (program, ...args) => {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0" }
  const bin = join(root, "node_modules/.bin", program)
  const shell = process.platform === "win32"
  const { status, stderr, stdout } = spawnSync(bin, args, { cwd: root, encoding: "utf8", env, shell })
  return status === 0 ? "" : `${program} refuses it:\n${stdout}${stderr}`
}

/** The packages that a file imports. */
const packagesIn = (file, code) => {
  const specifiers = []
  const add = ({ source }) => {
    if (typeof source?.value === "string") specifiers.push(source.value)
  }
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add
  }).visit(parseSync(file, code).program)
  return specifiers
    .filter((specifier) => !/^(node:|[.#/])/.test(specifier) && !builtinModules.includes(specifier))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0])
}

/** Taken by Socket.IO's server where they are installed. */
const optional = ["bufferutil", "utf-8-validate"]

/** What a package imports, against what its manifest says. */
const dependenciesOf = (copy) => {
  const {
    dependencies: required = {},
    name,
    optionalDependencies = {},
    peerDependencies = {}
  } = JSON.parse(readFileSync(join(copy, "package.json"), "utf8"))
  const dependencies = { ...required, ...optionalDependencies }
  const files = readdirSync(join(copy, "dist"), { recursive: true }).filter(
    (file) => /\.(js|d\.ts)$/.test(file) && !/^console\b/.test(file)
  )
  const imported = new Map(
    files.flatMap((file) =>
      packagesIn(file, readFileSync(join(copy, "dist", file), "utf8")).map((dependency) => [
        dependency,
        posix.join("dist", file)
      ])
    )
  )
  const declared = { ...dependencies, ...peerDependencies }
  // What a dependency asks to stand beside it is installed for that.
  const peers = Object.keys(dependencies).flatMap((dependency) => {
    const { peerDependencies } = JSON.parse(
      readFileSync(join(root, "node_modules", dependency, "package.json"), "utf8")
    )
    return Object.keys(peerDependencies ?? {})
  })
  return [
    ...[...imported]
      .filter(
        ([dependency]) => dependency !== name && !(dependency in declared) && !optional.includes(dependency)
      )
      .map(
        ([dependency, file]) =>
          `${file} imports ${dependency}, which is neither in its dependencies nor in its peers`
      ),
    ...Object.keys(dependencies)
      .filter((dependency) => !imported.has(dependency) && !peers.includes(dependency))
      .map((dependency) => `nothing of it imports ${dependency}, which is in its dependencies`)
  ].join("\n")
}

for (const workspace of published) {
  const { folder, manifest } = workspace
  const { path } = pack(folder, join(root, ".cache/packed", `${process.pid}`))
  // It does not follow patterns by itself, and all that one stands for is compiled alike.
  const entries = entriesOf(workspace).map(({ name }) => `./${posix.relative(manifest.name, name)}`)
  const samples = Object.keys(manifest.exports).flatMap((name) => {
    const [before, after] = name.split("*")
    const sample = entries.find((entry) => entry.startsWith(before) && !(entry in manifest.exports))
    return after === undefined || sample === undefined ? [] : [sample.slice(2)]
  })
  const include = samples.length === 0 ? [] : ["--include-entrypoints", ...samples]
  const complaints = [
    complaint("publint", "--strict", path),
    complaint("attw", path, "--profile", "esm-only", "--format", "ascii", "--no-emoji", ...include),
    dependenciesOf(stage(folder))
  ].filter((text) => text !== "")
  for (const text of complaints) console.error(`${manifest.name}: ${text}`)
  console.info(`${manifest.name}: ${complaints.length === 0 ? "as it should be" : "refused"}`)
  if (complaints.length > 0) process.exitCode = 1
}
rmSync(join(root, ".cache/packed", `${process.pid}`), { recursive: true, force: true })
