// What the contract of the port cannot say of the undici transport: how it queues a body, which dispatchers it takes, and its shared pool.
import { createServer, type ServerResponse } from "node:http"
import { createRequire } from "node:module"
import { patient } from "@quartet/support/patience.js"
import { bundled } from "@quartet/support/programs.js"
import { listen } from "@quartet/support/servers.js"
import { exchange, plainRequest } from "@quartet/support/transports.js"
import { Agent, Client, type Dispatcher, MockAgent, Pool, RetryAgent } from "undici"
import { beforeAll, describe, expect, test } from "vitest"
import * as Body from "../../adapters/undici/body.js"
import * as UndiciTransport from "../../adapters/undici/index.js"
import { createPublicClient } from "../../clients/promise/index.js"
import type { Service } from "../../core/ports/transport.js"

describe("a body", () => {
  const received = () => {
    const done: Array<string> = []
    const controller: Dispatcher.DispatchController = {
      aborted: false,
      paused: false,
      reason: null,
      rawHeaders: null,
      rawTrailers: null,
      pause: () => done.push("pause"),
      resume: () => done.push("resume"),
      abort: () => done.push("abort")
    }
    const receiver = Body.receive(controller)
    return { ...receiver, done, reader: receiver.body.getReader() }
  }

  test("hands over small pieces that came together as one, and the rest before its end", async () => {
    const { end, push, reader } = received()
    const next = async () => Buffer.from((await reader.read()).value ?? []).toString()
    for (const piece of ["a", "b", "c"]) push(Buffer.from(piece))
    expect(await next()).toBe("abc")
    const waiting = next()
    for (const piece of ["d", "e"]) push(Buffer.from(piece))
    end()
    expect([await waiting, await next()]).toEqual(["d", "e"])
    expect((await reader.read()).done).toBe(true)
  })

  test("is paused from 64 kB on that wait for its reader, until the reader takes them", async () => {
    const { done, push, reader } = received()
    push(Buffer.alloc(65_535))
    expect(done).toEqual([])
    push(Buffer.alloc(1))
    expect(done).toEqual(["pause"])
    expect((await reader.read()).value).toHaveLength(65_536)
    expect(done).toEqual(["pause", "resume"])
  })

  test("is abandoned once by a reader that cancels, and takes no more", async () => {
    const { done, end, push, reader } = received()
    await reader.cancel()
    push(Buffer.from("late"))
    end()
    expect(done).toEqual(["abort"])
  })
})

test.each([
  ["undici's own", (agent: Agent) => agent],
  ["an interceptor's", (agent: Agent) => agent.compose((next) => next)]
])(
  "what waits for a connection of %s is asked whether it may still begin, before anything is written",
  async (_, of) => {
    const seen: Array<string | undefined> = []
    let free = (): void => undefined
    const { close, url } = await listen(
      createServer((request, response) => {
        seen.push(request.url)
        if (seen.length > 1) response.end("{}")
        else free = () => response.end("{}")
      })
    )
    const agent = new Agent({ connections: 1, pipelining: 1 })
    const transport = UndiciTransport.make(of(agent))
    let mayBegin = true
    const ask = (path: string) =>
      exchange(transport, { origin: new URL(url).origin, path, mayBegin: () => mayBegin })
    const first = ask("/1")
    await expect.poll(() => seen).toEqual(["/1"])
    const second = ask("/2")
    mayBegin = false
    free()
    expect(await first).toMatchObject({ _tag: "Answered" })
    expect(await second).toMatchObject({ _tag: "Failed", sent: false })
    mayBegin = true
    expect(await ask("/3")).toMatchObject({ _tag: "Answered" })
    expect(seen).toEqual(["/1", "/3"])
    await agent.close()
    await close()
  }
)

/** Undici as an app has it that installs one of its own. */
const anotherCopy = (): { readonly Agent: typeof Agent } => {
  const require = createRequire(import.meta.url)
  const loaded = Object.keys(require.cache).filter((path) => /[\\/]undici[\\/]/.test(path))
  for (const path of loaded) delete require.cache[path]
  return require("undici")
}

const single = { connections: 1, pipelining: 1 }

describe("exchanges that are abandoned while they wait for a connection cost none", () => {
  test.each<readonly [string, (url: string) => Dispatcher]>([
    ["the caller's Agent", () => new Agent(single)],
    ["the caller's Pool", (url) => new Pool(url, single)],
    ["the caller's Client", (url) => new Client(url, { pipelining: 1 })],
    ["a subclass of Agent", () => new (class extends Agent {})(single)],
    ["an Agent of another copy of undici", () => new (anotherCopy().Agent)(single)]
  ])("of %s", async (_, of) => {
    let sockets = 0
    let unanswered: ServerResponse | undefined
    const seen: Array<string | undefined> = []
    const http = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
      seen.push(request.url)
      if (unanswered !== undefined) return void response.end("{}")
      unanswered = response
    }).on("connection", () => {
      sockets += 1
    })
    const { close, url } = await listen(http)
    const origin = new URL(url).origin
    const dispatcher = of(origin)
    const transport = UndiciTransport.make(dispatcher)
    const first = exchange(transport, { origin, path: "/first" })
    await expect.poll(() => unanswered).toBeDefined()
    const settled = () => expect.unreachable("it was abandoned")
    const waiting = Array.from({ length: 50 }, () => transport.start({ ...plainRequest, origin }, settled))
    expect(waiting.map((abandon) => abandon())).toEqual(waiting.map(() => false))
    const last = exchange(transport, { origin, path: "/last" })
    unanswered?.end("{}")
    expect([await first, await last]).toMatchObject([{ _tag: "Answered" }, { _tag: "Answered" }])
    expect({ seen, sockets }).toEqual({ seen: ["/first", "/last"], sockets: 1 })
    await dispatcher.close()
    await close()
  })
})

