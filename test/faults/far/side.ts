/**
 * The far end of a torture as plain methods with plain arguments: in the process of a test, or in one of its own
 * behind messages, so that what the clients leave behind is theirs alone.
 */

import type { RawServer } from "../../support/raw-server.js"
import type { Entry, Plan } from "../proxy/plan.js"
import type { Proxy as FaultProxy } from "../proxy/proxy.js"
import { open as openProxy } from "../proxy/proxy.js"
import * as Chatter from "./chatter.js"
import * as Platform from "./platform.js"
import * as Recorder from "./recorder.js"
import * as Spiller from "./spiller.js"

const opened = <A>(value: A | undefined, what: string): A => {
  if (value === undefined) throw new Error(`there is no ${what}`)
  return value
}

export class Side {
  private platform: Platform.Platform | undefined
  private readonly proxies: Array<FaultProxy> = []
  private chatter: Chatter.Chatter | undefined
  private recorder: Recorder.Recorder | undefined
  private spiller: RawServer | undefined

  /** Answers once the platform has done what it is asked for now. */
  async beat(): Promise<void> {
    await Promise.all(this.proxies.map((proxy) => proxy.caughtUp()))
  }

  /** Serves a fresh platform in place of the present one, and answers its address. */
  async start(seed: number): Promise<string> {
    await this.stop()
    this.platform = await Platform.serve(seed)
    return this.platform.url
  }

  /** Opens a fault proxy before the platform. */
  async openProxy(plan: Plan): Promise<{ readonly id: number; readonly url: string }> {
    const proxy = await openProxy(this.there.port, plan)
    this.proxies.push(proxy)
    return { id: this.proxies.length - 1, url: proxy.url }
  }

  async setPlan(id: number, plan: Plan): Promise<void> {
    this.proxy(id).setPlan(plan)
  }

  /** The requests that a proxy received since it was asked last. */
  async takeEntries(id: number): Promise<ReadonlyArray<Entry>> {
    return this.proxy(id).take()
  }

  /** Has a proxy hold one in so many 401s back, but not too many at all, until another call has succeeded. */
  async holdRefusals(id: number, oneIn: number, most: number): Promise<void> {
    this.proxy(id).holdRefusals(oneIn, most)
  }

  /** How many 401s were told late; none is held back from here on. */
  async lateRefusals(id: number): Promise<number> {
    return this.proxy(id).lateRefusals()
  }

  /** Requests that a proxy has neither answered nor cut off, and whose clients have not left. */
  async pending(id: number): Promise<number> {
    return this.proxy(id).pending()
  }

  /** Resets every connection through a proxy, where one of them was upgraded; tells how many of them were. */
  async drop(id: number): Promise<number> {
    return this.proxy(id).drop()
  }

  /** Makes conversations, in which nobody speaks yet. */
  async openChatter(
    pace: Chatter.Pace
  ): Promise<{ readonly conversations: ReadonlyArray<string>; readonly own: string }> {
    this.chatter = Chatter.make(this.there.served, pace)
    const { conversations, own } = this.chatter
    return { conversations, own }
  }

  async startChatter(): Promise<void> {
    opened(this.chatter, "chatter").start()
  }

  /** Messages that were said so far. */
  async said(): Promise<number> {
    return opened(this.chatter, "chatter").said()
  }

  /** How often each message of the client's own conversation is on the platform. */
  async heard(): Promise<ReadonlyArray<readonly [string, number]>> {
    return opened(this.chatter, "chatter").heard()
  }

  /** The requests that the platform received since it was asked last. */
  async takeReceived(): Promise<ReadonlyArray<Platform.Received>> {
    return this.there.take()
  }

  async fill(rows: Platform.Rows, name: string, count: number): Promise<void> {
    this.there.fill(rows, name, count)
  }

  async effects(kind: Platform.EffectKind): Promise<ReadonlyArray<readonly [string, number]>> {
    return this.there.effects(kind)
  }

  async expireSessions(): Promise<void> {
    this.there.served.control.expireSessions()
  }

  /** Opens the server that echoes, the one that answers with hostility, and the origin that must never be called. */
  async openRecorder(
    seed: number
  ): Promise<{ readonly url: string; readonly hostileUrl: string; readonly evil: string }> {
    await this.stop()
    this.recorder = await Recorder.open(seed)
    const { evil, hostileUrl, url } = this.recorder
    return { evil, hostileUrl, url }
  }

  async takeRecorded(): Promise<{ readonly requests: number; readonly escapes: number }> {
    return opened(this.recorder, "recorder").take()
  }

  /** Opens the server that tells everything that it was told. */
  async openSpiller(): Promise<string> {
    await this.stop()
    this.spiller = await Spiller.open()
    return this.spiller.url
  }

  /** Ends all servers. */
  async stop(): Promise<void> {
    this.chatter?.stop()
    await this.spiller?.close()
    this.spiller = undefined
    await this.recorder?.close()
    this.recorder = undefined
    await Promise.all(this.proxies.splice(0).map((proxy) => proxy.close()))
    await this.platform?.close()
    this.platform = undefined
  }

  private get there(): Platform.Platform {
    return opened(this.platform, "platform: start one")
  }

  private proxy(id: number): FaultProxy {
    return opened(this.proxies[id], `proxy ${id}`)
  }
}
