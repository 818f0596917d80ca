// Values as devtools show them: masked, bounded, whatever they are.

import { answerText, errorText, OutcomeUnknown, Texts } from "@quartet/sdk/extend"
import { describe, expect, test } from "vitest"

const inputText = (value: unknown): string => new Texts(value).input

/** What the engine says of an object without a text. */
const objectFault = (): string => {
  try {
    return String(Object.create(null))
  } catch (cause) {
    return String(cause)
  }
}

const read = (text: string): unknown => JSON.parse(text)

describe("a value as text", () => {
  test("hides what is named like a secret, at any depth, in texts that hold documents too", () => {
    const value = {
      email: "ann@example.com",
      password: "hunter2",
      deep: [{ accessToken: "t0ken", pin: 1234, document: '{"refreshToken":"t1"}' }]
    }
    for (const text of [inputText(value), answerText(value)]) {
      expect(text).toContain("ann@example.com")
      for (const secret of ["hunter2", "t0ken", "1234", "t1"]) expect(text).not.toContain(secret)
    }
  })

  test("hides a code that was sent, and shows the platform's error code", () => {
    expect(inputText({ code: "493021" })).not.toContain("493021")
    expect(answerText({ code: "E42" })).toContain("E42")
  })

  test("shows Dates, files, Maps, Sets, BigInts and functions as what they are", () => {
    const value = {
      at: new Date(0),
      never: new Date(Number.NaN),
      file: new File(["abc"], "a.txt"),
      map: new Map([["a", 1]]),
      set: new Set([1, 2]),
      big: 10n,
      none: Number.NaN,
      call: function named() {},
      error: new TypeError("no")
    }
    expect(read(answerText(value))).toEqual({
      at: "1970-01-01T00:00:00.000Z",
      never: "Invalid Date",
      file: "File a.txt (3 bytes)",
      map: { a: 1 },
      set: [1, 2],
      big: "10",
      none: "NaN",
      call: "function named",
      error: "TypeError: no"
    })
    expect(answerText(undefined)).toBe("undefined")
  })

  test("ends where a value holds itself, is deep, is long, or throws", () => {
    const round: Record<string, unknown> = { name: "round" }
    round.self = round
    expect(read(answerText(round))).toEqual({ name: "round", self: "…" })
    let deep: unknown = "end"
    for (let level = 0; level < 10_000; level += 1) deep = { deep }
    expect(answerText(deep)).not.toContain("end")
    const long = answerText(Array.from({ length: 100_000 }, (_, place) => ({ place })))
    expect(long.length).toBeLessThan(200_000)
    expect(long).toMatch(/… \d+ more/)
  })

  test("shows all but what throws when it is read, and why that is not shown", () => {
    const throwing = (cause: unknown) =>
      Object.defineProperty({ before: 1 }, "field", {
        enumerable: true,
        get: () => {
          throw cause
        }
      })
    const value = {
      list: [throwing(new Error("not today")), "after"],
      silent: throwing(Object.create(null)),
      entries: new Map([[Object.create(null), 2]]),
      bytes: Object.defineProperty(new Uint8Array(1), "constructor", { value: undefined }),
      last: "shown"
    }
    expect(read(answerText(value))).toEqual({
      list: [{ before: 1, field: "It cannot be shown: Error: not today" }, "after"],
      silent: { before: 1, field: "It cannot be shown." },
      entries: { [`It cannot be shown: ${objectFault()}`]: 2 },
      bytes: expect.stringMatching(/^It cannot be shown: TypeError/),
      last: "shown"
    })
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(read(answerText(proxy))).toMatch(/^It cannot be shown: TypeError/)
    expect(
      new Texts({ password: "hunter2-hunter2" }).answer(throwing(new Error("hunter2-hunter2")))
    ).not.toContain("hunter2")
  })

  test("a field that is named like a prototype's is shown and changes nothing", () => {
    expect(answerText(JSON.parse('{"__proto__":{"polluted":true}}'))).toContain("polluted")
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false)
  })
})

describe("what came of an input", () => {
  const password = "hunter2-hunter2"

  test("repeats none of its secrets: in texts, names, documents, numbers, errors, or the input itself", () => {
    const texts = new Texts({
      email: "ann@example.com",
      password,
      card: new Map([["pin", 4321]]),
      confirm: password
    })
    const answer = {
      email: "ann@example.com",
      note: `${password} is set`,
      [password]: 1,
      document: JSON.stringify({ note: password }),
      digits: 4321,
      link: new URL(`https://x.test/${password}`),
      kept: new Map([[password, new Set([password])]])
    }
    for (const text of [
      texts.answer(answer),
      texts.error(new RangeError(`${password} is too short`)),
      texts.error(answer),
      texts.input,
      texts.line
    ]) {
      expect(text).not.toContain("hunter2")
      expect(text).not.toContain("4321")
    }
    expect(texts.answer(answer)).toContain("ann@example.com")
    expect(texts.error(new RangeError(`${password} is too short`))).toBe("RangeError: ••• is too short")
  })

  test("repeats none, however much else was sent, however deep it lies, and whatever else cannot be read", () => {
    let deep: unknown = { password }
    for (let level = 0; level < 20_000; level += 1) deep = { deep }
    const shared = { note: password }
    const inputs: ReadonlyArray<unknown> = [
      { rows: Array.from({ length: 6_000 }, (_, row) => row), password },
      deep,
      { seen: shared, password: [new Set([new Map([["any", shared]])])] },
      Object.defineProperty({ password }, "broken", {
        enumerable: true,
        get: () => {
          throw new Error("not today")
        }
      })
    ]
    for (const input of inputs) expect(new Texts(input).answer({ said: password })).not.toContain("hunter2")
    expect(new Texts({ pin: 98_765_432_109_876n }).answer("98765432109876")).toBe('"•••"')
  })

  test("shows no access token, wherever it stands", () => {
    const token = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhMSJ9.c2ln"
    expect(new Texts({}).answer({ data: token })).not.toContain("eyJ")
    expect(answerText({ data: token })).not.toContain("eyJ")
  })

  test("is masked though the input holds itself, and shown though it cannot be read", () => {
    const round: Record<string, unknown> = { password }
    round.self = round
    expect(new Texts(round).answer(password)).toBe('"•••"')
    const throwing = Object.defineProperty({}, "field", {
      enumerable: true,
      get: () => {
        throw new Error("not today")
      }
    })
    expect(new Texts(throwing).answer("ok")).toBe('"ok"')
  })

  test("is cut where a text is long, not within a secret", () => {
    const long = new Texts({ password }).answer("x".repeat(19_995) + password)
    expect(long.length).toBeLessThan(20_100)
    expect(long).toContain("…")
    expect(long).not.toContain("hunt")
  })
})

test("an error is its tag and its message", () => {
  const error = new OutcomeUnknown({ operation: "requests.markSeen", reason: "Network", attempts: 1 })
  expect(errorText(error)).toBe(`OutcomeUnknown: ${error.message}`)
  expect(errorText(new RangeError("far"))).toBe("RangeError: far")
  expect(errorText("text")).toBe('"text"')
})
