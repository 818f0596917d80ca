// What the far end saw comes back inside its answer, byte for byte.
import { describe, expect, test } from "vitest"
import { echoed, partsOf, sightOf, valuesOf } from "./sight.js"

const seen = (...lines: ReadonlyArray<string>) => {
  const sight = sightOf(JSON.parse(echoed(Buffer.from(lines.join("\r\n"), "latin1"))))
  return sight ?? expect.unreachable("nothing was seen")
}

describe("a request that was seen", () => {
  test("has its method and its target as they stood in the request line, whatever stands there", () => {
    const sight = seen("POST /a b/%2F?x=1?y HTTP/1.1", "host: a", "", "")
    expect(sight.method).toBe("POST")
    expect(sight.target).toBe("/a b/%2F?x=1?y")
    expect(partsOf(sight)).toEqual({ path: "/a b/%2F", query: "x=1?y" })
    expect(partsOf({ ...sight, target: "/a" })).toEqual({ path: "/a", query: "" })
  })

  test("has all its headers, in their order, also those that come twice", () => {
    const sight = seen("GET / HTTP/1.1", "X-A: 1", "x-b:2", "x-a:  3: 4 ", "", "")
    expect(sight.headers).toEqual([
      ["x-a", "1"],
      ["x-b", "2"],
      ["x-a", "3: 4"]
    ])
    expect(valuesOf(sight, "x-a")).toEqual(["1", "3: 4"])
    expect(valuesOf(sight, "x-c")).toEqual([])
  })

  test("has its body byte for byte, of a stated length or in chunks", () => {
    const body = "\u0000\u00ff\r\n\r\nbody"
    expect(seen("POST / HTTP/1.1", "content-length: 10", "", body).body.toString("latin1")).toBe(body)
    const chunks = ["4", body.slice(0, 4), "6;x=y", body.slice(4), "0", "", ""]
    const sight = seen("POST / HTTP/1.1", "transfer-encoding: chunked", "", ...chunks)
    expect(sight.body.toString("latin1")).toBe(body)
  })

  test("is read from a single value and from a list", () => {
    const answer: unknown = JSON.parse(echoed(Buffer.from("GET / HTTP/1.1\r\n\r\n")))
    for (const field of ["items", "seen"])
      expect(sightOf({ [field]: Reflect.get(Object(answer), field) })?.target).toBe("/")
  })
})

test("an answer that holds no request shows none", () => {
  for (const answer of [
    undefined,
    null,
    "x",
    5,
    [],
    {},
    { seen: 5 },
    { items: [] },
    { items: [{ _id: "x" }] }
  ])
    expect(sightOf(answer)).toBeUndefined()
})
