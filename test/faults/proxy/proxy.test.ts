// What each fault of the proxy is, seen from a bare client before it and a raw server behind it, and what the account
// says of it that clients are held against. That the proxy passes on what it does not hit, all scenarios show.
import { connect } from "node:net"
import { chatPath } from "@quartet/sandbox/extend"
import { eventually } from "@quartet/support/eventually.js"
import { raw, serve } from "@quartet/support/raw-server.js"
import { describe, expect, onTestFinished, test } from "vitest"
import { open } from "./proxy.js"
import {
  applies,
  calm,
  everything,
  type FaultSchedule,
  faultOf,
  type Kind,
  kinds,
  type LoggedRequest
} from "./schedule.js"

const get = (target: string): string => `GET ${target} HTTP/1.1\r\nhost: bare\r\n\r\n`
const answerTo = (target: string): string => {
  const body = JSON.stringify({ _id: target, text: "a text of some length ".repeat(10) })
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}
const answers = (...targets: ReadonlyArray<string>): string => targets.map(answerTo).join("")

/** A client's connection: it sees every byte, and whether it ended in order or by a reset. */
const dialAt = async (url: string) => {
  let text = ""
  let ending: "open" | "ended" | "reset" = "open"
  const socket = connect({ host: "127.0.0.1", port: Number(new URL(url).port), noDelay: true })
  onTestFinished(() => void socket.destroy())
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk
  })
  socket.on("end", () => {
    ending = "ended"
  })
  socket.on("error", (error: NodeJS.ErrnoException) => {
    ending = error.code === "ECONNRESET" ? "reset" : ending
  })
  await new Promise<void>((resolve) => socket.once("connect", resolve))
  return {
    send: (request: string) => socket.write(request, "latin1"),
    text: () => text,
    ending: () => ending,
    ended: async () => {
      await eventually(() => expect(ending).not.toBe("open"))
      return ending
    },
    received: async (length: number, request = "") => {
      socket.write(request, "latin1")
      await eventually(() => expect(text.length).toBeGreaterThanOrEqual(length))
      return text
    }
  }
}
type Client = Awaited<ReturnType<typeof dialAt>>

const openWorld = async (schedule: FaultSchedule) => {
  const server = await serve(({ target }) => raw("keep", answerTo(target)))
  onTestFinished(server.close)
  const proxy = await open(server.port, schedule)
  onTestFinished(proxy.close)
  return { proxy, server, dial: () => dialAt(proxy.url) }
}

const all = (weights: FaultSchedule["weights"], more: Partial<FaultSchedule> = {}): FaultSchedule => ({
  seed: 5,
  rate: 1,
  weights,
  ...more
})

interface Hit {
  readonly whole: string
  readonly client: Client
  readonly entry: LoggedRequest
}
type Check = (hits: ReadonlyArray<Hit>) => Promise<void>

/** The answers of a gateway as the client reads them, once each of them is whole by its own length. */
const readAll = async (hits: ReadonlyArray<Hit>): Promise<ReadonlyArray<string>> => {
  await eventually(() => {
    for (const { client } of hits) {
      const [head = "", body] = client.text().split("\r\n\r\n")
      expect(body).toHaveLength(Number(/content-length: (\d+)/.exec(head)?.[1]))
    }
  })
  return hits.map(({ client }) => client.text())
}
const nothing: Check = async (hits) => {
  for (const { client } of hits) expect([await client.ended(), client.text()]).toEqual(["reset", ""])
}
const part =
  (ending: "reset" | "ended"): Check =>
  async (hits) => {
    const lengths = new Set<number>()
    for (const { client, whole } of hits) {
      expect(await client.ended()).toBe(ending)
      expect(whole.startsWith(client.text())).toBe(true)
      expect([0, whole.length]).not.toContain(client.text().length)
      lengths.add(client.text().length)
    }
    expect(lengths.size).toBeGreaterThan(20)
  }
const times =
  (count: number): Check =>
  async (hits) => {
    for (const { client, whole } of hits)
      expect(await client.received(whole.length * count)).toBe(whole.repeat(count))
    expect(hits.every(({ client }) => client.ending() === "open")).toBe(true)
  }

