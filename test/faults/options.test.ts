// The command line of `npm run torture`: what it takes, and that a mistake is told by its flag and its rule.

import { UsageError } from "@quartet/support/command-line.js"
import { expect, test } from "vitest"
import { help, readOptions } from "./options.js"

const names = ["calls", "refunds", "chat"]
const split = (line: string) => readOptions(line === "" ? [] : line.split("|"), names)

test("without flags all scenarios run at full size, by a seed of chance, each for 10 minutes at most", () => {
  const { seed, ...options } = split("")
  expect(Number.isSafeInteger(seed) && seed >= 0).toBe(true)
  expect(options).toEqual({ quick: false, only: names, json: undefined, timeout: 600, help: false })
})

test.each<[line: string, options: object]>([
  ["--quick", { quick: true, timeout: 120 }],
  ["--quick|--timeout|7", { quick: true, timeout: 7 }],
  ["--timeout=1200", { quick: false, timeout: 1200 }],
  ["--seed|42", { seed: 42 }],
  ["--seed=0", { seed: 0 }],
  ["--only|chat, calls,chat", { only: ["calls", "chat"] }],
  ["--json|figures.json", { json: "figures.json" }],
  ["--help", { help: true }]
])("%s is read as %j", (line, options) => {
  expect(split(line)).toMatchObject(options)
})

test.each<[line: string, ...says: ReadonlyArray<string>]>([
  ["--seed|soon", '--seed takes a whole number from 0, not "soon"'],
  ["--seed|1.5", '--seed takes a whole number from 0, not "1.5"'],
  ["--seed=", '--seed takes a whole number from 0, not ""'],
  ["--seed=-1", '--seed takes a whole number from 0, not "-1"'],
  ["--seed|9007199254740993", "--seed takes a whole number"],
  ["--seed", "--seed", "argument missing"],
  ["--timeout|0", '--timeout takes a whole number from 1, not "0"'],
  ["--timeout|Infinity", '--timeout takes a whole number from 1, not "Infinity"'],
  ["--only|chats", '--only: no "chats" among calls, refunds, chat'],
  ["--only|calls,", '--only: no "" among calls, refunds, chat'],
  ["--json", "--json", "argument missing"],
  ["--quick=yes", "--quick", "does not take an argument"],
  ["--fast", "Unknown option '--fast'"],
  ["calls", "Unexpected argument 'calls'"]
])("%s is refused with its flag and its rule", (line, ...says) => {
  expect(() => split(line)).toThrow(UsageError)
  for (const said of says) expect(() => split(line)).toThrow(said)
})

test("the help names every flag and every scenario", () => {
  const text = help(["calls", "chat"].map((name) => ({ name, title: `a ${name}` })))
  for (const flag of ["--quick", "--seed", "--only", "--json", "--timeout", "--help"])
    expect(text).toContain(`\n  ${flag} `)
  expect(text).toMatch(/\n +calls +a calls\n +chat +a chat\n/)
})
