// What each fault does to a request, seen from a bare client before the proxy and a bare server behind it.
import { describe, expect, test } from "vitest"
import { eventually } from "../../support/eventually.js"
import { get, type Line } from "../bare/client.js"
import { answerTo } from "../bare/server.js"
import { closeAfterEach, openWorld, type World } from "../bare/world.js"
import type { Kind } from "./plan.js"
import type { Entry } from "./proxy.js"

closeAfterEach()

const calls = Array.from({ length: 40 }, (_, number) => `/qt-fault-${number}`)
const firstLine = "HTTP/1.1 200 OK\r\n"

interface Hit {
  readonly target: string
  readonly line: Line
  readonly entry: Entry
}

/** Sends every call on a connection of its own, all of them hit by one kind of fault. */
const hitAll = async (kind: Kind): Promise<World & { readonly hits: ReadonlyArray<Hit> }> => {
  const world = await openWorld({ seed: 11, rate: 1, weights: { [kind]: 1 } })
  const hits: Array<Hit> = []
  for (const target of calls) {
    const line = await world.dial()
    line.send(get(target))
    let entries: ReadonlyArray<Entry> = []
    await eventually(() => {
      entries = world.proxy.take()
      expect(entries).toHaveLength(1)
    })
    hits.push({ target, line, entry: entries[0]! })
  }
  return { ...world, hits }
}

/** What the account says of every hit. */
const accountOf = (hits: ReadonlyArray<Hit>): ReadonlyArray<Partial<Entry>> => {
  const accounts = hits.map(({ entry: { attempt, delivered, forwarded, isTainted, kind, status } }) =>
    JSON.stringify({ attempt, delivered, forwarded, isTainted, kind, status })
  )
  return [...new Set(accounts)].map((text): Partial<Entry> => JSON.parse(text))
}

const targetsOf = (requests: ReadonlyArray<string>): ReadonlyArray<string> =>
  requests.map((request) => request.split(" ")[1] ?? "")

const first = { attempt: 1, isTainted: false }

describe("a request that is lost", () => {
  test("reset-before: the server sees nothing, and the client gets a reset without a byte", async () => {
    const { hits, server } = await hitAll("reset-before")
    for (const { line } of hits) {
      expect(await line.ended()).toBe("reset")
      expect(line.text()).toBe("")
    }
    expect(server.seen).toEqual([])
    expect(accountOf(hits)).toEqual([{ ...first, kind: "reset-before", forwarded: false, delivered: false }])
  })

  test("reset-after: the server does its work, and the client gets a reset without a byte", async () => {
    const { hits, server } = await hitAll("reset-after")
    for (const { line } of hits) {
      expect(await line.ended()).toBe("reset")
      expect(line.text()).toBe("")
    }
    expect(targetsOf(server.seen)).toEqual(calls)
    expect(accountOf(hits)).toEqual([
      { ...first, kind: "reset-after", forwarded: true, delivered: false, status: 200 }
    ])
  })

  for (const [kind, ending] of [
    ["reset-mid", "reset"],
    ["truncate", "ended"]
  ] as const) {
    test(`${kind}: the server does its work, and the client gets a part of the answer; the connection is ${ending}`, async () => {
      const { hits, server } = await hitAll(kind)
      const lengths = new Set<number>()
      for (const { line, target } of hits) {
        expect(await line.ended()).toBe(ending)
        const text = line.text()
        expect(answerTo(target).startsWith(text)).toBe(true)
        expect(text.length).toBeGreaterThan(0)
        expect(text.length).toBeLessThan(answerTo(target).length)
        lengths.add(text.length)
      }
      expect(lengths.size).toBeGreaterThan(20)
      expect(targetsOf(server.seen)).toEqual(calls)
      expect(accountOf(hits)).toEqual([{ ...first, kind, forwarded: true, delivered: false, status: 200 }])
    })
  }

  test("stall: the server does its work, and the client gets nothing or a part, and no end", async () => {
    const { dial, hits, proxy, server } = await hitAll("stall")
    await eventually(() => expect(hits.every(({ entry }) => entry.status === 200)).toBe(true))
    // What comes after all the strikes has come: so nothing of theirs is still to come.
    proxy.setPlan({ seed: 0, rate: 0, weights: {} })
    const line = await dial()
    line.send(get("/after"))
    await line.received(answerTo("/after").length)
    const lengths = hits.map((hit) => {
      expect(hit.line.ending()).toBe("open")
      expect(answerTo(hit.target).startsWith(hit.line.text())).toBe(true)
      return hit.line.text().length
    })
    expect(lengths.filter((length) => length === 0).length).toBeGreaterThan(5)
    expect(lengths.filter((length) => length > 0).length).toBeGreaterThan(5)
    expect(hits.every(({ line, target }) => line.text().length < answerTo(target).length)).toBe(true)
    expect(targetsOf(server.seen)).toEqual([...calls, "/after"])
    expect(accountOf(hits)).toEqual([
      { ...first, kind: "stall", forwarded: true, delivered: false, status: 200 }
    ])
  })
})

