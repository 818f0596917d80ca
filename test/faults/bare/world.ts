/** A bare client, the fault proxy, and a bare server; whatever a test opens is closed after it. */
import { afterEach } from "vitest"
import type { Plan } from "../proxy/plan.js"
import { type Proxy as FaultProxy, open } from "../proxy/proxy.js"
import { dial as dialAt, type Line } from "./client.js"
import { type Reply, type Server, serve } from "./server.js"

const closers: Array<() => unknown> = []

/** To be called once in a file of tests. */
export const closeAfterEach = (): void => {
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })
}

export interface World {
  readonly proxy: FaultProxy
  readonly server: Server
  /** A new connection to the proxy. */
  readonly dial: () => Promise<Line>
}

/** Opens a proxy with a plan before a server. */
export const openWorld = async (plan: Plan, reply?: Reply): Promise<World> => {
  const server = await serve(reply)
  closers.push(server.close)
  const proxy = await open(server.port, plan)
  closers.push(proxy.close)
  return {
    proxy,
    server,
    dial: async () => {
      const line = await dialAt(proxy.url)
      closers.push(line.close)
      return line
    }
  }
}