const silence: Check = async (hits) => {
  await eventually(() => expect(hits.every(({ entry }) => entry.status === 200)).toBe(true))
  await new Promise((resolve) => setTimeout(resolve, 50))
  for (const { client, whole } of hits) {
    expect(whole.startsWith(client.text()) && client.text() !== whole).toBe(true)
    expect(client.ending()).toBe("open")
  }
  const silent = hits.filter(({ client }) => client.text() === "").length
  expect(Math.min(silent, hits.length - silent)).toBeGreaterThan(5)
}
const changedBytes: Check = async (hits) => {
  const changes = new Set<number>()
  for (const { client, whole } of hits) {
    const text = await client.received(whole.length)
    expect(text).toHaveLength(whole.length)
    expect(text.startsWith("HTTP/1.1 200 OK\r\n")).toBe(true)
    changes.add([...text].filter((character, at) => character !== whole[at]).length)
  }
  expect([...changes].sort()).toEqual([1, 2, 3, 4])
}
const faultStatuses: Check = async (hits) => {
  const statuses = (await readAll(hits)).map((answer) => Number(answer.slice(9, 12)))
  expect([...new Set(statuses)].sort()).toEqual([500, 502, 503, 504])
  expect(hits.map(({ entry }) => entry.status)).toEqual(statuses)
}
const retryAfters: Check = async (hits) => {
  const waits = (await readAll(hits)).map((answer) => /\r\nretry-after: ([^\r]*)/.exec(answer)?.[1])
  const said = new Set(waits.map((wait) => (wait?.endsWith("GMT") ? "a date" : wait)))
  expect(said).toEqual(new Set([undefined, "0", "1", "soon", "-5", "86400", "a date"]))
  expect(hits.every(({ entry }) => entry.status === 429)).toBe(true)
}

/** What the client gets, whether the server does its work, and whether the account says that it was delivered. */
const faults: ReadonlyArray<readonly [Kind, what: string, forwarded: boolean, delivered: boolean, Check]> = [
  ["reset-before", "a reset without a byte", false, false, nothing],
  ["reset-after", "a reset without a byte", true, false, nothing],
  ["reset-mid", "a part of the answer, and a reset", true, false, part("reset")],
  ["truncate", "a part of the answer, and an orderly end", true, false, part("ended")],
  ["dribble", "the whole answer", true, true, times(1)],
  ["latency", "the whole answer", true, true, times(1)],
  ["duplicate", "the answer twice", true, true, times(2)],
  ["stall", "nothing or a part, and no end", true, false, silence],
  ["corrupt", "one to four other bytes, none of them in the status line", true, true, changedBytes],
  ["server-error", "500, 502, 503 or 504", false, true, faultStatuses],
  ["too-many", "429 with every kind of Retry-After", false, true, retryAfters]
]

test.each(faults)(
  "a request that is hit by %s: the client gets %s",
  async (kind, _, forwarded, delivered, check) => {
    const { dial, proxy, server } = await openWorld({ seed: 11, rate: 1, weights: { [kind]: 1 } })
    const targets = Array.from({ length: 40 }, (_, number) => `/qt-fault-${number}`)
    const clients = await Promise.all(targets.map(() => dial()))
    for (const [at, target] of targets.entries()) clients[at]?.send(get(target))
    const entries: Array<LoggedRequest> = []
    await eventually(() => {
      entries.push(...proxy.take())
      expect(entries).toHaveLength(targets.length)
    })
    const hits = targets.map((target, at): Hit => {
      const entry = entries.find(({ call }) => target === `/${call}`)!
      return { whole: answerTo(target), client: clients[at]!, entry }
    })
    await check(hits)
    expect(new Set(server.requests.map(({ target }) => target))).toEqual(new Set(forwarded ? targets : []))
    for (const { entry } of hits) {
      expect(entry).toMatchObject({ kind, attempt: 1, isTainted: false, forwarded, delivered })
      if (forwarded) expect(entry.status).toBe(200)
    }
  }
)

