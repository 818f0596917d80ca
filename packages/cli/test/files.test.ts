// The files that commands write: where a name leads, and what is there while and after one is written.
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as Files from "../files.js"

let folder = ""
const at = (name: string): string => join(folder, name)
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "quartet-files-")))
})
const { geteuid, seteuid } = process
const user = geteuid?.() ?? 0
afterEach(() => {
  seteuid?.(user)
  chmodSync(folder, 0o755)
  rmSync(folder, { recursive: true, force: true })
})

const write = (name: string, text: string) => Effect.runPromise(Files.write(at(name), text))
const text = (name: string): string => readFileSync(at(name), "utf8")

describe("the place of a file", () => {
  it("is behind its links, also where they lead to what is not there yet", () => {
    mkdirSync(at("real"))
    symlinkSync("real", at("linked"))
    symlinkSync("linked/new.json", at("one"))
    symlinkSync(at("one"), at("two"))
    symlinkSync("../real/new.json", at("real/three"))
    const names = [
      "real/new.json",
      "linked/new.json",
      "one",
      "two",
      "linked/three",
      "real/../linked/./new.json"
    ]
    for (const name of names) {
      expect(Files.placeOf(at(name))).toBe(at("real/new.json"))
      expect(Files.isOne(at(name), at("two"))).toBe(true)
    }
    expect(Files.placeOf(at("none/new.json"))).toBe(at("none/new.json"))
    expect(Files.isOne(at("one"), at("linked/other.json"))).toBe(false)
  })

  it("is somewhere though links lead in a circle", () => {
    symlinkSync("b", at("a"))
    symlinkSync("a", at("b"))
    expect([at("a"), at("b")]).toContain(Files.placeOf(at("a")))
  })

  it("may be one device for several, which takes nothing from any", () => {
    expect(Files.isOne("/dev/null", "/dev/null")).toBe(false)
  })
})

describe("what a file would take the place of", () => {
  it("is its text, and nothing where there is no file", async () => {
    await write("module.ts", "before")
    const texts = ["module.ts", "none.ts"].map((name) => Effect.runPromise(Files.before(at(name))))
    expect(await Promise.all(texts)).toEqual(["before", undefined])
  })

  it("is nothing for a device, and for a pipe, which nobody may write to: neither is read", async () => {
    execFileSync("mkfifo", [at("pipe")])
    for (const path of ["/dev/zero", at("pipe")])
      expect(await Effect.runPromise(Files.before(path))).toBeUndefined()
  })
})

describe("a file that is written", () => {
  it("is there once it is whole: until then, and after a failure, there is the one from before", async () => {
    await write("module.ts", "before")
    let between = ""
    const half = Files.fill(at("module.ts"), (put) =>
      Effect.flatMap(put("half"), () => {
        between = text("module.ts")
        return Effect.fail("broken")
      })
    )
    expect(await Effect.runPromiseExit(half)).toEqual(Exit.fail("broken"))
    expect([between, text("module.ts"), readdirSync(folder)]).toEqual(["before", "before", ["module.ts"]])
    await write("module.ts", "after")
    expect([text("module.ts"), readdirSync(folder)]).toEqual(["after", ["module.ts"]])
  })

  it("keeps its permissions, and the link that leads to it, as to one that was not there", async () => {
    await write("deep/private.ts", "before")
    chmodSync(at("deep/private.ts"), 0o640)
    symlinkSync("deep/private.ts", at("link.ts"))
    symlinkSync("deep/new.ts", at("later.ts"))
    await write("link.ts", "after")
    await write("later.ts", "new")
    expect([text("deep/private.ts"), text("deep/new.ts")]).toEqual(["after", "new"])
    expect(statSync(at("deep/private.ts")).mode & 0o777).toBe(0o640)
    for (const link of ["link.ts", "later.ts"]) expect(lstatSync(at(link)).isSymbolicLink()).toBe(true)
  })

  it("is written where its folder takes no other file", async () => {
    await write("only.ts", "before")
    chmodSync(at("only.ts"), 0o666)
    chmodSync(folder, 0o555)
    // The superuser may write everywhere.
    if (user === 0) seteuid?.(65_534)
    await write("only.ts", "after")
    expect(text("only.ts")).toBe("after")
    expect(await Effect.runPromise(Effect.flip(Files.write(at("other.ts"), "")))).toMatchObject({
      message: `the file ${at("other.ts")} cannot be written: EACCES`
    })
  })
})
