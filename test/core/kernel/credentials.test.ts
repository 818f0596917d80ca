// Secrets are replaced by dots wherever text of others might repeat them.
import { describe, expect, it } from "@effect/vitest"
import * as FC from "effect/FastCheck"
import { mask } from "../../../core/kernel/credentials.js"
import "./seed.js"

describe("masking", () => {
  it("replaces every occurrence of every secret", () => {
    expect(mask("a tok-1 b tok-1 c key-2", ["tok-1", "key-2"])).toBe("a ••• b ••• c •••")
  })

  it("replaces the percent-encoded form too", () => {
    expect(mask("?password=p%40ss%20word", ["p@ss word"])).toBe("?password=•••")
  })

  it.each([
    ["JSON in a URL", encodeURIComponent(JSON.stringify('pä"ss\\w').slice(1, -1))],
    ["question marks for what is no ASCII", 'p?"ss\\w'],
    ["UTF-8 that was read as Latin-1", Buffer.from('pä"ss\\w').toString("latin1")],
    ["hexadecimal", Buffer.from('pä"ss\\w').toString("hex")],
    ["Unicode escapes", 'p\\u00e4\\"ss\\\\w']
  ])("finds a secret that is written as %s", (_, written) => {
    expect(mask(`before ${written} after`, ['pä"ss\\w'])).toBe("before ••• after")
  })

  it("leaves nothing of a secret that holds another one, whatever their order", () => {
    for (const secrets of [
      ["tok-1", "Bearer tok-1-and-more"],
      ["Bearer tok-1-and-more", "tok-1"]
    ]) {
      expect(mask("header Bearer tok-1-and-more.", secrets)).toBe("header •••.")
    }
  })

  it("takes secrets literally", () => {
    expect(mask("a.*b $& a.*b", ["a.*b"])).toBe("••• $& •••")
    expect(mask("axxb", ["a.*b"])).toBe("axxb")
  })

  it("leaves text alone where a secret is too short to be told from text", () => {
    expect(mask("abc", ["", "a", "abc"])).toBe("abc")
  })

  it("bears a secret that cannot be percent-encoded", () => {
    expect(mask("before \ud800pass after", ["\ud800pass"])).toBe("before ••• after")
  })

  it.prop(
    "never leaves a secret in the text",
    [FC.array(FC.string({ minLength: 4, unit: "binary" })), FC.array(FC.string())],
    ([secrets, texts]) => {
      const text = secrets.flatMap((secret, at) => [texts[at] ?? " ", secret]).join("")
      const masked = mask(text, secrets)
      for (const secret of secrets) expect(masked).not.toContain(secret)
    }
  )
})
