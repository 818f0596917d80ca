// No error, log line, span or printed client holds a secret, whatever a server repeats and however it writes it.
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inspect, promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { build } from "esbuild"
import { json } from "../core/kernel/fake-transport.js"
import { canaries, leaksIn } from "./secrets/canaries.js"
import { writings } from "./secrets/echoes.js"
import { makeAccount, run } from "./secrets/matrix.js"
import { platform, subjects } from "./secrets/subjects.js"

const account = makeAccount()

describe("a server that repeats every secret it was told", () => {
  it.live.each(subjects)("$name: no error shows one by any sink", (subject) =>
    Effect.gen(function* () {
      const before = account.errors
      yield* run(account, subject)
      expect(account.errors - before).toBeGreaterThan(300)
      expect(account.leaks).toEqual([])
    })
  )

  it("has made every kind of error, and enough of them to be worth something", () => {
    console.info(
      `secrets: ${account.leaks.length} leaks in ${account.cases} cases of ${account.errors} errors`
    )
    console.info(account.tags)
    expect(account.cases).toBeGreaterThan(100_000)
  })
})