type Dispatch = Dispatcher["dispatch"]

test.each<readonly [string, (watched: (dispatch: Dispatch) => Dispatch) => Dispatcher]>([
  ["an interceptor", (watched) => new Agent().compose((dispatch) => watched(dispatch))],
  [
    "what a factory of the program's own makes",
    (watched) =>
      new Agent({
        factory: (origin) => {
          const pool = new Pool(origin)
          return Object.assign(pool, { dispatch: watched(pool.dispatch.bind(pool)) })
        }
      })
  ],
  [
    "a class that dispatches by itself",
    (watched) =>
      new (class extends Agent {
        override dispatch = watched(super.dispatch.bind(this))
      })()
  ]
])("nothing is thrown into %s, which may not catch it", async (_, of) => {
  let isAsked = false
  const thrown: Array<unknown> = []
  const dispatcher = of((dispatch) => (options, handler) => {
    // An Agent hands its pools the second, which is that of undici 6.
    for (const name of ["onRequestStart", "onConnect"]) {
      const start: unknown = Reflect.get(handler, name)
      if (typeof start !== "function") continue
      Reflect.set(handler, name, (...args: ReadonlyArray<unknown>) => {
        isAsked = true
        try {
          Reflect.apply(start, handler, args)
        } catch (error) {
          thrown.push(error)
          throw error
        }
      })
    }
    return dispatch(options, handler)
  })
  const { close, url } = await listen(createServer((_, response) => response.end("{}")))
  const transport = UndiciTransport.make(dispatcher)
  const outcome = await exchange(transport, { origin: new URL(url).origin, mayBegin: () => false })
  expect(outcome).toMatchObject({ _tag: "Failed", sent: false })
  expect({ isAsked, thrown }).toEqual({ isAsked: true, thrown: [] })
  await dispatcher.destroy()
  await close()
})

describe("a dispatcher of undici 6", () => {
  /** What it looks for in what it is given, before it sends anything. */
  const dispatch = (
    _: unknown,
    handler: Partial<Record<"onConnect" | "onError", (value: unknown) => void>>
  ) => {
    if (handler.onConnect === undefined) throw new Error("invalid onConnect method")
    handler.onConnect(() => undefined)
  }

  test("is refused where a transport is made of it", () => {
    class Agent {
      dispatch = dispatch;
      [Symbol("Intercepted Dispatch")]() {}
    }
    class Subclass extends Agent {}
    for (const old of [new Agent(), new Subclass()])
      expect(() => Reflect.apply(UndiciTransport.make, undefined, [old])).toThrow(/undici 7 or newer/)
  })

  test.each<readonly [string, unknown, RegExp]>([
    [
      "that wraps another, which cannot be seen, fails its first call and says why",
      dispatch,
      /undici 7 or newer/
    ],
    ["that throws fails its first call", () => expect.unreachable("invalid onHeaders method"), /onHeaders/]
  ])("%s", async (_, dispatch, why) => {
    const transport: Service = Reflect.apply(UndiciTransport.make, undefined, [{ dispatch }])
    const outcome = await exchange(transport, {})
    expect(outcome).toMatchObject({ _tag: "Failed", sent: false })
    expect("cause" in outcome && String(outcome.cause)).toMatch(why)
  })

  test("is looked for in vain in those of undici 7", () => {
    const agent = new Agent()
    const retried = new RetryAgent(agent)
    for (const dispatcher of [
      agent,
      retried,
      new MockAgent(),
      agent.compose((next) => next),
      new Pool("http://a.test")
    ])
      expect(UndiciTransport.make(dispatcher)).toHaveProperty("start")
  })
})

describe("without a dispatcher", () => {
  const run = bundled(new URL("./undici/child.ts", import.meta.url))
  let url = ""
  let connections = 0
  beforeAll(async () => {
    // Connections are kept alive for far longer than the test may last.
    const http = createServer({ keepAliveTimeout: 600_000 }, (_, response) => {
      response.setHeader("content-type", "application/json").end('[{ "_id": "b1" }]')
    })
    http.on("connection", () => {
      connections += 1
    })
    const listening = await listen(http)
    url = listening.url
    return listening.close
  })

  test("transports share one pool", async () => {
    const list = () =>
      createPublicClient({ baseUrl: url, apiKey: "key-1", transport: UndiciTransport.make() }).boxes.list()
    const before = connections
    for (let count = 0; count < 10; count++) expect((await list()).items).toHaveLength(1)
    // A call may come before the connection of the last one is free: a second one is opened then.
    expect(connections - before).toBeLessThan(5)
  })

  test("a program that closes nothing ends by itself", { timeout: patient(60_000) }, async () => {
    // The test's own time limit is the judge of a program that does not end.
    expect(await run([url])).toEqual({ code: 0, stdout: "b1\n", stderr: "" })
  })
})
