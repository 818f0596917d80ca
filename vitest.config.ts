import { existsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import type * as Patience from "@quartet/support/patience.js"
import { runnerImport } from "vite"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

// Node itself would load this file, and reads no TypeScript.
const { module } = await runnerImport<typeof Patience>(
  fileURLToPath(new URL("packages/support/patience.ts", import.meta.url))
)
const { patient } = module

/** They share their processes, and leave nothing behind in them: no socket, no listener, no variable. */
const unit = [
  "test/{architecture,core}/**/*.test.ts",
  "test/adapters/{tap,telemetry}/**/*.test.ts",
  "packages/cli/test/{adapt,codegen,recording}/**/*.test.ts",
  "packages/fleet/test/csv/**/*.test.ts",
  "packages/sandbox/test/testing/**/*.test.ts",
  "test/contracts/middleware.test.ts",
  "test/faults/{clock,options,suffer}.test.ts",
  "packages/sandbox/test/{content,determinism,files,office,people,profiles,shop,visitor-content}.test.ts",
  "test/security/{construction,printed,prototypes,secrets,tokens}.test.ts",
  "test/wire/ledger.test.ts",
  // Two versions of React, or a server's render that is given up, leave contexts behind.
  "ui/test/{rx,outbox,devtools}/**/!(react-18|streaming).test.{ts,tsx}",
  "ui/console/test/**/*.test.{ts,tsx}",
  "packages/support/*.test.ts",
  "test/docs/*.test.ts",
  "test/*.test.ts"
]
const browser = ["test/e2e/**/*.test.ts"]
/** Soaks, torture, long walks through the console, many processes, and compilers, in any folder. */
const slow = ["{test,ui,packages}/**/*.slow.test.{ts,tsx}"]
/** Of these `npm test` runs a part, and `npm run test:slow` the whole: see packages/support/scale.ts. */
const scaled = ["test/e2e/{every,views}.test.ts", "test/faults/lies.test.ts", "test/security/tls.test.ts"]
/** Of these `npm test` and `npm run test:slow` run a part, and `npm run test:release` the whole. */
const long = [
  "test/bundle/install.slow.test.ts",
  "test/core/chat/cycles.slow.test.ts",
  "test/docs/contributing.slow.test.ts",
  "test/e2e/heap.slow.test.ts",
  "test/release/checks.slow.test.ts",
  "test/security/{memory,secrets}.test.ts"
]

/** What takes longest of the whole begins first, or the machine waits for it in the end. The others go by their size. */
const longest = [
  "test/bundle/install.slow.test.ts",
  "test/e2e/site.slow.test.ts",
  "test/docs/contributing.slow.test.ts",
  "test/docs/run.slow.test.ts",
  "test/ui/rx/next.slow.test.ts",
  "test/e2e/rows.slow.test.ts",
  "test/adapters/openapi/samples.slow.test.ts",
  "test/e2e/views.test.ts",
  "packages/cli/test/types.slow.test.ts"
]

const gone = longest.filter((path) => !existsSync(new URL(path, import.meta.url)))
if (gone.length > 0) throw new Error(`there is no ${gone.join(", ")} to begin with`)

class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const isLong = ({ moduleId, project }: TestSpecification, path: string): boolean =>
      project.name !== "browser" && moduleId.endsWith(path)
    const first = longest.flatMap((path) => files.filter((file) => isLong(file, path)))
    return [...new Set([...first, ...(await super.sort(files))])]
  }
}

/** Tests of pages: the first of a file waits for the console's build, and each step for a machine that does much else. */
const inPages = {
  globalSetup: "test/e2e/setup.ts",
  testTimeout: patient(300_000),
  expect: { poll: { timeout: patient(30_000) } }
}

/** Siblings are read from their sources: a test sees a change of another package at once. Vitest adds Node's own, under jsdom as well. */
const source = "@quartet/source"

export default defineConfig({
  resolve: { conditions: [source] },
  environments: { ssr: { resolve: { conditions: [source] } } },
  test: {
    environment: "node",
    pool: "forks",
    // Many tests wait for sockets, for a page or for time: more of them than cores are at work.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // By the times of the last run the heaviest files begin together, and wait for each other.
    cache: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: patient(20_000),
    hookTimeout: patient(20_000),
    teardownTimeout: patient(20_000),
    expect: { poll: { timeout: patient(5_000) } },
    setupFiles: ["test/seed.ts"],
    reporters: ["default", "./packages/support/reporter.ts"],
    projects: [
      { extends: true, test: { name: "unit", include: unit, exclude: slow } },
      {
        extends: true,
        test: {
          name: "wire",
          include: ["{test,ui,packages}/**/*.test.{ts,tsx}"],
          exclude: [...unit, ...browser, ...slow]
        }
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: browser,
          exclude: slow,
          ...inPages
        }
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: slow,
          ...inPages,
          globalSetup: ["packages/support/build.ts", inPages.globalSetup]
        }
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: scaled,
          ...inPages,
          env: { SCALE: "whole" }
        }
      },
      {
        extends: true,
        test: {
          name: "release",
          include: long,
          ...inPages,
          globalSetup: ["packages/support/build.ts", inPages.globalSetup],
          env: { SCALE: "whole" }
        }
      }
    ],
    coverage: {
      provider: "v8",
      include: [
        "{core,adapters,clients}/**/*.ts",
        "packages/{fleet,sandbox}/**/*.ts",
        "packages/cli/{codegen,openapi,recording}/**/*.ts"
      ],
      exclude: ["**/{dist,test}/**"],
      reporter: ["text", "json-summary", "html"],
      reportsDirectory: "coverage",
      thresholds: { lines: 95 }
    }
  }
})
