/** Bundles an app from the TypeScript sources, with effect in it, as an app's build for browsers does: minified. */
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"
import { rolldown } from "rolldown"

export type Bundle = (app: URL) => Promise<string>

const esbuild: Bundle = async (app) => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(app)],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "silent"
  })
  return outputFiles.map(({ text }) => text).join("\n")
}

const withRolldown: Bundle = async (app) => {
  const bundle = await rolldown({
    input: fileURLToPath(app),
    platform: "browser",
    // The sources import each other by the names that they have when they are compiled.
    resolve: { extensionAlias: { ".js": [".ts", ".js"] } }
  })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  await bundle.close()
  return output.map((piece) => (piece.type === "chunk" ? piece.code : "")).join("\n")
}

export const bundlers: Readonly<Record<"esbuild" | "rolldown", Bundle>> = { esbuild, rolldown: withRolldown }

/** What a browser loads of a bundle, in bytes. */
export const gzipped = (code: string): number => gzipSync(code, { level: 9 }).byteLength
