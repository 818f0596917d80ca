// What the proxy does: what each fault is, seen from a bare client before it and a raw server behind it; what it does
// with connections; and what it keeps of them, which is the account that clients are held against.
import { describe, expect, test } from "vitest"
import { eventually } from "../../support/eventually.js"
import { calm, type Entry, everything, type Kind, type Plan, strikeOf } from "./plan.js"
import { answers, answerTo, get, type Line, openWorld, post, type Reply, type World } from "./world.js"

const all = (weights: Plan["weights"], more: Partial<Plan> = {}): Plan => ({
  seed: 5,
  rate: 1,
  weights,
  ...more
})

const calls = Array.from({ length: 40 }, (_, number) => `/qt-fault-${number}`)

interface Hit {
  readonly target: string
  readonly whole: string
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
    hits.push({ target, whole: answerTo(target), line, entry: entries[0]! })
  }
  return { ...world, hits }
}

/** The answers of a gateway as the client reads them, once each of them is whole by its own length. */
const readAll = async (hits: ReadonlyArray<Hit>): Promise<ReadonlyArray<string>> => {
  await eventually(() => {
    for (const { line } of hits) {
      const [head = "", body] = line.text().split("\r\n\r\n")
      expect(body).toHaveLength(Number(/content-length: (\d+)/.exec(head)?.[1]))
    }
  })
  return hits.map(({ line }) => line.text())
}

/** A part of each answer, of many lengths. */
const cut = (ending: "reset" | "ended") => async (hits: ReadonlyArray<Hit>) => {
  const lengths = new Set<number>()
  for (const { line, whole } of hits) {
    expect(await line.ended()).toBe(ending)
    expect(whole.startsWith(line.text())).toBe(true)
    lengths.add(line.text().length)
    expect(lengths).not.toContain(0)
    expect(lengths).not.toContain(whole.length)
  }
  expect(lengths.size).toBeGreaterThan(20)
}
const nothing = async (hits: ReadonlyArray<Hit>) => {
  for (const { line } of hits) expect([await line.ended(), line.text()]).toEqual(["reset", ""])
}
const times = (count: number) => async (hits: ReadonlyArray<Hit>) => {
  for (const { line, whole } of hits)
    expect(await line.received(whole.length * count)).toBe(whole.repeat(count))
  expect(hits.every(({ line }) => line.ending() === "open")).toBe(true)
}

/** What the client gets, whether the server does its work, and whether the account says that it was delivered. */
const faults: ReadonlyArray<
  readonly [
    kind: Kind,
    what: string,
    isForwarded: boolean,
    isDelivered: boolean,
    check: (hits: ReadonlyArray<Hit>, world: World) => Promise<void>
  ]
> = [
  ["reset-before", "a reset without a byte", false, false, nothing],
  ["reset-after", "a reset without a byte", true, false, nothing],
  ["reset-mid", "a part of the answer, and a reset", true, false, cut("reset")],
  ["truncate", "a part of the answer, and an orderly end", true, false, cut("ended")],
  ["dribble", "the whole answer", true, true, times(1)],
  ["latency", "the whole answer", true, true, times(1)],
  ["duplicate", "the answer twice", true, true, times(2)],
  [
    "stall",
    "nothing or a part, and no end",
    true,
    false,
    async (hits, { dial, proxy }) => {
      await eventually(() => expect(hits.every(({ entry }) => entry.status === 200)).toBe(true))
      // What comes after all the strikes has come: so nothing of theirs is still to come.
      proxy.setPlan(calm)
      const line = await dial()
      await line.ask("/after")
      const parts = hits.map((hit) => hit.line.text())
      expect(hits.every((hit, at) => hit.whole.startsWith(parts[at] ?? "x"))).toBe(true)
      expect(hits.every((hit) => hit.line.ending() === "open" && hit.line.text() !== hit.whole)).toBe(true)
      expect(parts.filter((part) => part === "").length).toBeGreaterThan(5)
      expect(parts.filter((part) => part !== "").length).toBeGreaterThan(5)
    }
  ],
  [
    "corrupt",
    "an answer of which one to four bytes differ, none of them in the status line",
    true,
    true,
    async (hits) => {
      const changes = new Set<number>()
      for (const { line, whole } of hits) {
        const text = await line.received(whole.length)
        expect(text).toHaveLength(whole.length)
        expect(text.startsWith("HTTP/1.1 200 OK\r\n")).toBe(true)
        changes.add([...text].filter((character, at) => character !== whole[at]).length)
      }
      expect([...changes].sort()).toEqual([1, 2, 3, 4])
    }
  ],
  [
    "server-error",
    "500, 502, 503 or 504",
    false,
    true,
    async (hits) => {
      const statuses = (await readAll(hits)).map((answer) => Number(answer.slice(9, 12)))
      expect([...new Set(statuses)].sort()).toEqual([500, 502, 503, 504])
      expect(hits.map(({ entry }) => entry.status)).toEqual(statuses)
    }
  ],
  [
    "too-many",
    "429 with every kind of Retry-After",
    false,
    true,
    async (hits) => {
      const waits = (await readAll(hits)).map((answer) => /\r\nretry-after: ([^\r]*)/.exec(answer)?.[1])
      const kinds = new Set(waits.map((wait) => (wait?.endsWith("GMT") ? "a date" : wait)))
      expect(kinds).toEqual(new Set([undefined, "0", "1", "soon", "-5", "86400", "a date"]))
      expect(hits.every(({ entry }) => entry.status === 429)).toBe(true)
    }
  ]
]

