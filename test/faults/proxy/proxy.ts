/**
 * A proxy on bare sockets between clients and the platform. It forwards whole HTTP messages, hits some of them with
 * the faults of its plan, and keeps an account of every request that came.
 */
import { createServer, type Server, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { Connection, type Shared } from "./connection.js"
import type { Entry, Plan } from "./plan.js"

export interface Proxy {
  readonly url: string
  /** The requests since it was asked last. */
  readonly take: () => ReadonlyArray<Entry>
  /** Deals out the faults of another plan; what it says of attempts counts from here. */
  readonly setPlan: (plan: Plan) => void
  /** Holds one in so many 401s back, but not too many at all, until another call has succeeded. */
  readonly holdRefusals: (oneIn: number, most: number) => void
  /** How many 401s were told late; none is held back from here on. */
  readonly lateRefusals: () => number
  /** Answers once the platform has done what it is asked for now. */
  readonly caughtUp: () => Promise<void>
  /** Resets every connection, where one of them was upgraded; tells how many of them were. */
  readonly drop: () => number
  /** Connections that are open. */
  readonly size: () => number
  /** Requests that are under way. */
  readonly pending: () => number
  readonly close: () => Promise<void>
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject)
    // A storm of new connections must not be left to the kernel's own repetitions, a second apart.
    server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
      const address = server.address()
      if (typeof address === "object" && address !== null) resolve(address.port)
      else reject(new Error("the proxy has no port"))
    })
  })

/** Opens a proxy on a free port of the loopback before a platform on the loopback. */
export const open = async (targetPort: number, plan: Plan): Promise<Proxy> => {
  let entries: Array<Entry> = []
  const connections = new Set<Connection>()
  const shared: Shared = {
    plan,
    targetPort,
    attempts: new Map(),
    note: (entry) => entries.push(entry),
    late: undefined
  }
  const server = createServer({ noDelay: true }, (socket: Socket) => {
    const connection = new Connection(socket, shared)
    connections.add(connection)
    socket.once("close", () => connections.delete(connection))
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    take: () => {
      const taken = entries
      entries = []
      return taken
    },
    setPlan: (next) => {
      shared.plan = next
      shared.attempts.clear()
    },
    holdRefusals: (oneIn, most) => {
      shared.late = { oneIn, most, seen: 0, told: 0, held: [] }
    },
    lateRefusals: () => {
      const told = shared.late?.told ?? 0
      shared.late = undefined
      return told
    },
    caughtUp: async () => {
      const asked = [...connections].flatMap((one) =>
        one.asked === undefined ? [] : [{ one, entry: one.asked }]
      )
      while (asked.some(({ entry, one }) => one.asked === entry)) await sleep(1)
    },
    drop: () => {
      const open = [...connections]
      const tunnels = open.filter(({ isTunnel }) => isTunnel).length
      if (tunnels > 0) for (const connection of open) connection.reset()
      return tunnels
    },
    size: () => connections.size,
    pending: () => [...connections].filter(({ isBusy }) => isBusy).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const connection of connections) connection.reset()
      })
  }
}
