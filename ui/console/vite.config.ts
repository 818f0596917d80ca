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

/**
 * Parts of the kit that the sign-in does not need, each a file of its own: the kit is imported by one name, and without a name of their
 * own they would come with what is.
 */
const afterSignIn: ReadonlyArray<readonly [chunk: string, parts: RegExp]> = [
  [
    "calendar",
    /@internationalized\/date\/dist\/(?!.*DateFormatter)|react-(aria|aria-components|stately)\/dist\/private\/(calendar|Calendar|RangeCalendar)/
  ],
  [
    "choices",
    /\/design\/(select|switch)\.tsx|react-(aria|stately)\/dist\/private\/(select|searchfield)\/|react-aria-components\/dist\/private\/(Select|SearchField)\./
  ]
]

interface Graph {
  readonly getModuleIds: () => IterableIterator<string>
  readonly getModuleInfo: (id: string) => {
    readonly isEntry: boolean
    readonly importedIds: ReadonlyArray<string>
  } | null
}

const firstViews = new WeakMap<object, ReadonlySet<string>>()

/** What the page needs before anything that it loads on demand. */
const firstView = ({ getModuleIds, getModuleInfo }: Graph): ReadonlySet<string> => {
  const known = firstViews.get(getModuleInfo)
  if (known !== undefined) return known
  const found = new Set([...getModuleIds()].filter((id) => getModuleInfo(id)?.isEntry))
  for (const id of found) for (const imported of getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  firstViews.set(getModuleInfo, found)
  return found
}

/** Where a module goes: the first view is one file, and Rollup divides what is loaded on demand. */
const chunkOf = (id: string, graph: Graph): string | undefined =>
  afterSignIn.find(([, parts]) => parts.test(id))?.[0] ?? (firstView(graph).has(id) ? "console" : undefined)

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
  transform: (code, id) => {
    const isWords = /\/react-(aria|stately|aria-components)\/.*\/intlStrings\.m?js$/.test(id)
    const path = isWords ? /"([^"]*\/en-US\.m?js)"/.exec(code)?.[1] : undefined
    return path === undefined
      ? undefined
      : { code: `import words from "${path}"\nexport default { "en-US": words }`, map: null }
  }
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
      output: { manualChunks: chunkOf }
    },
    // Inlined files would need `data:` in the page's policy.
    assetsInlineLimit: 0
  },
  server: { host: "127.0.0.1", port: 5173 }
})
