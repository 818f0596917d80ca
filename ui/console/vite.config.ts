/** How the console is built and, in development, served with hot reload beside a sandbox of its own. */
import { fileURLToPath } from "node:url"
import type * as Server from "@quartet/sandbox/server"
import { condition } from "@quartet/support/sources.js"
import { guard } from "@quartet/support/vite-guard.js"
import tailwind from "@tailwindcss/vite"
import react from "@vitejs/plugin-react"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { defaultClientConditions, defaultServerConditions, defineConfig, type Plugin } from "vite"
import { name } from "./configuration.js"
import { configuration } from "./sandbox.js"

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** What is loaded on demand: views, the catalogue of all calls and what is made of it, how a platform differs, the palette, the chat. */
const ofViews = [
    /(socket|engine)\.io/,
    /\/ui\/console\/(views|files|customer)\//,
    /\/ui\/console\/app\/(call-form|catalogue|find|names|palette|rows|use-find|values)/,
    /\/ui\/console\/(data\/(controls|schema-form)\.ts|wire\/input\.|design\/(calendar|combo|date|narrowed)\.)/,
    /react-(aria|aria-components|stately)\/dist\/private\/(autocomplete|calendar|combobox|searchfield|Autocomplete|Calendar|ComboBox|RangeCalendar|SearchField)/,
    /@internationalized\/date/,
    /\/ui\/devtools\/view\//,
    /\/(clients\/description|adapters\/socket|packages\/sandbox\/state|packages\/fleet\/http)\//,
    /\/core\/(catalogue|schemas|(chat|platform)\/[a-z-]+|[a-z-]+\/(operations|model|admins|preferences|permissions))\.ts/
  ]

/** Starts a sandbox with the development server, and passes its address to the page. */
const sandbox = (): Plugin => {
  let url = ""
  return {
    name: "quartet:sandbox",
    apply: "serve",
    async configureServer({ config, httpServer, ssrLoadModule }) {
      // Loaded by Vite, so that the sources need no build; the module's type is that of the file.
      const { serve } = (await ssrLoadModule("@quartet/sandbox/server")) as typeof Server
      const scope = Effect.runSync(Scope.make())
      const port = Number(process.env.QUARTET_SANDBOX_PORT ?? 0)
      const served = await Effect.runPromise(Scope.extend(serve({ port }), scope))
      httpServer?.on("close", () => Effect.runFork(Scope.close(scope, Exit.void)))
      url = served.url
      config.logger.info(`  sandbox at ${url}`)
    },
    transformIndexHtml: () => [
      {
        tag: "meta",
        attrs: { name, content: JSON.stringify({ ...configuration, baseUrl: url }) },
        injectTo: "head"
      }
    ]
  }
}

/** Leaves out what React Aria says in other languages than the console's: it chooses among them as it runs. */
const english = (): Plugin => ({
  name: "quartet:english",
  apply: "build",
  load: (id) =>
    /\/react-(aria|stately|aria-components)\/.*\/intl\/.*\/(?!en-)[a-z]{2}-[A-Z]{2}\.m?js$/.test(id)
      ? "export default {}"
      : undefined
})

export default defineConfig({
  root: at("."),
  plugins: [react(), tailwind(), guard(), english(), sandbox()],
  resolve: { conditions: [condition, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [condition, ...defaultServerConditions] } },
  build: {
    outDir: at("../../packages/cli/dist/console"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // One sheet, as small as all the views' together: many small files would compress worse.
    cssCodeSplit: false,
    // Fifteen kilobytes less than the default, after compression.
    minify: "terser",
    terserOptions: { module: true, ecma: 2020, compress: { passes: 3, unsafe_arrows: true } },
    chunkSizeWarningLimit: 800,
    // Code that several views share is one file: a dozen small files would compress worse. What only the views over the
    // whole catalogue need is a file of theirs.
    rollupOptions: {
      output: { manualChunks: (id) => (ofViews.some((part) => part.test(id)) ? undefined : "console") }
    },
    // Inlined files would need `data:` in the page's policy.
    assetsInlineLimit: 0
  },
  server: { host: "127.0.0.1", port: 5173 }
})
