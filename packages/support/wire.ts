/** Blocks of tests that hold over every transport: each has a raw server at the other end of its wire. */

import type { CallOptions, Operation, TransportService as Service, Transport } from "@quartet/sdk/extend"
import type * as Public from "@quartet/sdk/public"
import type * as Effect from "effect/Effect"
import { beforeAll, beforeEach, describe } from "vitest"
import { json, type RawServer, type Received, type Reply, serve } from "./raw-server.js"
import { type Ended, ended, open, over, visitor, type Way, ways } from "./transports.js"

export class Wire {
  server!: RawServer
  /** Another origin, which answers everything and should hear nothing. */
  elsewhere!: RawServer
  transport!: Service
  private before = 0

  constructor(
    readonly name: string,
    /** What the server answers from now on. */
    public reply: Reply = json('{"_id":"1","items":[]}')
  ) {}

  /** Opens both ends; answers what closes them. */
  async open(way: Way): Promise<() => Promise<void>> {
    this.server = await serve(() => this.reply)
    this.elsewhere = await serve(() => json('{"_id":"1"}'))
    const { close, transport } = await open(way)
    this.transport = transport
    return async () => {
      await close()
      await this.server.close()
      await this.elsewhere.close()
    }
  }

  begin(): void {
    this.before = this.server.requests.length
  }

  /** The requests since the test began. */
  sent(): ReadonlyArray<Received> {
    return this.server.requests.slice(this.before)
  }

  /** The last request. */
  last(): Received | undefined {
    return this.server.requests.at(-1)
  }

  /** A client over this transport. */
  over<A, E>(client: Effect.Effect<A, E, Transport>): A {
    return over(this.transport, client)
  }

  dispatcher(config: Partial<Public.ClientConfig> = {}) {
    return visitor(this.transport, this.server.url, config).dispatcher
  }

  /** A visitor's call, tried once. */
  call<I, A>(
    operation: Operation<I, A, never>,
    input: I,
    config: Partial<Public.ClientConfig> = {},
    options: CallOptions = {}
  ): Promise<Ended<A>> {
    return ended(this.dispatcher(config).call(operation, input, options))
  }
}

/** Declares tests for each transport. */
export const overEachTransport = (tests: (wire: Wire) => void): void =>
  describe.each(ways)("over $name", (way) => {
    const wire = new Wire(way.name)
    beforeAll(() => wire.open(way))
    beforeEach(() => wire.begin())
    tests(wire)
  })
