// What people read of the rules that a call's input breaks.
import { expect, test } from "vitest"
import { adviceOf } from "../app/explain.js"

test.each([
  ["is required", "Fill this in."],
  ["must be a whole number, at least 1", "Enter a whole number, 1 or more."],
  [
    'must be one of pending, user_accepted (did you mean "pending"?); Input.raw passes others',
    "Choose one of Pending, User accepted."
  ],
  [
    'is not a field of this body (did you mean "amount"?); Input.raw passes others',
    'It is not a field of this body (did you mean "amount"?).'
  ],
  ["must not be null; Input.raw passes it", "It must not be null."]
])("the rule %j is read as %j", (rule, advice) => {
  expect(adviceOf(rule)).toBe(advice)
})
