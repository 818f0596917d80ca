/**
 * The part of an outbox that is in one page: keeps calls, knows what is kept and how it ended, and shows it. All tabs of the app
 * have one; they share the store.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { CredentialsError, InputError, isCallError, type Operation } from "@quartet/sdk/extend"
import type { EntryEnd, EntryError } from "../rx/queue.js"
import { type Registry, Store } from "../rx/registry.js"
import type { SessionState } from "../rx/session.js"
import { share } from "../rx/structure.js"
import { ShownChanges } from "./changes.js"
import { Connection, clientOf, type Definition, nameOf, platformOf } from "./connection.js"
import { type EntryEvent, headOf, heads, type Kept, lineOf, type Plan, plan, reduce } from "./entry.js"
import { OutboxError, outboxErrorOf } from "./error.js"
import { checked, filesOf } from "./input.js"
import type { ActionOutcome, Entry, OutboxActions, OutboxState } from "./model.js"
import { type Entries, type Route, Sender } from "./sender.js"
import type { Changed, Ports } from "./store.js"
import type { TurnMessage } from "./turn.js"

/** What a tab tells the others: that something has changed, and how an entry ended. */
interface News {
  readonly id?: string
  readonly end?: "done" | "discarded"
}

/** Milliseconds in which another tab tells how an entry ended that is gone. */
const longestNews = 5_000

const deleted: EntryError = {
  _tag: "Deleted",
  message:
    "something else than the outbox removed this from the device, such as who cleared the site's data: look whether it was done"
}

/** Most ends that are remembered, for those who ask late. */
const mostEnds = 200

const unrecognised: EntryError = {
  _tag: "Unrecognised",
  message: "this version of the page has no such mutation: load the page that has it, or discard the entry"
}

/** How an entry stands, for whoever follows it. */
export type Standing = EntryEnd<unknown> | { readonly status: "queued" }

