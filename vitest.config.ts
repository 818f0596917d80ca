import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

/** In this process alone: no sockets, no other processes, no disk to speak of. */
const unit = [
  "test/core/**/*.test.ts",
  "test/ui/{rx,console}/**/*.test.{ts,tsx}",
  "test/docs/!(run).test.ts",
  "test/*.test.ts"
]
const browser = ["test/e2e/**/*.test.ts"]
/** Soaks and torture, in any folder. */
const slow = ["test/**/*.slow.test.{ts,tsx}"]
/** Of these `npm test` runs a part, and `npm run test:slow` the whole: see test/support/scale.ts. */
const scaled = [
  "test/faults/lies.test.ts",
  "test/security/{memory,tls}.test.ts",
  "test/docs/run.test.ts",
  "test/adapters/openapi/samples.test.ts"
]

/** Many tests wait for sockets, for a page or for time: more of them than cores are at work. */
const workers = Math.ceil(availableParallelism() * 1.5)

export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    maxWorkers: workers,
    // All from the start with `--no-isolate`: Vitest 3 fails where it ends an idle one.
    ...(process.argv.includes("--no-isolate") ? { minWorkers: workers } : {}),
    // By the times of the last run the heaviest files begin together, and wait for each other.
    cache: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 20_000,
    setupFiles: ["test/seed.ts"],
    reporters: ["default", "./test/support/reporter.ts"],
    projects: [
      { extends: true, test: { name: "unit", include: unit, exclude: slow } },
      {
        extends: true,
        test: {
          name: "wire",
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: [...unit, ...browser, ...slow]
        }
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: browser,
          exclude: slow,
          globalSetup: "test/e2e/setup.ts",
          // The first test of a file waits for the console's build and for its page.
          testTimeout: 300_000
        }
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: [...slow, ...scaled],
          globalSetup: "test/e2e/setup.ts",
          env: { SCALE: "whole" }
        }
      }
    ],
    coverage: {
      provider: "v8",
      experimentalAstAwareRemapping: true,
      include: ["core/**/*.ts", "adapters/**/*.ts", "clients/**/*.ts"],
      reporter: ["text", "json-summary", "html"],
      reportsDirectory: "coverage",
      thresholds: { lines: 95 }
    }
  }
})
