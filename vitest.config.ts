import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    environment: "node",
    include: ["test/**/*.test.{ts,tsx}"],
    exclude: ["**/node_modules/**", "test/bench/**"],
    pool: "forks",
    minWorkers: 1,
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
    teardownTimeout: 20_000,
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
