import { defineConfig } from "vitest/config"

/** In this process alone: no sockets, no other processes, no disk to speak of. */
const unit = [
  "test/core/**/*.test.ts",
  "test/ui/{rx,console}/**/*.test.{ts,tsx}",
  "test/docs/**/*.test.ts",
  "test/*.test.ts"
]
const browser = ["test/e2e/**/*.test.ts"]
/** Soaks and torture, in any folder. */
const slow = ["test/**/*.slow.test.{ts,tsx}"]

/** One process for all files, which loads the sources once: their tests leave nothing behind in it. */
const shared = { forks: { singleFork: true, isolate: false } }
/** As many of them as there are cores. */
const spread = { forks: { isolate: false } }

export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    maxWorkers: "100%",
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 20_000,
    setupFiles: ["test/seed.ts"],
    projects: [
      { extends: true, test: { name: "unit", include: unit, exclude: slow, poolOptions: shared } },
      {
        extends: true,
        test: {
          name: "wire",
          include: ["test/**/*.test.{ts,tsx}"],
          exclude: [...unit, ...browser, ...slow],
          poolOptions: spread
        }
      },
      {
        extends: true,
        test: { name: "browser", include: browser, globalSetup: "test/e2e/setup.ts", poolOptions: shared }
      },
      { extends: true, test: { name: "slow", include: slow } }
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
