/** JSON that somebody wrote for us: what a reader would change or pass over in silence has a rule. */

import { it } from "@effect/vitest"
import * as FC from "effect/FastCheck"
import { describe, expect } from "vitest"
import { ruleOf } from "../../../../core/kernel/codec/written.js"

describe("a JSON text that somebody wrote", () => {
  it.each([
    ['{"a":1,"a":2}', 'has "a" twice: give it once'],
    ['{"a":1,"\\u0061":2}', 'has "a" twice: give it once'],
    ['[{"b":{"a":{},"c":[1,{"a":1}],"a":3}}]', 'has "a" twice: give it once'],
    ['{"__proto__":1,"__proto__":2}', 'has "__proto__" twice: give it once'],
    ['{"a secret":1,"a secret":2}', "has a name twice: give it once"],
    [
      '{"a":0.1000000000000000055511151231257827}',
      "has a number with more digits than a number holds: write it as text"
    ],
    ["[1e400]", "has a number with more digits than a number holds: write it as text"]
  ])("is refused where it says two things, or what no number holds: %s", (json, rule) => {
    expect(ruleOf(json)).toBe(rule)
  })

  it.prop("has no rule where a program wrote it of plain data", [FC.jsonValue()], ([value]) => {
    expect(ruleOf(JSON.stringify(value))).toBeUndefined()
    expect(ruleOf(JSON.stringify(value, null, 2))).toBeUndefined()
  })

  it.prop("is refused wherever a name stands twice", [FC.string(), FC.jsonValue()], ([name, value]) => {
    const field = `${JSON.stringify(name)}:${JSON.stringify(value)}`
    expect(ruleOf(`[{"deep":{${field} , ${field}}}]`)).toMatch(/ twice: give it once$/)
  })

  it("of 30 million characters in one text is borne", () => {
    expect(ruleOf(`{"t":"${'\\\\"'.repeat(15e6)}","t":1}`)).toBe('has "t" twice: give it once')
  })
})
