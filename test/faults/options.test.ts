// The command line of `npm run torture`: what it takes, and that a mistake is told by its flag and its rule.
import { describe, expect, test } from "vitest"
import { UsageError } from "../support/command-line.js"
import { help, readOptions } from "./options.js"

const names = ["calls", "refunds", "chat"]
const read = (...args: ReadonlyArray<string>) => readOptions(args, names)

describe("without flags", () => {
  test("all lines run at full size, by a seed of chance, each for 10 minutes at most", () => {
    const { seed, ...options } = read()
    expect(Number.isSafeInteger(seed) && seed >= 0).toBe(true)
    expect(options).toEqual({ quick: false, only: names, json: undefined, timeout: 600, help: false })
  })
})

describe("with flags", () => {
  test("with --quick a line has two minutes, unless --timeout says otherwise", () => {
    expect(read("--quick")).toMatchObject({ quick: true, timeout: 120 })
    expect(read("--quick", "--timeout", "7")).toMatchObject({ quick: true, timeout: 7 })
    expect(read("--timeout=1200")).toMatchObject({ quick: false, timeout: 1200 })
  })

  test("--seed fixes the seed, also at 0", () => {
    expect(read("--seed", "42").seed).toBe(42)
    expect(read("--seed=0").seed).toBe(0)
  })

  test("--only chooses lines, in the order of the table and each once", () => {
    expect(read("--only", "chat, calls,chat").only).toEqual(["calls", "chat"])
  })

  test("--json names a file, and --help asks for help alone", () => {
    expect(read("--json", "figures.json").json).toBe("figures.json")
    expect(read("--help").help).toBe(true)
  })
})

describe("a mistake names its flag and its rule:", () => {
  const mistakes: ReadonlyArray<readonly [args: ReadonlyArray<string>, ...says: ReadonlyArray<string>]> = [
    [["--seed", "soon"], '--seed takes a whole number from 0, not "soon"'],
    [["--seed", "1.5"], '--seed takes a whole number from 0, not "1.5"'],
    [["--seed="], '--seed takes a whole number from 0, not ""'],
    [["--seed=-1"], '--seed takes a whole number from 0, not "-1"'],
    [["--seed", "9007199254740993"], "--seed takes a whole number"],
    [["--seed"], "--seed", "argument missing"],
    [["--timeout", "0"], '--timeout takes a whole number from 1, not "0"'],
    [["--timeout", "Infinity"], '--timeout takes a whole number from 1, not "Infinity"'],
    [["--only", "chats"], '--only: no "chats" among calls, refunds, chat'],
    [["--only", "calls,"], '--only: no "" among calls, refunds, chat'],
    [["--json"], "--json", "argument missing"],
    [["--quick=yes"], "--quick", "does not take an argument"],
    [["--fast"], "Unknown option '--fast'"],
    [["calls"], "Unexpected argument 'calls'"]
  ]
  for (const [args, ...says] of mistakes)
    test(args.join(" "), () => {
      expect(() => read(...args)).toThrow(UsageError)
      for (const said of says) expect(() => read(...args)).toThrow(said)
    })
})

test("the help names every flag and every line", () => {
  const text = help([
    { name: "calls", title: "100,000 calls" },
    { name: "chat", title: "a chat" }
  ])
  for (const flag of ["--quick", "--seed", "--only", "--json", "--timeout", "--help"])
    expect(text).toContain(`\n  ${flag} `)
  expect(text).toMatch(/\n +calls +100,000 calls\n +chat +a chat\n/)
})