describe("a request that is hit by", () => {
  for (const [kind, what, forwarded, delivered, check] of faults)
    test(`${kind}: the client gets ${what}, the server ${forwarded ? "does its work" : "sees nothing"}`, async () => {
      const world = await hitAll(kind)
      await check(world.hits, world)
      const targets = world.server.requests
        .map(({ target }) => target)
        .filter((target) => target !== "/after")
      expect(targets).toEqual(forwarded ? calls : [])
      for (const { entry } of world.hits) {
        expect(entry).toMatchObject({ kind, attempt: 1, isTainted: false, forwarded, delivered })
        if (forwarded) expect(entry.status).toBe(200)
      }
    })
})

describe("401s that are held back", () => {
  const refusal = "HTTP/1.1 401 x\r\ncontent-length: 0\r\n\r\n"
  const reply = (target: string): string => (target.startsWith("/no") ? refusal : answerTo(target))

  test("come once another call, which is no sign-in, has succeeded: one in so many, and not too many", async () => {
    const { dial, proxy } = await openWorld(calm, reply)
    const seen: Array<Entry> = []
    proxy.holdRefusals(2, 1)
    const [first, second, third, fourth] = [await dial(), await dial(), await dial(), await dial()]
    const other = await dial()
    for (const line of [first, second, third, fourth]) {
      line.send(get("/no"))
      seen.push(...proxy.take())
      if (line === second)
        await eventually(() => {
          seen.push(...proxy.take())
          expect(seen.map(({ status }) => status)).toEqual([401, 401])
        })
      else expect(await line.received(refusal.length)).toBe(refusal)
    }
    await other.ask("/auth/login")
    expect(second.text()).toBe("")
    other.send(get("/yes"))
    expect(await second.received(refusal.length)).toBe(refusal)
    expect(proxy.lateRefusals()).toBe(1)
    expect(proxy.lateRefusals()).toBe(0)
  })
})

describe("a connection", () => {
  test("carries one request after the other over one connection to the server", async () => {
    const { dial, proxy, seen, server } = await openWorld(calm)
    const line = await dial()
    let whole = ""
    for (const target of ["/a", "/b", "/c"]) {
      line.send(get(target))
      whole += answerTo(target)
      expect(await line.received(whole.length)).toBe(whole)
    }
    expect(server.connections()).toBe(1)
    expect(seen()).toEqual(["/a", "/b", "/c"].map(get))
    expect(proxy.take()).toMatchObject(["/a", "/b", "/c"].map(() => ({ delivered: true, status: 200 })))
  })

  test("answers requests that come together one by one and in their order, each with its own fault", async () => {
    const plan = all({ latency: 1 }, { only: "/late" })
    const { dial, seen } = await openWorld(plan)
    const line = await dial()
    line.send(get("/late") + post("/b", "the\r\n\r\nbody") + get("/c"))
    const whole = answers("/late", "/b", "/c")
    expect(await line.received(whole.length)).toBe(whole)
    expect(seen()).toEqual([get("/late"), post("/b", "the\r\n\r\nbody"), get("/c")])
  })

  test("goes on after an answer of the gateway's own", async () => {
    const { dial, seen } = await openWorld(all({ "server-error": 1 }, { only: "/down" }))
    const line = await dial()
    line.send(get("/a") + get("/down") + get("/b"))
    await eventually(() => expect(line.text().endsWith(answerTo("/b"))).toBe(true))
    expect(line.text()).toMatch(/^HTTP\/1.1 200 OK[\s\S]*HTTP\/1.1 50\d [\s\S]*HTTP\/1.1 200 OK/)
    expect(seen()).toEqual([get("/a"), get("/b")])
  })

  test("sends nothing after a request that got no answer", async () => {
    const { dial, proxy, seen } = await openWorld(all({ stall: 1 }, { only: "/silent" }))
    const line = await dial()
    line.send(get("/silent") + get("/behind"))
    const other = await dial()
    await eventually(() => expect(seen()).toHaveLength(1))
    await other.ask("/other")
    expect(seen()).toEqual([get("/silent"), get("/other")])
    expect(proxy.take().map(({ call }) => call.split(" ")[1])).toEqual(["/silent", "/other"])
  })

  test("passes a request and an answer that come in single bytes", async () => {
    const { dial, seen } = await openWorld(calm, (target, socket) => {
      for (const byte of answerTo(target)) socket.write(byte)
      return undefined
    })
    const line = await dial()
    for (const byte of post("/slow", "body")) line.send(byte)
    expect(await line.received(answerTo("/slow").length)).toBe(answerTo("/slow"))
    expect(seen()).toEqual([post("/slow", "body")])
  })

  test("passes answers in chunks, and answers without a body, as they are", async () => {
    const chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{\r\n\r\n1\r\n}\r\n0\r\n\r\n"
    const empty = "HTTP/1.1 204 No Content\r\n\r\n"
    const { dial, proxy } = await openWorld(all({ dribble: 1 }), (target) =>
      target === "/chunked" ? chunked : empty
    )
    const line = await dial()
    line.send(get("/chunked") + get("/empty") + get("/chunked"))
    const whole = chunked + empty + chunked
    expect(await line.received(whole.length)).toBe(whole)
    expect(proxy.take().map(({ status }) => status)).toEqual([200, 204, 200])
  })

  test("outlives an idle connection that the server closes", async () => {
    const { dial, server } = await openWorld(calm)
    const line = await dial()
    await line.ask("/a")
    const [idle] = [...server.sockets]
    const closed = new Promise((resolve) => idle?.once("close", resolve))
    idle?.end()
    await closed
    line.send(get("/b"))
    expect(await line.received(answers("/a", "/b").length)).toBe(answers("/a", "/b"))
    expect(server.connections()).toBe(2)
  })

  test("is reset where the server closes it without an answer, and the account says that no answer was there", async () => {
    const { dial, proxy } = await openWorld(calm, (_target, socket) => {
      socket.destroy()
      return undefined
    })
    const line = await dial()
    line.send(get("/a"))
    expect(await line.ended()).toBe("reset")
    expect(proxy.take()).toMatchObject([
      { forwarded: true, delivered: false, kind: undefined, status: undefined }
    ])
  })
})

