/** One connection through the proxy: its requests one after the other, each with the fault that its plan has for it. */
import { connect, type Socket } from "node:net"
import { Framer, isOneMessage, isUpgrade, type Message, statusOf } from "../../support/framing.js"
import {
  applies,
  attemptAfter,
  callIn,
  corrupted,
  type Entry,
  type Plan,
  type Strike,
  strikeOf,
  synthesised
} from "./plan.js"

/** Refusals that are told late: some of the 401s wait until the platform has answered another call's repetition. */
export interface Late {
  /** One in so many is held back, as long as there are not too many. */
  readonly oneIn: number
  readonly most: number
  seen: number
  told: number
  readonly held: Array<() => void>
}

/** What the connections of one proxy share. */
export interface Shared {
  plan: Plan
  readonly targetPort: number
  /** The last attempt of each call that was seen. */
  readonly attempts: Map<string, number>
  readonly note: (entry: Entry) => void
  late: Late | undefined
}

/** What the start line of a chat's poll holds. */
const polls = "/socket.io/"

/** What the start line of a sign-in holds. */
const signIns = "/auth/"

/** Most milliseconds by which an answer is late. */
const latest = 60
/** Pieces of a dribbled answer. */
const pieces = 8
/** Milliseconds after which an idle connection to the platform is not used again: the platform may be about to close it. */
const stale = 1_000

export class Connection {
  isTunnel = false
  private upstream: Socket | undefined
  private readonly requests = new Framer()
  private answers = new Framer()
  private readonly waiting: Array<Message> = []
  private current: { readonly entry: Entry; readonly strike: Strike | undefined } | undefined
  private isTainted = false
  private isCut = false
  private idleSince = 0
  private readonly timers = new Set<NodeJS.Timeout>()

  constructor(
    private readonly client: Socket,
    private readonly shared: Shared
  ) {
    client.on("data", (chunk) => this.receive(chunk))
    client.on("error", () => undefined)
    client.on("close", () => this.end())
  }

  /** Whether a request is under way. */
  get isBusy(): boolean {
    return this.current !== undefined && !this.isCut
  }

  /** The request that the platform works on, if it is one that it answers of itself: a chat's poll waits for news. */
  get asked(): Entry | undefined {
    const entry = this.current?.entry
    const isWorkedOn = entry?.forwarded === true && entry.status === undefined && !entry.call.includes(polls)
    return isWorkedOn ? entry : undefined
  }

  /** Ends the connection as a crash does. */
  reset(): void {
    this.isCut = true
    this.client.resetAndDestroy()
  }

  private end(): void {
    if (this.current !== undefined && !this.isCut) this.current.entry.abandoned = true
    this.current = undefined
    for (const timer of this.timers) clearTimeout(timer)
    this.timers.clear()
    this.upstream?.destroy()
    this.client.destroy()
  }

