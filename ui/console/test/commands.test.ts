/** Which command a key runs. */
import { expect, test } from "vitest"
import { letterOf } from "../app/commands.js"

test.each([
  ["a letter", { key: "j", code: "KeyJ", shiftKey: false }, "j"],
  ["a letter with Caps Lock", { key: "J", code: "KeyJ", shiftKey: false }, "j"],
  ["a letter with Shift", { key: "J", code: "KeyJ", shiftKey: true }, "J"],
  ["a letter of a Georgian layout", { key: "ჯ", code: "KeyJ", shiftKey: false }, "j"],
  ["a sign", { key: "?", code: "Slash", shiftKey: true }, "?"],
  ["a key with a name", { key: "Escape", code: "Escape", shiftKey: false }, "Escape"]
])("%s counts as it is meant", (_, pressed, letter) => expect(letterOf(pressed)).toBe(letter))
