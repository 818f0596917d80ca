/** Both transports of Node, for suites that hold over each of them. */
import { Agent } from "undici"
import * as FetchTransport from "../../adapters/fetch/index.js"
import * as UndiciTransport from "../../adapters/undici/index.js"
import type { Service } from "../../core/ports/transport.js"

export interface Opened {
  readonly transport: Service
  readonly close: () => Promise<void>
}

export const transports: ReadonlyArray<{ readonly name: string; readonly open: () => Opened }> = [
  { name: "fetch", open: () => ({ transport: FetchTransport.make(), close: async () => undefined }) },
  {
    name: "undici",
    open: () => {
      const agent = new Agent()
      return { transport: UndiciTransport.make(agent), close: () => agent.destroy() }
    }
  }
]
