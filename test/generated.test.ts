// What is generated is what the sources say: nobody edits it by hand, and nobody forgets `npm run generate`.
import { describe, expect, test } from "vitest"
import { isStale, leftOver, written } from "../tools/generate/all.js"

describe("the generated files", () => {
  test.each([...written.keys()])("%s is what the sources say", (file) => {
    expect(isStale([file, written.get(file) ?? ""])).toBe(false)
  })

  test("are all of those that say that they are generated", () => {
    expect(leftOver).toEqual([])
  })

  test("control: a file that is missing or otherwise is stale", () => {
    const [[file, text] = ["", ""]] = written
    expect(isStale([file, `${text}\n`])).toBe(true)
    expect(isStale(["clients/admin/nothing.ts", text])).toBe(true)
  })
})
