/**
 * The part of an outbox that is in one page: joins what is kept with the clients that send it, and with those who observe it. All tabs of the app
 * have one; they share the store.
 */
import type * as Exit from "effect/Exit"
import type { EntryEnd } from "../rx/queue.js"
import { type Registry, Store } from "../rx/registry.js"
import { share } from "../rx/structure.js"
import { makeActions } from "./actions.js"
import { Admission, type Draft } from "./admission.js"
import { ShownChanges } from "./changes.js"
import { Connection, type Definition, nameOf } from "./connection.js"
import { Ends } from "./ends.js"
import { type EntryEvent, type Kept, type Plan, plan, reduce } from "./entry.js"
import { OutboxError } from "./error.js"
import type { OutboxActions, OutboxState } from "./model.js"
import { type Standing, standingOf, stateOf } from "./projection.js"
import { type Entries, type Route, Sender } from "./sender.js"
import type { Changed, Ports } from "./store.js"
import type { TurnMessage } from "./turn.js"

/** What a tab tells the others: that something has changed, and how an entry ended. */
interface News {
  readonly id?: string
  readonly end?: "done" | "discarded"
}

export class Keeper implements Entries {
  /** What observers see. */
  readonly store = new Store<OutboxState>({
    status: "loading",
    error: undefined,
    isBlocked: false,
    entries: [],
    others: 0
  })
  kept: ReadonlyArray<Kept> = []
  private readonly connections = new Map<Definition["states"], Connection>()
  private readonly changes = new ShownChanges()
  /** The mutations of the entries that this page has written: another of the same name may read answers otherwise. */
  private readonly written = new Map<string, Definition>()
  private readonly ends: Ends
  private readonly admission: Admission
  /** Ways to act, for whoever is signed in. */
  readonly actions: OutboxActions
  /** That something else than an outbox has removed entries. */
  private loss: OutboxError | undefined
  private readonly listeners = new Set<() => void>()
  private readonly closers: Array<() => void> = []
  private readonly channel: ReturnType<Ports["channel"]>
  private condition: Pick<OutboxState, "error" | "status"> = { status: "loading", error: undefined }
  private readonly sender: Sender

  constructor(
    readonly name: string,
    capacity: number,
    private readonly ports: Ports,
    private readonly registry: Registry,
    private readonly definitions: ReadonlyMap<string, Definition>
  ) {
    this.sender = new Sender(name, ports, this)
    this.ends = new Ends(ports.after, () => {
      if (this.isClosed) return
      this.loss = new OutboxError({ outbox: name, reason: "Deleted" })
      this.publish()
    })
    this.admission = new Admission(name, capacity, ports, this)
    this.actions = makeActions({
      name,
      ports,
      admission: this.admission,
      read: async () => {
        await this.refresh()
        return this.kept
      },
      isOwn: ({ person }) => this.people().has(person),
      handlerOf: (entry) => {
        const definition = this.definitionOf(entry)
        const connection = definition && this.connectionOf(definition)
        return definition && connection && { definition, connection }
      },
      change: (id, event, mayChange) => this.change(id, event, mayChange),
      forgive: () => {
        this.loss = undefined
      },
      send: () => this.sender.pump()
    })
    this.channel = ports.channel((message) => this.hear(Object(message)))
    this.store.onMount = () => {
      this.connect()
      return undefined
    }
    this.closers.push(
      this.channel.close,
      ports.onOnline(() => this.sender.pump()),
      ports.store.onErased(() => this.look())
    )
  }

  get isClosed(): boolean {
    return this.sender.isClosed
  }

  /** Watches the session of each mutation's query client, and sends what is there. */
  connect(): void {
    for (const definition of this.definitions.values()) {
      const { states } = definition
      if (this.connections.has(states)) continue
      const connection = new Connection(this.registry, definition, this.ports, {
        onSession: () => this.changed(),
        onUserChange: (isSame) => {
          this.changes.clear()
          if (!isSame) this.loss = undefined
          this.changed()
        },
        onEntry: (entry) => this.changes.extend(states, entry)
      })
      this.connections.set(states, connection)
    }
    this.changed()
  }