test("the account tells what comes after a spoiled answer on the same connection, and on no other", async () => {
  const { dial, proxy } = await openWorld(all({ duplicate: 1 }, { only: "/spoiled" }))
  const client = await dial()
  await client.received(answers("/spoiled", "/spoiled").length, get("/spoiled"))
  await client.received(answers("/spoiled", "/spoiled", "/after").length, get("/after"))
  await (await dial()).received(answerTo("/elsewhere").length, get("/elsewhere"))
  const tainted = proxy.take().map(({ call, isTainted }) => [call.split(" ")[1], isTainted])
  expect(tainted).toEqual([
    ["/spoiled", false],
    ["/after", true],
    ["/elsewhere", false]
  ])
})

describe("a schedule", () => {
  const schedule: FaultSchedule = { seed: 3, rate: 0.3, weights: everything }
  const calls = Array.from({ length: 4_000 }, (_, number) => `qt-schedule-${number}`)
  /** The fault that each call meets, with one of its details. */
  const dealt = (chosen: FaultSchedule, attempt = 1, names = calls) =>
    new Map(
      names.map((name) => {
        const fault = faultOf(chosen, name, attempt)
        return [name, fault && { kind: fault.kind, detail: fault.random.int(0, 1_000_000) }]
      })
    )
  const share = (chosen: FaultSchedule, kind?: Kind): number =>
    [...dealt(chosen).values()].filter((fault) => fault?.kind === kind).length / calls.length

  test("hits the same attempts of the same calls with the same details, in whatever order they come", () => {
    expect(dealt(schedule, 1, [...calls].reverse())).toEqual(dealt(schedule))
    expect(dealt({ ...schedule, seed: 4 })).not.toEqual(dealt(schedule))
    expect(dealt(schedule, 2)).not.toEqual(dealt(schedule))
  })

  test("hits as large a share as its rate says, and nothing without a weight", () => {
    for (const rate of [0, 0.3, 1]) expect(share({ ...schedule, rate })).toBeCloseTo(1 - rate, 1)
    for (const none of [calm, { ...schedule, rate: 0 }, all({})]) expect(share(none)).toBe(1)
  })

  test("deals out the faults by their weights, and of everything each, a stall a third as often as another", () => {
    const dealtKinds = [...dealt(all(everything)).values()].map((fault) => fault?.kind)
    expect(new Set(dealtKinds)).toEqual(new Set(kinds))
    expect(share(all(everything), "stall")).toBeCloseTo(1 / 34, 2)
    expect(share(all(everything), "truncate")).toBeCloseTo(3 / 34, 2)
    const two = all({ truncate: 1, latency: 3, stall: 0 })
    expect([share(two, "truncate"), share(two, "latency")]).toEqual([
      expect.closeTo(0.25, 1),
      expect.closeTo(0.75, 1)
    ])
    expect(share(two, "truncate") + share(two, "latency")).toBe(1)
  })

  test.each<[Partial<FaultSchedule>, boolean]>([
    [{}, true],
    [{ exempt: "/auth/" }, false],
    [{ exempt: "/boxes" }, true],
    [{ only: "/auth/" }, true],
    [{ only: "/boxes" }, false],
    [{ only: "/auth/", exempt: "login" }, false]
  ])("with %j speaks of a sign-in: %s", (more, isMeant) => {
    expect(applies({ ...schedule, ...more }, "POST /auth/login HTTP/1.1")).toBe(isMeant)
  })
})

describe("the proxy has caught up", () => {
  test("once the platform has answered, and whatever a chat's poll waits for", async () => {
    const waiting: Array<() => void> = []
    const server = await serve(({ target }, socket) => {
      waiting.push(() => socket.write(answerTo(target)))
      return undefined
    })
    onTestFinished(server.close)
    const proxy = await open(server.port, calm)
    onTestFinished(proxy.close)
    for (const target of [`${chatPath}/?transport=polling`, "/v1/box"]) {
      const client = await dialAt(proxy.url)
      client.send(get(target))
    }
    await eventually(() => expect(waiting).toHaveLength(2))
    let isCaughtUp = false
    const caughtUp = proxy.caughtUp().then(() => {
      isCaughtUp = true
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(isCaughtUp).toBe(false)
    waiting[1]?.()
    await caughtUp
  })
})
