// What the proxy does with connections, and what it keeps of them: its account is the one that clients are held against.
import { describe, expect, test } from "vitest"
import { eventually } from "../../support/eventually.js"
import { get } from "../bare/client.js"
import { answerTo } from "../bare/server.js"
import { closeAfterEach, openWorld } from "../bare/world.js"
import { calm, type Plan, strikeOf } from "./plan.js"
import type { Entry } from "./proxy.js"

closeAfterEach()

const all = (plan: Plan["weights"], more: Partial<Plan> = {}): Plan => ({
  seed: 5,
  rate: 1,
  weights: plan,
  ...more
})
const answers = (...targets: ReadonlyArray<string>): string => targets.map(answerTo).join("")
const post = (target: string, body: string): string =>
  `POST ${target} HTTP/1.1\r\ncontent-length: ${body.length}\r\n\r\n${body}`

describe("401s that are held back", () => {
  const refusal = "HTTP/1.1 401 x\r\ncontent-length: 0\r\n\r\n"
  const reply = (target: string): string => (target.startsWith("/no") ? refusal : answerTo(target))

  test("come once another call, which is no sign-in, has succeeded: one in so many, and not too many", async () => {
    const { dial, proxy } = await openWorld(calm, reply)
    const seen: Array<Entry> = []
    proxy.holdRefusals(2, 1)
    const [first, second, third, fourth, other] = [
      await dial(),
      await dial(),
      await dial(),
      await dial(),
      await dial()
    ]
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
    other.send(get("/auth/login"))
    await other.received(answerTo("/auth/login").length)
    expect(second.text()).toBe("")
    other.send(get("/yes"))
    expect(await second.received(refusal.length)).toBe(refusal)
    expect(proxy.lateRefusals()).toBe(1)
    expect(proxy.lateRefusals()).toBe(0)
  })
})

describe("a connection", () => {
  test("carries one request after the other over one connection to the server", async () => {
    const { dial, proxy, server } = await openWorld(calm)
    const line = await dial()
    let whole = ""
    for (const target of ["/a", "/b", "/c"]) {
      line.send(get(target))
      whole += answerTo(target)
      expect(await line.received(whole.length)).toBe(whole)
    }
    expect(server.sockets).toHaveLength(1)
    expect(server.seen).toEqual(["/a", "/b", "/c"].map(get))
    expect(proxy.take()).toMatchObject(["/a", "/b", "/c"].map(() => ({ delivered: true, status: 200 })))
  })

  test("answers requests that come together one by one and in their order, each with its own fault", async () => {
    const plan = all({ latency: 1 }, { only: "/late" })
    const { dial, server } = await openWorld(plan)
    const line = await dial()
    line.send(get("/late") + post("/b", "the\r\n\r\nbody") + get("/c"))
    const whole = answers("/late", "/b", "/c")
    expect(await line.received(whole.length)).toBe(whole)
    expect(server.seen).toEqual([get("/late"), post("/b", "the\r\n\r\nbody"), get("/c")])
  })

  test("goes on after an answer of the gateway's own", async () => {
    const { dial, server } = await openWorld(all({ "server-error": 1 }, { only: "/down" }))
    const line = await dial()
    line.send(get("/a") + get("/down") + get("/b"))
    await eventually(() => expect(line.text().endsWith(answerTo("/b"))).toBe(true))
    expect(line.text()).toMatch(/^HTTP\/1.1 200 OK[\s\S]*HTTP\/1.1 50\d [\s\S]*HTTP\/1.1 200 OK/)
    expect(server.seen).toEqual([get("/a"), get("/b")])
  })

  test("sends nothing after a request that got no answer", async () => {
    const { dial, proxy, server } = await openWorld(all({ stall: 1 }, { only: "/silent" }))
    const line = await dial()
    line.send(get("/silent") + get("/behind"))
    const other = await dial()
    await eventually(() => expect(server.seen).toHaveLength(1))
    other.send(get("/other"))
    await other.received(answerTo("/other").length)
    expect(server.seen).toEqual([get("/silent"), get("/other")])
    expect(proxy.take().map(({ call }) => call.split(" ")[1])).toEqual(["/silent", "/other"])
  })

  test("passes a request and an answer that come in single bytes", async () => {
    const { dial, server } = await openWorld(calm, (target, socket) => {
      for (const byte of answerTo(target)) socket.write(byte)
      return undefined
    })
    const line = await dial()
    for (const byte of post("/slow", "body")) line.send(byte)
    expect(await line.received(answerTo("/slow").length)).toBe(answerTo("/slow"))
    expect(server.seen).toEqual([post("/slow", "body")])
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
    line.send(get("/a"))
    await line.received(answerTo("/a").length)
    const [idle] = server.sockets
    const closed = new Promise((resolve) => idle?.once("close", resolve))
    idle?.end()
    await closed
    line.send(get("/b"))
    expect(await line.received(answers("/a", "/b").length)).toBe(answers("/a", "/b"))
    expect(server.sockets).toHaveLength(2)
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
    expect(tainted).toEqual(
      new Map([
        ["/spoiled", false],
        ["/after", true],
        ["/elsewhere", false]
      ])
    )
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