describe("an answer that comes", () => {
  for (const kind of ["dribble", "latency"] as const) {
    test(`${kind}: it is whole, byte for byte`, async () => {
      const { hits, server } = await hitAll(kind)
      for (const { line, target } of hits)
        expect(await line.received(answerTo(target).length)).toBe(answerTo(target))
      expect(hits.every(({ line }) => line.ending() === "open")).toBe(true)
      expect(targetsOf(server.seen)).toEqual(calls)
      expect(accountOf(hits)).toEqual([{ ...first, kind, forwarded: true, delivered: true, status: 200 }])
    })
  }

  test("corrupt: one to four bytes differ, none of them in the status line", async () => {
    const { hits } = await hitAll("corrupt")
    const changes = new Set<number>()
    for (const { line, target } of hits) {
      const whole = answerTo(target)
      const text = await line.received(whole.length)
      expect(text).toHaveLength(whole.length)
      expect(text.startsWith(firstLine)).toBe(true)
      changes.add([...text].filter((character, at) => character !== whole[at]).length)
    }
    expect([...changes].sort()).toEqual([1, 2, 3, 4])
    expect(accountOf(hits)).toEqual([
      { ...first, kind: "corrupt", forwarded: true, delivered: true, status: 200 }
    ])
  })

  test("duplicate: it comes twice, and the server saw the request once", async () => {
    const { hits, server } = await hitAll("duplicate")
    for (const { line, target } of hits) {
      const twice = answerTo(target).repeat(2)
      expect(await line.received(twice.length)).toBe(twice)
    }
    expect(targetsOf(server.seen)).toEqual(calls)
    expect(accountOf(hits)).toEqual([
      { ...first, kind: "duplicate", forwarded: true, delivered: true, status: 200 }
    ])
  })
})

describe("an answer of the gateway's own", () => {
  /** The answers as the client reads them, once each of them is whole by its own length. */
  const readAll = async (hits: ReadonlyArray<Hit>): Promise<ReadonlyArray<string>> => {
    await eventually(() => {
      for (const { line } of hits) {
        const [head = "", body] = line.text().split("\r\n\r\n")
        expect(body).toHaveLength(Number(/content-length: (\d+)/.exec(head)?.[1]))
      }
    })
    return hits.map(({ line }) => line.text())
  }

  test("server-error: 500, 502, 503 or 504, and the server never sees the request", async () => {
    const { hits, server } = await hitAll("server-error")
    const answers = await readAll(hits)
    const statuses = answers.map((answer) => Number(answer.slice(9, 12)))
    expect([...new Set(statuses)].sort()).toEqual([500, 502, 503, 504])
    expect(server.seen).toEqual([])
    expect(hits.map(({ entry }) => entry.status)).toEqual(statuses)
    expect(hits.every(({ entry }) => !entry.forwarded && entry.delivered)).toBe(true)
  })

  test("too-many: 429 with every kind of Retry-After, and the server never sees the request", async () => {
    const { hits, server } = await hitAll("too-many")
    const answers = await readAll(hits)
    const waits = answers.map((answer) => /\r\nretry-after: ([^\r]*)/.exec(answer)?.[1])
    const isDate = (wait: string | undefined): boolean => wait?.endsWith("GMT") === true
    expect(waits.some(isDate)).toBe(true)
    expect(new Set(waits.filter((wait) => !isDate(wait)))).toEqual(
      new Set([undefined, "0", "1", "soon", "-5", "86400"])
    )
    expect(server.seen).toEqual([])
    expect(accountOf(hits)).toEqual([
      { ...first, kind: "too-many", forwarded: false, delivered: true, status: 429 }
    ])
  })
})