describe("the account", () => {
  test("names a call by the id in its path, a header or its body, and by its start line where it has none", async () => {
    const { dial, proxy } = await openWorld(calm)
    const line = await dial()
    line.send(get("/x/qt-path-1"))
    line.send("GET /a HTTP/1.1\r\nidempotency-key: qt-key-22\r\n\r\n")
    line.send(post("/b", '{"name":"qt-body-333"}'))
    line.send(get("/plain"))
    await line.received(answers("/x/qt-path-1", "/a", "/b", "/plain").length)
    expect(proxy.take().map(({ call }) => call)).toEqual([
      "qt-path-1",
      "qt-key-22",
      "qt-body-333",
      "GET /plain HTTP/1.1"
    ])
  })

  test("counts the attempts of a call over all connections, and each meets its own fault", async () => {
    const plan = all({ latency: 1, duplicate: 1, "server-error": 1 }, { seed: 9, rate: 0.7 })
    const { dial, proxy } = await openWorld(plan)
    const entries: Array<Entry> = []
    for (let attempt = 1; attempt <= 12; attempt++) {
      const line = await dial()
      line.send(get("/qt-again-1"))
      await line.received(1)
      entries.push(...proxy.take())
    }
    expect(entries.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(entries.map(({ kind }) => kind)).toEqual(
      entries.map(({ attempt }) => strikeOf(plan, "qt-again-1", attempt)?.kind)
    )
    expect(new Set(entries.map(({ kind }) => kind))).toEqual(
      new Set([undefined, "latency", "duplicate", "server-error"])
    )
  })

  test("is the same for the same seed, in whatever order and beside whatever else the calls come", async () => {
    const targets = Array.from({ length: 60 }, (_, number) => `/qt-order-${number}`)
    const plan = all({ latency: 1, duplicate: 1, dribble: 1, truncate: 1 }, { rate: 0.5 })
    const account = async (order: ReadonlyArray<string>): Promise<ReadonlyMap<string, unknown>> => {
      const { dial, proxy } = await openWorld(plan)
      const lines = await Promise.all(
        order.map(async (target) => {
          const line = await dial()
          line.send(get(target))
          return line
        })
      )
      await Promise.all(lines.map((line) => line.received(1)))
      return new Map(proxy.take().map(({ call, kind }) => [call, kind] as const))
    }
    const forwards = await account(targets)
    expect(forwards.size).toBe(60)
    expect(await account([...targets].reverse())).toEqual(forwards)
  })

  test("tells what comes after a spoiled answer on the same connection, and on no other", async () => {
    const { dial, proxy } = await openWorld(all({ duplicate: 1 }, { only: "/spoiled" }))
    const [line, other] = [await dial(), await dial()]
    line.send(get("/spoiled"))
    await line.received(answers("/spoiled", "/spoiled").length)
    line.send(get("/after"))
    other.send(get("/elsewhere"))
    await line.received(answers("/spoiled", "/spoiled", "/after").length)
    await other.received(answerTo("/elsewhere").length)
    const tainted = new Map(proxy.take().map(({ call, isTainted }) => [call.split(" ")[1], isTainted]))
    expect(Object.fromEntries(tainted)).toEqual({ "/spoiled": false, "/after": true, "/elsewhere": false })
  })

  test("is given out once, and follows what becomes of a request after that", async () => {
    const { dial, proxy } = await openWorld(all({ latency: 1 }))
    const line = await dial()
    line.send(get("/a"))
    let taken: ReadonlyArray<Entry> = []
    await eventually(() => {
      taken = proxy.take()
      expect(taken).toHaveLength(1)
    })
    await line.received(answerTo("/a").length)
    expect(taken).toMatchObject([{ delivered: true, status: 200 }])
    expect(proxy.take()).toEqual([])
  })

  test("shows no fault for what the plan exempts, and for nothing once the plan is calm", async () => {
    const { dial, proxy } = await openWorld(all({ "server-error": 1 }, { exempt: "/auth/" }))
    const line = await dial()
    for (const target of ["/auth/login", "/a"]) line.send(get(target))
    await eventually(() => expect(line.text()).toMatch(/HTTP\/1.1 50\d/))
    expect(proxy.take().map(({ kind }) => kind)).toEqual([undefined, "server-error"])
    proxy.setPlan(calm)
    line.send(get("/a"))
    await eventually(() => expect(line.text().endsWith(answerTo("/a"))).toBe(true))
    expect(proxy.take().map(({ kind }) => kind)).toEqual([undefined])
  })
})

const upgrade = "GET /socket HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"
const switched = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n"
/** Upgrades one path, and echoes from there on. */
const reply: Reply = (target) => (target === "/socket" ? switched : answerTo(target))
const struck: Plan = { seed: 1, rate: 1, weights: everything, only: "/socket" }

const tunnel = async (dial: () => Promise<Line>): Promise<Line> => {
  const line = await dial()
  line.send(upgrade)
  expect(await line.received(switched.length)).toBe(switched)
  return line
}

describe("a connection that was upgraded", () => {
  test("is hit by no fault, and passes bytes of all kinds as they come", async () => {
    const { dial, proxy } = await openWorld(struck, reply)
    const line = await tunnel(dial)
    const bytes = `${String.fromCharCode(...Array(256).keys())}${get("/qt-hidden-1")}half a`
    line.send(bytes)
    expect(await line.received(switched.length + bytes.length)).toBe(switched + bytes)
    expect(proxy.take()).toMatchObject([{ call: "GET /socket HTTP/1.1", forwarded: true, kind: undefined }])
  })

  test("is hit by no fault after requests that were", async () => {
    const { dial, proxy } = await openWorld({ ...struck, only: "/a", weights: { duplicate: 1 } }, reply)
    const line = await dial()
    line.send(get("/a"))
    const before = answerTo("/a").repeat(2)
    await line.received(before.length)
    line.send(upgrade)
    expect(await line.received((before + switched).length)).toBe(before + switched)
    expect(proxy.take().map(({ kind }) => kind)).toEqual(["duplicate", undefined])
  })

  test("ends with the server's side of it", async () => {
    const { dial, server } = await openWorld(struck, reply)
    const line = await tunnel(dial)
    for (const socket of server.sockets) socket.destroy()
    expect(await line.ended()).toBe("reset")
  })
})

describe("a drop", () => {
  test("resets every connection where one was upgraded, and tells how many were", async () => {
    const { dial, proxy } = await openWorld(struck, reply)
    const tunnels = [await tunnel(dial), await tunnel(dial)]
    const plain = await dial()
    await plain.ask("/a")
    expect(proxy.size()).toBe(3)
    expect(proxy.drop()).toBe(2)
    for (const line of [...tunnels, plain]) expect(await line.ended()).toBe("reset")
    await eventually(() => expect(proxy.size()).toBe(0))
  })

  test("leaves alone what was never upgraded", async () => {
    const { dial, proxy } = await openWorld(struck, reply)
    const line = await dial()
    await line.ask("/a")
    expect(proxy.drop()).toBe(0)
    line.send(get("/b"))
    expect(await line.received(answers("/a", "/b").length)).toBe(answers("/a", "/b"))
  })
})

test("a proxy that is closed resets what is open, and answers nobody", async () => {
  const { dial, proxy } = await openWorld(struck, reply)
  const line = await tunnel(dial)
  await proxy.close()
  expect(await line.ended()).toBe("reset")
  await expect(fetch(proxy.url)).rejects.toThrow()
})
