// Proxies that refuse a tunnel: nothing has reached the platform, and a missing password will be missing again.
import { createServer } from "node:http"
import { listen } from "@quartet/support/servers.js"
import { ended, visitor } from "@quartet/support/transports.js"
import { type Dispatcher, EnvHttpProxyAgent, fetch as fetchOf, ProxyAgent } from "undici"
import { beforeAll, describe, expect, test } from "vitest"
import * as FetchTransport from "../../adapters/fetch/index.js"
import * as UndiciTransport from "../../adapters/undici/index.js"
import * as Boxes from "../../core/boxes/operations.js"

let uri = ""
let status = 407
let tunnels = 0

beforeAll(async () => {
  const proxy = createServer()
  proxy.on("connect", (_, socket) => {
    tunnels += 1
    socket.end(`HTTP/1.1 ${status} No\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n`)
  })
  const listening = await listen(proxy)
  uri = listening.url
  return listening.close
})

/** A fetch that goes through the agent, as the documentation of the transport says. */
const overFetch = (agent: Dispatcher) =>
  FetchTransport.make({
    // undici's own types of fetch are not those of the DOM, and its values are.
    fetch: ((input: string, init: object) =>
      fetchOf(input, { ...init, dispatcher: agent })) as unknown as typeof fetch
  })

describe.each([
  ["undici and a ProxyAgent", () => new ProxyAgent(uri), UndiciTransport.make],
  [
    "undici and an EnvHttpProxyAgent",
    () => new EnvHttpProxyAgent({ httpsProxy: uri, noProxy: "" }),
    UndiciTransport.make
  ],
  ["fetch and a ProxyAgent", () => new ProxyAgent(uri), overFetch]
] as const)("over %s, a tunnel that is refused", (_, make, transportOf) => {
  const call = async (answer: number) => {
    status = answer
    tunnels = 0
    const agent = make()
    const policy = { attempts: 3, pause: 1, deadline: 5_000 }
    const { dispatcher } = visitor(transportOf(agent), "https://platform.test", { policy })
    const read = await ended(dispatcher.call(Boxes.get, { id: "1" }))
    const reads = tunnels
    const write = await ended(dispatcher.call(Boxes.create, { payload: {} }))
    await agent.destroy()
    return { read: read.error, reads, write: write.error, writes: tunnels - reads }
  }

  test("with 407 is Rejected, and not asked for again", async () => {
    const { read, reads, write, writes } = await call(407)
    for (const error of [read, write])
      expect(error).toMatchObject({ _tag: "Rejected", status: 407, retryable: false })
    expect([reads, writes]).toEqual([1, 1])
  })

  test.each([403, 502])(
    "with %i is a NetworkError, since nothing was sent, and a read is tried again",
    async (answer) => {
      const { read, reads, write, writes } = await call(answer)
      for (const error of [read, write])
        expect(error).toMatchObject({ _tag: "NetworkError", reason: "Refused" })
      expect([reads, writes]).toEqual([3, 1])
    }
  )
})

test("a port that fetch connects to by no means proves that nothing was sent, and is not tried again", async () => {
  const { dispatcher } = visitor(FetchTransport.make(), "http://127.0.0.1:6000")
  expect(await ended(dispatcher.call(Boxes.create, { payload: {} }))).toMatchObject({
    error: {
      _tag: "NetworkError",
      reason: "Refused",
      detail: "ERR_UNSAFE_PORT",
      retryable: false,
      message:
        "boxes.create: http://127.0.0.1:6000 has a port that fetch sends nothing to, whatever runs there (ERR_UNSAFE_PORT)."
    }
  })
})
