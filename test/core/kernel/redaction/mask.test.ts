// Secrets are replaced by dots wherever text of others might repeat them.
import { describe, expect, it } from "@effect/vitest"
import { cpuOf } from "@quartet/support/growth.js"
import * as FC from "effect/FastCheck"
import { mask } from "../../../../core/kernel/redaction/mask.js"

describe("masking", () => {
  it("replaces every occurrence of every secret", () => {
    expect(mask("a tok-1 b tok-1 c key-2", ["tok-1", "key-2"])).toBe("a ••• b ••• c •••")
  })

  it("replaces the percent-encoded form too", () => {
    expect(mask("?password=p%40ss%20word", ["p@ss word"])).toBe("?password=•••")
  })

  it.each([
    "X-Amz-Signature",
    "X-Amz-Credential",
    "X-Amz-Security-Token",
    "X-Goog-Signature",
    "Signature",
    "sig"
  ])("replaces what signs an address as %s, though no client knows it", (name) => {
    const address = `https://files.test/a.pdf?size=9&${name}=ab%2F12-_&page=2`
    expect(mask(`see "${address}"`, [])).toBe(`see "https://files.test/a.pdf?size=9•••&page=2"`)
    expect(mask(JSON.stringify({ href: address.replace("&", "&amp;") }), [])).not.toContain("ab%2F12")
  })

  it.each([
    ["JSON in a URL", encodeURIComponent(JSON.stringify('pä"ss\\w').slice(1, -1))],
    ["question marks for what is no ASCII", 'p?"ss\\w'],
    ["UTF-8 that was read as Latin-1", Buffer.from('pä"ss\\w').toString("latin1")],
    ["hexadecimal", Buffer.from('pä"ss\\w').toString("hex")],
    ["hexadecimal in capitals", Buffer.from('pä"ss\\w').toString("hex").toUpperCase()],
    ["Unicode escapes", 'p\\u00e4\\"ss\\\\w'],
    ["doubly percent-encoded", encodeURIComponent(encodeURIComponent('pä"ss\\w'))],
    ["JSON in JSON", JSON.stringify(JSON.stringify('pä"ss\\w')).slice(3, -3)],
    ["JSON in JSON in JSON", JSON.stringify(JSON.stringify(JSON.stringify('pä"ss\\w'))).slice(7, -7)],
    ["decimal entities", "&#112;&#228;&#34;&#115;&#115;&#92;&#119;"],
    ["hexadecimal entities with zeros", "&#x00070;&#X000E4;&#x22;&#x73;&#x73;&#x5C;&#x77;"],
    ["entities without their ends", "&#112&#228&#34ss&#92w"],
    ["named entities", "p&auml;&quot;ss&bsol;w"],
    ["entities escaped again", "p&amp;auml;&amp;quot;ss&amp;#92;w"],
    ["JSON within HTML", "p&#228;\\&quot;ss\\\\w"],
    ["HTML within a URL", encodeURIComponent("p&#228;&quot;ss&#92;w")],
    ["JavaScript's escapes", "\\x70\\u{e4}\\x22\\x73s\\\\w"],
    ["Latin-1 in a URL", "p%E4%22ss%5Cw"],
    ["a bit of everything", "p\\u00e4%22s&#115;%5C&#x77;"]
  ])("finds a secret that is written as %s", (_, written) => {
    expect(mask(`before ${written} after`, ['pä"ss\\w'])).toBe("before ••• after")
  })

  describe.each(["base64", "base64url"] as const)("in %s", (encoding) => {
    it.each([
      [0, "•••54eXo="],
      [1, "eH•••eHl6"],
      [2, "eHh•••nh5eg=="]
    ])("finds a secret that stands at offset %i", (offset, masked) => {
      // Bytes that base64 writes with + and /, base64url with - and _.
      const text = `${"x".repeat(offset)}~~~ÿ?>~~ÿ?~>xyz`
      const written = Buffer.from(text).toString(encoding)
      expect(mask(written, ["~~~ÿ?>~~ÿ?~>"])).toBe(
        encoding === "base64" ? masked : masked.replaceAll("=", "")
      )
    })
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

  it("hides a secret of two or three characters where it stands alone, and not within words and numbers", () => {
    const text = "123 is wrong: (123), 1234, x123, card-123-4, %31%32%33. ab? tab; a"
    expect(mask(text, ["", "a", "ab", "123"])).toBe(
      "••• is wrong: (•••), 1234, x123, card-•••-4, •••. •••? tab; a"
    )
  })

  it("finds a secret that is written in base64 within a URL", () => {
    const written = encodeURIComponent(Buffer.from("~~~ÿ?>~~").toString("base64"))
    expect(written).toContain("%2F")
    expect(mask(`before ${written} after`, ["~~~ÿ?>~~"])).toBe("before ••• after")
  })

  it.each([
    ["§ß€~1", "&sect;&szlig;&euro;~1"],
    ["šěÅñ1", "&scaron;&ecaron;&Aring;&ntilde;1"],
    ["a[b]{c|d}", "a&lbrack;b&rsqb;&lcub;c&vert;d&rbrace;"],
    ["<!--#%=1", "&LT;&excl;--&num;&percnt;&equals;1"]
  ])("knows HTML's names of the characters of %s", (secret, written) => {
    expect(mask(`before ${written} after`, [secret])).toBe("before ••• after")
  })

  it("leaves the text around a secret as it came, escapes and all", () => {
    expect(mask("50%25 &amp; \\n p%40ss%20word &lt; 100%", ["p@ss word"])).toBe(
      "50%25 &amp; \\n ••• &lt; 100%"
    )
  })

  it("takes no time over text that is all escapes", () => {
    const hostile = ["%25", "&amp;", "\\\\", "%5C&#37;25+"].map((text) => text.repeat(20_000)).join("")
    mask(hostile, ["hunter2-hunter2", `${"eyJhbGciOi".repeat(40)}`])
  })

  it("takes hardly longer for thousands of secrets, in text that is all escapes", () => {
    const tokens = Array.from({ length: 2_000 }, (_, at) => `tok_${at}_${"abcdefghij".repeat(3)}`)
    const hostile = ["%25", "&amp;", "\\\\", "tok_", "%5C&#37;25+"].map((text) => text.repeat(1_500)).join("")
    const taken = (secrets: ReadonlyArray<string>): number =>
      cpuOf(() => expect(mask(`${tokens[7]} ${hostile}`, secrets)).not.toContain("tok_7_a"))
    taken([tokens[7] ?? ""])
    const single = taken([tokens[7] ?? ""])
    expect(taken(tokens)).toBeLessThan(single * 5 + 500_000)
  })

  it("finds the longest of secrets that begin alike, and those that overlap", () => {
    const secrets = ["abcd", "abcdef", "abcdefgh", "efghij", "abxx"]
    expect(mask("abcdefg abcdefghij abcdx abc abxx", secrets)).toBe("•••g ••• •••x abc •••")
  })

  it("does not look for a short secret in hexadecimal or base64", () => {
    expect(mask("Order 53132, MTIz, code 12", ["12", "S12"])).toBe("Order 53132, MTIz, code •••")
  })

  it("finds a secret whose quotes are doubled as in SQL", () => {
    expect(mask("WHERE p = 'it''s-me'", ["it's-me"])).toBe("WHERE p = '•••'")
  })

  it("finds a secret three escapes deep and mixed, whatever other escapes stand around it", () => {
    const around = ["%2525+", "&amp;amp;lt;", "\\\\\\u0041", "%26amp%3B\\u0025", "&#92;u0026amp;"].join(" ")
    const secret = 'p<w&d"1'
    const ways = [
      encodeURIComponent,
      (text: string) => JSON.stringify(text).slice(1, -1),
      (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
    ]
    for (const outer of ways)
      for (const inner of ways)
        for (const three of ways)
          expect(mask(`${around} ${three(inner(outer(secret)))} ${around}`, [secret])).toContain("•••")
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
