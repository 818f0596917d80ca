/** Bundles an app from the TypeScript sources, with effect in it, as an app's build for browsers does: minified. */
import { posix } from "node:path"
import { gzipSync } from "node:zlib"
import { root } from "@quartet/support/files.js"
import { conditions } from "@quartet/support/sources.js"
import { build } from "esbuild"
import { rolldown } from "rolldown"

/** What a bundler made of an app: the files that a page loads first, and all of its files. */
export interface Bundled {
  readonly first: ReadonlyArray<string>
  readonly all: ReadonlyArray<string>
}

/** Bundles the app at a path from the project's root. `external` tells the imports that stay out of it. */
export type Bundle = (app: string, external?: RegExp) => Promise<Bundled>

interface Chunk {
  readonly code: string
  /** Names of the chunks that it imports statically. */
  readonly imports: ReadonlyArray<string>
}

/** The chunks that are loaded with `entry`, by their names. */
const loadedWith = (entry: string, chunks: ReadonlyMap<string, Chunk>): Bundled => {
  const names = new Set([entry])
  for (const name of names) for (const next of chunks.get(name)?.imports ?? []) names.add(next)
  const codeOf = (name: string): string => chunks.get(name)?.code ?? ""
  return { first: [...names].map(codeOf), all: [...chunks.keys()].map(codeOf) }
}

const production = { "process.env.NODE_ENV": '"production"' }

const esbuild: Bundle = async (app, external = /^$/) => {
  const { metafile, outputFiles } = await build({
    entryPoints: { app },
    absWorkingDir: root,
    outdir: ".",
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    format: "esm",
    conditions: [...conditions],
    platform: "browser",
    jsx: "automatic",
    define: production,
    write: false,
    logLevel: "silent",
    plugins: [
      {
        name: "external",
        setup: ({ onResolve }) => onResolve({ filter: external }, ({ path }) => ({ path, external: true }))
      }
    ]
  })
  const chunks = Object.entries(metafile.outputs).map(([name, { imports }]): [string, Chunk] => [
    name,
    {
      code: outputFiles.find(({ path }) => path === posix.join(root, name))?.text ?? "",
      imports: imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => path)
    }
  ])
  return loadedWith("app.js", new Map(chunks))
}

const withRolldown: Bundle = async (app, external = /^$/) => {
  const bundle = await rolldown({
    input: { app },
    cwd: root,
    platform: "browser",
    external,
    logLevel: "silent",
    transform: { define: production },
    // The sources import each other by the names that they have when they are compiled.
    resolve: {
      conditionNames: [...conditions, "import", "browser", "default"],
      extensionAlias: { ".js": [".ts", ".tsx", ".js"] }
    }
  })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  await bundle.close()
  const chunks = output.map((piece): [string, Chunk] => [
    piece.fileName,
    piece.type === "chunk" ? piece : { code: "", imports: [] }
  ])
  return loadedWith("app.js", new Map(chunks))
}

export const bundlers: Readonly<Record<"rolldown" | "esbuild", Bundle>> = { rolldown: withRolldown, esbuild }

/** Bytes of the files, each compressed as a server sends it. */
export const gzipped = (files: ReadonlyArray<string>): number =>
  files.reduce((bytes, code) => bytes + gzipSync(code, { level: 9 }).byteLength, 0)