const standingOf = ({ error = unrecognised, state }: Kept): Standing =>
  state === "failed" || state === "unknown" ? { status: state, error } : { status: "queued" }

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
  private readonly ends = new Map<string, EntryEnd<unknown>>()
  /** Entries that are gone from the store, while it may still be told how they ended. */
  private readonly missing = new Map<string, Kept>()
  /** That something else than an outbox has removed entries. */
  private loss: OutboxError | undefined
  /** What each line waits for before it takes the next entry: files are read meanwhile. */
  private readonly lines = new Map<string, Promise<void>>()
  private readonly listeners = new Set<() => void>()
  private readonly closers: Array<() => void> = []
  private readonly channel: ReturnType<Ports["channel"]>
  private condition: Pick<OutboxState, "error" | "status"> = { status: "loading", error: undefined }
  private readonly sender: Sender

  constructor(
    readonly name: string,
    private readonly capacity: number,
    private readonly ports: Ports,
    private readonly registry: Registry,
    private readonly definitions: ReadonlyMap<string, Definition>
  ) {
    this.sender = new Sender(name, ports, this)
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
    const entry = this.kept.find((one) => one.id === id) ?? this.missing.get(id)
    return this.ends.get(id) ?? (entry && standingOf(entry))
  }

  /** Resolves when an entry comes to rest for the first time. */
  ended(id: string): Promise<EntryEnd<unknown>> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.find(id)
        const end = found?.status === "queued" ? undefined : found
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
      this.end(id, end === "done" ? { status: "done", data: undefined } : { status: "discarded" })
    // Shown at once: whoever waits for the lock looks again only when it comes.
    this.look()
    this.sender.pump()
  }

  /** Reads what is kept, because something has happened to it. */
  private look(): void {
    this.refresh().catch((cause: unknown) => this.sender.fail(cause))
  }

  private end(id: string, end: EntryEnd<unknown>): void {
    this.ends.set(id, end)
    this.missing.delete(id)
    const [oldest] = this.ends.keys()
    if (this.ends.size > mostEnds && oldest !== undefined) this.ends.delete(oldest)
  }

  private connectionOf(definition: Definition): Connection | undefined {
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
    return this.ends.has(id)
  }

  done(id: string, data: unknown): void {
    this.end(id, { status: "done", data })
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

  /** Waits for news of an entry that is gone. Without any, nobody knows what has become of it. */
  private miss(entry: Kept): void {
    const { id } = entry
    if (this.isOver(id)) return
    this.missing.set(id, entry)
    this.ports.after(longestNews, () => {
      if (this.missing.get(id) !== entry || this.isClosed) return
      this.end(id, { status: "unknown", error: deleted })
      this.loss = new OutboxError({ outbox: this.name, reason: "Deleted" })
      this.publish()
    })
  }

  /** Reads what is kept. */
  async refresh(): Promise<void> {
    const kept = await this.ports.store.all()
    const ids = new Set(kept.map(({ id }) => id))
    for (const entry of this.kept) if (!ids.has(entry.id)) this.miss(entry)
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
    const people = this.people()
    const { open } = this
    const own = open.filter(({ person }) => people.has(person))
    const first = heads(own)
    const entries = own.map((entry): Entry => {
      const { attempts, error, id, idempotencyKey, input, operation, scope, state } = entry
      const isKnown = this.definitionOf(entry) !== undefined || state !== "queued"
      return {
        id,
        operation,
        input,
        scope,
        at: new Date(entry.at),
        state: isKnown ? state : "failed",
        error: isKnown ? error : unrecognised,
        attempts,
        behind: headOf(first, entry)?.id,
        idempotencyKey
      }
    })
    const before = this.store.getState()
    const { status } = this.condition
    const waits = own.some(({ state }) => state === "queued")
    const { probeError, turn } = this.sender
    const error = this.condition.error ?? this.loss ?? (waits ? probeError : undefined)
    const isBlocked = waits && turn.isBlocked
    const state = share(before, { status, error, isBlocked, entries, others: open.length - own.length })
    if (state !== before) this.store.set(state)
    for (const listener of [...this.listeners]) listener()
  }

  /** Ends the changes of an entry that no longer waits, and has fetched again what it has changed or may have. */
  private endChanges(id: string): void {
    const outdated = this.changes.end(id, this.ends.get(id)?.status === "done")
    const entry = this.open.find((one) => one.id === id)
    if (entry === undefined) this.written.delete(id)
    if (outdated === undefined || entry?.state === "failed") return
    for (const connection of this.connections.values())
      if (connection.person === outdated.person) connection.state.cache.invalidate(outdated.matches)
  }

  /** Keeps a call. Answers its id, after it is on the disk. */
  async add(definition: Definition, given: unknown): Promise<Exit.Exit<string, unknown>> {
    const { call, options } = definition
    const { name: operation } = call.operation
    try {
      if (this.ports.locks === undefined) return this.refuse("Unsupported")
      const connection = this.connectionOf(definition)
      if (connection === undefined) return this.refuse("Storage")
      const session = await this.settled(connection)
      const person = nameOf(session)
      if (person === undefined) return Exit.fail(noPerson(operation, session))
      const input = await this.checked(definition, connection, given)
      if (Exit.isFailure(input)) return Exit.failCause(input.cause)
      const { files, platform, value } = input.value
      const scope = options.scope?.(value as never) ?? ""
      const [id, idempotencyKey] = [this.ports.makeId(), this.ports.makeId()]
      // What the app's own functions throw is thrown here: nothing is kept then.
      const added = this.changes.add(
        id,
        { definition, input: value, operation, person, idempotencyKey },
        connection.state.cache
      )
      this.written.set(id, definition)
      const at = this.ports.now()
      try {
        await this.inLine(lineOf({ person, scope }), async () => {
          await this.readFiles(files)
          await this.ports.store.add(
            {
              id,
              mutation: definition.name,
              operation,
              input: value,
              idempotencyKey,
              person,
              platform,
              scope,
              at,
              state: "queued",
              attempts: 0,
              isInDoubt: false,
              notBefore: 0,
              error: undefined
            },
            this.capacity
          )
        })
      } catch (cause) {
        this.written.delete(id)
        added(false)
        throw cause
      }
      await this.refresh().catch((cause: unknown) => this.sender.fail(cause))
      added(true)
      this.sender.pump()
      this.tell({})
      return Exit.succeed(id)
    } catch (cause) {
      return cause instanceof OutboxError || isCallError(cause) ? Exit.fail(cause) : Exit.die(cause)
    }
  }

  /** Runs what adds to a line after what has begun to before, so that a file that takes long keeps its place. */
  private inLine(line: string, work: () => Promise<void>): Promise<void> {
    const own = (this.lines.get(line) ?? Promise.resolve()).then(work)
    const over = own
      .catch(() => undefined)
      .then(() => {
        if (this.lines.get(line) === over) this.lines.delete(line)
      })
    this.lines.set(line, over)
    return own
  }

  /** Reads files where there is room to keep them. */
  private async readFiles({ read, size }: ReturnType<typeof filesOf>): Promise<void> {
    if (size > 0 && size > (await this.ports.room()))
      throw new OutboxError({ outbox: this.name, reason: "Quota" })
    await read()
  }

  private refuse(reason: OutboxError["reason"]): Exit.Exit<never, OutboxError> {
    return Exit.fail(new OutboxError({ outbox: this.name, reason }))
  }

  /** The session, once it is known. */
  private settled(connection: Connection): Promise<SessionState<unknown>> {
    return new Promise((resolve) => {
      const look = (): void => {
        const state = connection.session
        if (state.status === "signing-in" && !this.isClosed) return
        stop()
        resolve(state)
      }
      const stop = this.subscribe(look)
      look()
    })
  }

  /** A copy of an input that can be kept and sent once its files are read, and the platform that it is for. */
  private async checked({ call }: Definition, { state: { client } }: Connection, given: unknown) {
    const copy = checked(call.operation.name, given)
    if (Either.isLeft(copy)) return Exit.fail(copy.left)
    const value = copy.right
    // Any operation's types are erased here: its endpoint checks the input.
    const operation: Operation<never, unknown, never> = call.operation
    const encoded = Effect.flatMap(clientOf(call.client), (service) =>
      Either.map(
        Either.flatMap(service.dispatcher.find(operation), (endpoint) => endpoint.call(value, undefined)),
        () => ({ value, files: filesOf(operation.name, value), platform: platformOf(service) })
      )
    )
    return new Promise<Exit.Exit<Effect.Effect.Success<typeof encoded>, unknown>>((resolve) =>
      client.fork(encoded, resolve)
    )
  }

  readonly tell = (message: News | TurnMessage): void => {
    // Who is closed has nothing more to say, and the browser would throw.
    if (!this.isClosed) this.channel.tell(message)
  }

  plan(): Plan {
    const people = this.people()
    const own = this.kept.filter(({ person }) => people.has(person))
    return plan(own, this.ports.now(), (entry) => this.routeOf(entry) !== undefined)
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
    if (lost !== undefined) this.miss(lost)
    if (isGone && event._tag === "Discarded") this.end(id, { status: "discarded" })
    if (before !== after)
      this.tell(isGone ? { id, end: event._tag === "Discarded" ? "discarded" : "done" } : {})
    this.kept = this.kept.flatMap((entry) => (entry.id === id ? (after ?? []) : entry))
    this.project()
    return changed
  }

  /** Ways to act, for whoever is signed in. */
  readonly actions: OutboxActions = {
    retry: (id) => this.act("retry", id, { _tag: "Retried", idempotencyKey: this.ports.makeId() }),
    discard: (id) => this.act("discard", id, { _tag: "Discarded" }),
    edit: (id, given) =>
      this.outcome(async () => {
        checkId("edit", id)
        // Nobody may have read it yet.
        await this.refresh()
        const entry = this.kept.find((one) => one.id === id)
        const definition = entry && this.definitionOf(entry)
        const connection = definition && this.connectionOf(definition)
        if (definition === undefined || connection === undefined) return { status: "refused" }
        const input = await this.checked(definition, connection, given)
        if (Exit.isFailure(input)) throw Cause.squash(input.cause)
        await this.readFiles(input.value.files)
        return this.act("edit", id, {
          _tag: "Edited",
          idempotencyKey: this.ports.makeId(),
          input: input.value.value
        })
      }),
    clear: () =>
      this.outcome(async () => {
        this.loss = undefined
        // What is about to be kept is dropped too.
        await Promise.all(this.lines.values())
        for (const { id } of await this.ports.store.all()) await this.change(id, { _tag: "Discarded" })
        await this.refresh()
        this.sender.pump()
        return { status: "success" }
      })
  }

  private act(name: keyof OutboxActions, id: string, event: EntryEvent): Promise<ActionOutcome> {
    return this.outcome(async () => {
      checkId(name, id)
      const isOwn = (entry: Kept): boolean => this.people().has(entry.person)
      const { after, before } = await this.change(id, event, isOwn)
      this.sender.pump()
      return { status: before === after ? "refused" : "success" }
    })
  }

  private async outcome(action: () => Promise<ActionOutcome>): Promise<ActionOutcome> {
    try {
      return await action()
    } catch (cause) {
      return { status: "error", error: isCallError(cause) ? cause : outboxErrorOf(this.name, cause) }
    }
  }
}

/** Throws an InputError for what names no entry: a database refuses it, or another one would be meant. */
const checkId = (name: keyof OutboxActions, id: unknown): void => {
  if (typeof id !== "string" || id === "")
    throw new InputError({ operation: `outbox.${name}`, field: "id", rule: "must be text that is not empty" })
}

/** Why there is nobody whose entry it could be. */
const noPerson = (operation: string, session: SessionState<unknown>): unknown =>
  (session.status === "signed-out" ? session.error : undefined) ??
  new CredentialsError({
    operation,
    reason: "Missing",
    advice:
      session.status === "signed-in"
        ? "the session does not say who is signed in, so nothing is kept for them"
        : "nobody is signed in"
  })