  /** Ends with its registry. What is being sent is interrupted by its client, and noted. */
  close(): void {
    this.sender.close()
    for (const close of this.closers) close()
    for (const connection of this.connections.values()) connection.close()
    this.connections.clear()
    this.publish()
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** How an entry stands: how it ended, or as the store had it last. Undefined where nothing is known of it. */
  find(id: string): Standing | undefined {
    const entry = this.kept.find((candidate) => candidate.id === id) ?? this.ends.gone(id)
    return this.ends.get(id) ?? (entry && standingOf(entry))
  }

  /** Resolves when an entry comes to rest for the first time. */
  ended(id: string): Promise<EntryEnd<unknown>> {
    return new Promise((resolve) => {
      const look = (): void => {
        const standing = this.find(id)
        const end = standing?.status === "queued" ? undefined : standing
        if (end === undefined && !this.isClosed) return
        stop()
        resolve(end ?? { status: "cancelled" })
      }
      const stop = this.subscribe(look)
      look()
    })
  }

  private changed(): void {
    this.project()
    this.sender.pump()
  }

  private hear(message: News & { readonly turn?: unknown }): void {
    if (this.sender.turn.hear(message)) return
    const { end, id } = message
    if (id !== undefined && end !== undefined && !this.isOver(id))
      this.ends.set(id, end === "done" ? { status: "done", data: undefined } : { status: "discarded" })
    // Shown at once: whoever waits for the lock looks again only when it comes.
    this.look()
    this.sender.pump()
  }

  /** Reads what is kept, because something has happened to it. */
  private look(): void {
    this.refresh().catch((cause: unknown) => this.sender.fail(cause))
  }

  connectionOf(definition: Definition): Connection | undefined {
    return this.connections.get(definition.states)
  }

  /** Everybody who is signed in: the clients of a page may be of different people. */
  private people(): ReadonlySet<string | undefined> {
    return new Set([...this.connections.values()].map(({ person }) => person))
  }

  private definitionOf(entry: Kept): Definition | undefined {
    return this.written.get(entry.id) ?? this.definitions.get(entry.mutation)
  }

  routeOf(entry: Kept): Route | undefined {
    const definition = this.definitionOf(entry)
    const connection = definition && this.connectionOf(definition)
    if (definition === undefined || connection === undefined) return undefined
    const { session, state } = connection
    const isSendable =
      session.status === "signed-in" && session.refusal === undefined && nameOf(session) === entry.person
    return isSendable ? { definition, client: state.client } : undefined
  }

  isOver(id: string): boolean {
    return this.ends.get(id) !== undefined
  }

  done(id: string, data: unknown): void {
    this.ends.set(id, { status: "done", data })
  }

  unnoted(id: string): void {
    // Another tab may be able to note it, if this one is closed before.
    this.tell({ id, end: "done" })
    this.project()
  }

  failed(error: OutboxError): void {
    this.condition = { status: "error", error }
    this.publish()
  }

  noticed(): void {
    this.publish()
  }

  /** Reads what is kept. */
  async refresh(): Promise<void> {
    const kept = await this.ports.store.all()
    const ids = new Set(kept.map(({ id }) => id))
    for (const entry of this.kept) if (!ids.has(entry.id)) this.ends.miss(entry)
    this.kept = kept
    this.condition = { status: "ready", error: undefined }
    this.project()
  }

  /** What is kept, without what is known to be over: the store may have no room to note that. */
  private get open(): ReadonlyArray<Kept> {
    return this.kept.filter(({ id }) => !this.isOver(id))
  }

  /** Shows the changes of what waits, ends those of what does not, and tells who observes. */
  private project(): void {
    const people = this.people()
    const waiting = new Map(
      this.open
        .filter(({ person, state }) => people.has(person) && (state === "queued" || state === "sending"))
        .map((entry) => [entry.id, entry])
    )
    for (const id of this.changes.others(waiting)) this.endChanges(id)
    for (const entry of waiting.values()) {
      const definition = this.definitionOf(entry)
      const cache = definition && this.connectionOf(definition)?.state.cache
      this.changes.show(entry.id, { ...entry, definition }, cache)
    }
    this.publish()
  }

  private publish(): void {
    const { probeError, turn } = this.sender
    const before = this.store.getState()
    const state = share(
      before,
      stateOf({
        open: this.open,
        people: this.people(),
        isKnown: (entry) => this.definitionOf(entry) !== undefined,
        status: this.condition.status,
        error: this.condition.error ?? this.loss,
        waiting: { error: probeError, isBlocked: turn.isBlocked }
      })
    )
    if (state !== before) this.store.set(state)
    for (const listener of [...this.listeners]) listener()
  }

  /** Ends the changes of an entry that no longer waits, and has fetched again what it has changed or may have. */
  private endChanges(id: string): void {
    const outdated = this.changes.end(id, this.ends.get(id)?.status === "done")
    const entry = this.open.find((candidate) => candidate.id === id)
    if (entry === undefined) this.written.delete(id)
    if (outdated === undefined || entry?.state === "failed") return
    for (const connection of this.connections.values())
      if (connection.person === outdated.person) connection.state.cache.invalidate(outdated.matches)
  }

  /** Keeps a call. Answers its id, after it is on the disk. */
  add(definition: Definition, input: unknown): Promise<Exit.Exit<string, unknown>> {
    return this.admission.add(definition, input)
  }

  show({ connection, definition, id, ...call }: Draft): (isKept: boolean) => void {
    const operation = definition.call.operation.name
    // What the app's own functions throw is thrown here: nothing is kept then.
    const added = this.changes.add(id, { ...call, definition, operation }, connection.state.cache)
    this.written.set(id, definition)
    return (isKept) => {
      if (!isKept) this.written.delete(id)
      added(isKept)
    }
  }

  async admitted(): Promise<void> {
    await this.refresh().catch((cause: unknown) => this.sender.fail(cause))
    this.sender.pump()
    this.tell({})
  }

  readonly tell = (message: News | TurnMessage): void => {
    // Who is closed has nothing more to say, and the browser would throw.
    if (!this.isClosed) this.channel.tell(message)
  }

  plan(): Plan {
    const people = this.people()
    const ownEntries = this.kept.filter(({ person }) => people.has(person))
    return plan(ownEntries, this.ports.now(), (entry) => this.routeOf(entry) !== undefined)
  }

  async change(
    id: string,
    event: EntryEvent,
    mayChange: (entry: Kept) => boolean = () => true
  ): Promise<Changed> {
    const changed = await this.ports.store.change(id, (entry) =>
      mayChange(entry) ? reduce(entry, event) : entry
    )
    const { after, before } = changed
    const isGone = before !== undefined && after === undefined
    const lost = before === undefined ? this.kept.find((entry) => entry.id === id) : undefined
    if (lost !== undefined) this.ends.miss(lost)
    if (isGone && event._tag === "Discarded") this.ends.set(id, { status: "discarded" })
    if (before !== after)
      this.tell(isGone ? { id, end: event._tag === "Discarded" ? "discarded" : "done" } : {})
    this.kept = this.kept.flatMap((entry) => (entry.id === id ? (after ?? []) : entry))
    this.project()
    return changed
  }
}
