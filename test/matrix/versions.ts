/** What the matrix installs, each version exact. */
import { published } from "@quartet/support/workspaces.js"

const platform = `${process.platform}-${process.arch}`

export const versions = {
  node: ["20.19.0", "22.23.3", "24.21.0", "26.10.0"],
  deno: "2.9.6",
  bun: "1.4.5",
  workerd: "4.20260730.0",
  typescript: ["5.9.3", "6.0.3", "7.0.2"],
  vite: "8.3.8",
  esbuild: "0.28.2",
  rolldown: "1.3.2",
  webpack: "5.112.2",
  next: "16.4.6",
  effect: ["3.22.2", "3.22.4"],
  react: ["18.0.0", "19.3.1"]
} as const

/** The packages of a runtime's own that hold its binary for this machine, and where it stands in them. */
const binaries = {
  node: `node-${platform}`,
  deno: `@deno/${platform}${process.platform === "linux" ? "-glibc" : ""}`,
  bun: `@oven/bun-${platform.replace("arm64", "aarch64")}`
}

/** Where a runtime's binary stands in the folder `runtimes`. */
export const binaryOf = {
  node: (version: string) => `node_modules/node-${version}/bin/node`,
  deno: `node_modules/${binaries.deno}/deno`,
  bun: `node_modules/${binaries.bun}/bin/bun`
}

/** Where a version of TypeScript stands in a consumer. */
export const tscOf = (version: string): string => `node_modules/typescript-${version}/bin/tsc`

const aliases = (name: string, target: string, wanted: ReadonlyArray<string>): Record<string, string> =>
  Object.fromEntries(wanted.map((version) => [`${name}-${version}`, `npm:${target}@${version}`]))

const typescripts = aliases("typescript", "typescript", versions.typescript)

const [oldestEffect, newestEffect] = versions.effect
const [oldestReact, newestReact] = versions.react

/** Folders with the packages that are installed in them, beside those of Quartet (`own`). */
export const folders = {
  runtimes: {
    ...aliases("node", binaries.node, versions.node),
    [binaries.deno]: versions.deno,
    [binaries.bun]: versions.bun,
    miniflare: versions.workerd
  },
  /** What most programs have: no optional peer, and no types of Node. */
  plain: { effect: newestEffect, "@cloudflare/workers-types": "5.20261117.1", ...typescripts },
  bundlers: {
    effect: newestEffect,
    vite: versions.vite,
    esbuild: versions.esbuild,
    rolldown: versions.rolldown,
    webpack: versions.webpack
  },
  next: { effect: newestEffect, next: versions.next, react: newestReact, "react-dom": newestReact },
  newest: {
    ...typescripts,
    "@effect/platform": "0.97.2",
    "@tanstack/react-query": "5.108.0",
    "@types/node": "24.19.2",
    "@types/react": "19.3.0",
    effect: newestEffect,
    react: newestReact,
    "react-dom": newestReact
  },
  oldest: {
    "@effect/platform": "0.90.10",
    "@tanstack/react-query": "5.90.1",
    effect: oldestEffect,
    react: oldestReact,
    "react-dom": oldestReact
  }
} satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

/** The packages of Quartet in each folder. */
export const own: Readonly<Record<keyof typeof folders, ReadonlyArray<string>>> = {
  runtimes: [],
  plain: ["@quartet/sdk", "@quartet/sandbox", "@quartet/cli"],
  bundlers: ["@quartet/sdk"],
  next: ["@quartet/sdk"],
  newest: published.map(({ manifest }) => manifest.name),
  oldest: published.map(({ manifest }) => manifest.name)
}

export type Folder = keyof typeof folders
