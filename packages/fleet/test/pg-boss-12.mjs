// Runs the suite over pg-boss 12 under the Node that runs this.
import { fileURLToPath } from "node:url"
import { startVitest } from "vitest/node"

const resolve = { conditions: ["@quartet/source"] }
await startVitest(
  "test",
  [],
  {
    config: false,
    watch: false,
    root: fileURLToPath(new URL("../../..", import.meta.url)),
    include: ["packages/fleet/test/pg-boss-12.suite.ts"],
    setupFiles: ["test/seed.ts"],
    pool: "forks",
    testTimeout: 300_000,
    hookTimeout: 300_000
  },
  { resolve, environments: { ssr: { resolve } } }
)
