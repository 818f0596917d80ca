/** What a page loads first, in bytes: apps that are bundled by each bundler, minified and compressed (gzip, level 9). */
import { exists } from "@quartet/support/files.js"
import { type Bundle, bundlers, gzipped } from "../bundle/bundlers.js"
import type { Figures } from "./figures.js"

const app = (name: string): string => `test/bundle/apps/${name}`

/** React, which an app has anyway. */
const react = /^(react|react-dom|scheduler)(\/|$)/

const sized =
  (name: string, external?: RegExp) =>
  async (bundle: Bundle): Promise<number> =>
    gzipped((await bundle(name, external)).first)

/**
 * What the kernel adds to our own code in the app with one call: with it, less without it. Effect stays out of both, so that
 * nothing of it counts.
 */
const kernel = async (bundle: Bundle): Promise<number> => {
  const ownCode = await sized(app("one-call.ts"), /^effect\//)(bundle)
  return ownCode - (await sized(app("one-call.ts"), /^effect\/|\/kernel\//)(bundle))
}

const apps: Readonly<Record<string, (bundle: Bundle) => Promise<number>>> = {
  "one call, Effect": sized(app("one-call.ts")),
  "one call, README style": sized(app("readme-style.ts")),
  "one call, root entries": sized(app("root-entry.ts")),
  "one call, Promise public": sized(app("promise-call.ts")),
  "one call, Promise admin": sized(app("promise-admin-call.ts")),
  "all calls, Promise public": sized(app("promise.ts")),
  "all calls, Promise admin": sized(app("promise-admin.ts")),
  "one query, React (without React)": sized(app("one-query.tsx"), react),
  "the kernel in one call, Effect": kernel,
  "floor: Effect and Layer": sized(app("floor-layer.ts")),
  "floor: Effect, Layer, Schema": sized(app("floor-schema.ts"))
}

/** One call through each rival's client, where the benchmark's packages are installed. */
const rivals = exists("test/bench/node_modules")
  ? Object.fromEntries(
      ["supabase", "stripe", "appwrite", "pocketbase", "directus"].map((name) => [
        `rival: ${name}`,
        sized(`test/bench/apps/${name}.mjs`)
      ])
    )
  : {}

/** Sizes by app, then by bundler. */
export const sizes = async (): Promise<Readonly<Record<string, Figures>>> => {
  const rows: Record<string, Figures> = {}
  for (const [row, measure] of Object.entries({ ...apps, ...rivals })) {
    const figures: Record<string, number> = {}
    for (const [bundler, bundle] of Object.entries(bundlers)) figures[bundler] = await measure(bundle)
    rows[row] = figures
  }
  return rows
}