  private later(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      if (!this.client.destroyed) work()
    }, milliseconds)
    this.timers.add(timer)
  }

  private receive(chunk: Buffer): void {
    if (this.isTunnel) {
      this.upstream?.write(chunk)
      return
    }
    this.waiting.push(...this.requests.push(chunk))
    this.next()
  }

  private next(): void {
    if (this.current !== undefined || this.isTunnel) return
    const request = this.waiting.shift()
    if (request === undefined) return
    const call = callIn(request.bytes.toString("latin1")) ?? request.startLine
    const { plan } = this.shared
    const attempt = attemptAfter(plan, call, this.shared.attempts.get(call) ?? 0, request.startLine)
    this.shared.attempts.set(call, attempt)
    const isMeant = !isUpgrade(request) && applies(plan, request.startLine)
    const strike = isMeant ? strikeOf(plan, call, attempt) : undefined
    const entry: Entry = {
      call,
      attempt,
      kind: strike?.kind,
      retryAfter: undefined,
      forwarded: false,
      status: undefined,
      delivered: false,
      abandoned: false,
      isTainted: this.isTainted
    }
    this.shared.note(entry)
    if (isUpgrade(request)) {
      entry.forwarded = true
      this.tunnel(request)
      return
    }
    this.current = { entry, strike }
    if (strike?.kind === "reset-before") this.reset()
    else if (strike?.kind === "server-error" || strike?.kind === "too-many") {
      const { bytes, retryAfter, status } = synthesised(strike)
      entry.status = status
      entry.retryAfter = retryAfter
      this.deliver(bytes)
    } else {
      entry.forwarded = true
      this.send(request.bytes)
    }
  }

  private send(bytes: Buffer): void {
    if (this.idleSince > 0 && performance.now() - this.idleSince > stale) {
      this.upstream?.destroy()
      this.upstream = undefined
      this.answers = new Framer()
    }
    this.idleSince = 0
    this.upstream ??= this.open()
    this.upstream.write(bytes)
  }

  private open(): Socket {
    const socket = connect({ port: this.shared.targetPort, host: "127.0.0.1", noDelay: true })
    socket.on("data", (chunk) => {
      if (this.isTunnel) this.client.write(chunk)
      else for (const answer of this.answers.push(chunk)) this.answer(answer)
    })
    socket.on("error", () => undefined)
    socket.on("close", () => {
      if (this.upstream !== socket) return
      this.upstream = undefined
      this.answers = new Framer()
      // An idle connection that the platform closes is opened anew for the next request; a stall holds on without it.
      const isUnanswered = this.current !== undefined && this.current.entry.status === undefined
      if (isUnanswered || this.isTunnel) this.reset()
    })
    return socket
  }

  /** From here on bytes pass as they come. */
  private tunnel(request: Message): void {
    this.isTunnel = true
    this.send(request.bytes)
    this.send(this.requests.take())
  }

  private answer(message: Message): void {
    const { current } = this
    if (current === undefined) return
    const { entry, strike } = current
    entry.status = statusOf(message)
    if (strike === undefined) this.pass(message.bytes, entry)
    else this.strike(message.bytes, strike)
  }

  /** Gives an answer on as it is, at once, or once a session was renewed. */
  private pass(bytes: Buffer, entry: Entry): void {
    const { late } = this.shared
    if (late === undefined) return this.deliver(bytes)
    if (entry.status === 401) {
      late.seen += 1
      if (late.seen % late.oneIn === 0 && late.told + late.held.length < late.most) {
        late.held.push(() => this.deliver(bytes))
        return
      }
    }
    this.deliver(bytes)
    if (entry.status !== 200 || entry.call.includes(signIns)) return
    for (const tell of late.held.splice(0)) {
      late.told += 1
      tell()
    }
  }

  /** A place inside an answer, never at its end. */
  private cut(bytes: Buffer, { random }: Strike): Buffer {
    return bytes.subarray(0, random.int(1, bytes.length - 1))
  }

  private strike(bytes: Buffer, strike: Strike): void {
    const { kind, random } = strike
    switch (kind) {
      case "reset-after":
        this.reset()
        return
      case "reset-mid":
        this.client.write(this.cut(bytes, strike))
        // Apart: where a part and a reset come together, Node's sockets show an orderly end.
        this.later(2, () => setImmediate(() => this.reset()))
        return
      case "truncate":
        this.isCut = true
        this.client.end(this.cut(bytes, strike))
        return
      case "stall":
        if (random.chance(0.5)) this.client.write(this.cut(bytes, strike))
        return
      case "dribble":
        this.dribble(bytes)
        return
      case "corrupt":
        this.corrupt(corrupted(bytes, random))
        return
      case "duplicate":
        this.isTainted = true
        this.deliver(Buffer.concat([bytes, bytes]))
        return
      case "latency":
        this.later(random.int(1, latest), () => this.deliver(bytes))
        return
      default:
        this.deliver(bytes)
    }
  }

  /** An answer that still seems whole leaves the connection in step: what comes next is not touched. */
  private corrupt(bytes: Buffer): void {
    if (!isOneMessage(bytes)) this.isTainted = true
    this.deliver(bytes)
  }

  private dribble(bytes: Buffer): void {
    const size = Math.max(1, Math.ceil(bytes.length / pieces))
    const more = (from: number): void => {
      if (from + size >= bytes.length) this.deliver(bytes.subarray(from))
      else {
        this.client.write(bytes.subarray(from, from + size))
        this.later(2, () => more(from + size))
      }
    }
    more(0)
  }

  private deliver(bytes: Buffer): void {
    const { current } = this
    if (current === undefined || this.client.destroyed) return
    this.client.write(bytes)
    current.entry.delivered = true
    this.current = undefined
    this.idleSince = performance.now()
    this.next()
  }
}
