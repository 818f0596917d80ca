/** Bundles a program with everything that it imports: takes the bundler, the target (browser or node), the program and the folder to write to. */
import { resolve } from "node:path"

const [, , bundler = "", target = "", program = "", folder = ""] = process.argv
const input = { app: resolve(program) }
const dir = resolve(folder)
const isNode = target === "node"

const bundlers: Readonly<Record<string, () => Promise<unknown>>> = {
  esbuild: async () => {
    const { build } = await import("esbuild")
    await build({
      entryPoints: input,
      outdir: dir,
      bundle: true,
      minify: true,
      logLevel: "warning",
      // As the README says of a bundle that holds undici, which needs `require`.
      ...(isNode
        ? { platform: "node", format: "cjs", outExtension: { ".js": ".cjs" } }
        : { platform: "browser", format: "esm", splitting: true })
    })
  },
  rolldown: async () => {
    const { build } = await import("rolldown")
    await build({
      input,
      platform: isNode ? "node" : "browser",
      output: { dir, format: "esm", minify: true, entryFileNames: isNode ? "[name].mjs" : "[name].js" }
    })
  },
  vite: async () => {
    const { build } = await import("vite")
    await build({
      configFile: false,
      logLevel: "warn",
      ...(isNode ? { ssr: { noExternal: true } } : {}),
      build: {
        outDir: dir,
        emptyOutDir: true,
        ssr: isNode,
        rollupOptions: { input, output: { entryFileNames: isNode ? "[name].mjs" : "[name].js" } }
      }
    })
  },
  webpack: async () => {
    const { default: webpack } = await import("webpack")
    await new Promise<void>((done, fail) => {
      webpack(
        {
          mode: "production",
          target: isNode ? "node20" : "web",
          entry: input,
          output: { path: dir, filename: isNode ? "[name].cjs" : "[name].js", publicPath: isNode ? "" : "/" },
          performance: false
        },
        (error, stats) => {
          if (error !== null) return fail(error)
          // It warns of packages that `ws` tries to load, and does without.
          if (stats?.hasErrors() === true) return fail(new Error(stats.toString("errors-only")))
          done()
        }
      )
    })
  }
}

await bundlers[bundler]?.()
