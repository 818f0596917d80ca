// Every statement of the specification has an edit that breaks it, and each still changes its source in one place. That the
// tests named for it then fail is for `npm run mutants:statements` to see.

import { read } from "@quartet/support/files.js"
import { edits, entities, moved } from "@quartet/support/statement-edits.js"
import { expect, test } from "vitest"
import { calls } from "../../tools/specification/calls.js"
import { trace } from "../../tools/specification/trace.js"
import { mutated } from "./copy.js"

test.each(edits)("$name: changes its source", (edit) => {
  const source = read(edit.file)
  expect(mutated(source, { ...edit, killedBy: "" })).not.toBe(source)
})

test("every statement that states no call has an edit, and no edit is of no statement or said twice", () => {
  const broken = new Set(edits.map(({ statement }) => statement))
  const whole = trace.filter(
    ({ calls: stated, id }) => stated.length === 0 && id !== entities && !broken.has(id)
  )
  expect(whole.map(({ id, text }) => `${id} ${text}`)).toEqual([])
  const ids = trace.map(({ id }) => id)
  expect([...broken].filter((id) => !ids.includes(id))).toEqual([])
  expect(new Set(edits.map(({ name }) => name)).size).toBe(edits.length)
})

test("a test of a statement of calls that makes none of them has an edit of its own", () => {
  const others = trace.filter(
    ({ calls: stated, tests }) =>
      stated.length > 0 &&
      tests.some(
        ({ file }) => file !== "test/wire/ledger.test.ts" && !file.startsWith("packages/sandbox/test/")
      )
  )
  expect(others.length).toBeGreaterThan(0)
  const bare = others.filter(({ id }) => !edits.some(({ statement }) => statement === id))
  expect(bare.map(({ id }) => id)).toEqual([])
})

test("every call can be put at another address", () => {
  const counted = (file: string, word: RegExp) => [...moved(read(file)).matchAll(word)].length
  const files = [...new Set(calls.map(({ operation }) => operation.file))]
  expect(files.map((file) => [file, counted(file, /path: "moved\/" \+ /g)])).toEqual(
    files.map((file) => [file, counted(file, /Operation\.make\(/g)])
  )
})
