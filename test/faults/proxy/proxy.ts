/**
 * A proxy on bare sockets between clients and the platform. It forwards whole HTTP messages, hits some of them with
 * the faults of its schedule, and keeps an account of every request that came.
 */
import { connect, createServer, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { chatPath } from "@quartet/sandbox/extend"
import { Framer, isOneMessage, isUpgrade, type Message, statusOf } from "@quartet/support/framing.js"
import { listen } from "@quartet/support/servers.js"
import {
  applies,
  attemptAfter,
  callIn,
  corrupted,
  type Fault,
  type FaultSchedule,
  faultOf,
  type LoggedRequest,
  logged,
  shown,
  synthesised
} from "./schedule.js"

interface Shared {
  schedule: FaultSchedule
  readonly targetPort: number
  readonly attempts: Map<string, number>
  entries: Array<LoggedRequest>
  /** Refusals that are told late: one 401 in so many waits until the platform has answered another call's repetition. */
  late?: {
    readonly oneIn: number
    readonly most: number
    seen: number
    told: number
    readonly held: Array<() => void>
  }
}

/** What the start lines of a chat's poll and of a sign-in hold. */
const polls = `${chatPath}/`
const signIns = "/auth/"
/** Most milliseconds by which an answer is late, and the pieces of a dribbled one. */
const latest = 60
const pieces = 8
/** Milliseconds after which an idle connection to the platform is not used again: the platform may be about to close it. */
const stale = 1_000

/** One connection: its requests one after the other, each with the fault that its schedule has for it. */
class Connection {
  isTunnel = false
  private upstream: Socket | undefined
  private readonly requests = new Framer()
  private answers = new Framer()
  private readonly waiting: Array<Message> = []
  private current: { readonly entry: LoggedRequest; readonly fault: Fault | undefined } | undefined
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

  get isBusy(): boolean {
    return this.current !== undefined && !this.isCut
  }

  /** The request that the platform works on, if it is one that it answers of itself: a chat's poll waits for news. */
  get waitingRequest(): LoggedRequest | undefined {
    const entry = this.current?.entry
    const isWorkedOn = entry?.forwarded === true && entry.status === undefined && !entry.call.includes(polls)
    return isWorkedOn ? entry : undefined
  }

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
    const { schedule } = this.shared
    const attempt = attemptAfter(schedule, call, this.shared.attempts.get(call) ?? 0, request.startLine)
    this.shared.attempts.set(call, attempt)
    const isMeant = !isUpgrade(request) && applies(schedule, request.startLine)
    const fault = isMeant ? faultOf(schedule, call, attempt) : undefined
    const entry = logged(call, attempt, fault?.kind, this.isTainted)
    this.shared.entries.push(entry)
    if (isUpgrade(request)) {
      entry.forwarded = true
      this.tunnel(request)
      return
    }
    this.current = { entry, fault }
    if (fault?.kind === "reset-before") this.reset()
    else if (fault?.kind === "server-error" || fault?.kind === "too-many") {
      const { bytes, ...said } = synthesised(fault)
      Object.assign(entry, said)
      this.deliver(bytes)
    } else {
      entry.forwarded = true
      this.send(shown(schedule, request.startLine, request.bytes))
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

  private tunnel(request: Message): void {
    this.isTunnel = true
    this.send(request.bytes)
    this.send(this.requests.take())
  }

  private answer(message: Message): void {
    const { current } = this
    if (current === undefined) return
    const { entry, fault } = current
    entry.status = statusOf(message)
    if (fault === undefined) this.pass(message.bytes, entry)
    else this.hit(message.bytes, fault)
  }

  /** Gives an answer on as it is, at once, or once a session was renewed. */
  private pass(bytes: Buffer, entry: LoggedRequest): void {
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

  private hit(bytes: Buffer, { kind, random }: Fault): void {
    const part = (): Buffer => bytes.subarray(0, random.int(1, bytes.length - 1))
    switch (kind) {
      case "reset-after":
        return this.reset()
      case "reset-mid":
        this.client.write(part())
        // Apart: where a part and a reset come together, Node's sockets show an orderly end.
        return this.later(2, () => setImmediate(() => this.reset()))
      case "truncate":
        this.isCut = true
        this.client.end(part())
        return
      case "stall":
        if (random.chance(0.5)) this.client.write(part())
        return
      case "dribble":
        return this.dribble(bytes)
      case "corrupt": {
        const changed = corrupted(bytes, random)
        // An answer that still seems whole leaves the connection in step: what comes next is not touched.
        if (!isOneMessage(changed)) this.isTainted = true
        return this.deliver(changed)
      }
      case "duplicate":
        this.isTainted = true
        return this.deliver(Buffer.concat([bytes, bytes]))
      case "latency":
        return this.later(random.int(1, latest), () => this.deliver(bytes))
      default:
        this.deliver(bytes)
    }
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

export const open = async (targetPort: number, schedule: FaultSchedule) => {
  const connections = new Set<Connection>()
  const shared: Shared = { schedule, targetPort, attempts: new Map(), entries: [] }
  const server = createServer({ noDelay: true }, (socket) => {
    const connection = new Connection(socket, shared)
    connections.add(connection)
    socket.once("close", () => connections.delete(connection))
  })
  const { close, url } = await listen(server)
  return {
    url,
    close,
    take: (): ReadonlyArray<LoggedRequest> => shared.entries.splice(0),
    /** Deals out the faults of another schedule; what it says of attempts counts from here. */
    setSchedule: (next: FaultSchedule) => {
      shared.schedule = next
      shared.attempts.clear()
    },
    /** Holds one in so many 401s back, but not too many at all, until another call has succeeded. */
    holdRefusals: (oneIn: number, most: number) => {
      shared.late = { oneIn, most, seen: 0, told: 0, held: [] }
    },
    /** How many 401s were told late; none is held back from here on. */
    lateRefusals: (): number => {
      const told = shared.late?.told ?? 0
      delete shared.late
      return told
    },
    /** Answers once the platform has done what it is asked for now. */
    caughtUp: async () => {
      const waiting = [...connections].flatMap((connection) =>
        connection.waitingRequest === undefined ? [] : [{ connection, entry: connection.waitingRequest }]
      )
      while (waiting.some(({ entry, connection }) => connection.waitingRequest === entry)) await sleep(1)
    },
    /** Resets every connection, where one of them was upgraded; tells how many of them were. */
    drop: (): number => {
      const open = [...connections]
      const tunnels = open.filter(({ isTunnel }) => isTunnel).length
      if (tunnels > 0) for (const connection of open) connection.reset()
      return tunnels
    },
    pending: (): number => [...connections].filter(({ isBusy }) => isBusy).length
  }
}
