/** How a call becomes an entry: who it is of, whether its input can be sent, and that its files are on the disk. */

import { CredentialsError, InputError, isCallError, type Operation, prepare } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { SessionState } from "../rx/session.js"
import { type Connection, clientOf, type Definition, nameOf, platformOf } from "./connection.js"
import { lineOf } from "./entry.js"
import { OutboxError } from "./error.js"
import { checked, filesOf } from "./input.js"
import type { Ports } from "./store.js"

/** A call that is about to be kept. */
export interface Draft {
  readonly id: string
  readonly definition: Definition
  readonly connection: Connection
  readonly input: unknown
  readonly person: string
  readonly idempotencyKey: string
}

/** What admission needs of the page's part of an outbox. */
export interface Host {
  readonly isClosed: boolean
  readonly subscribe: (listener: () => void) => () => void
  readonly connectionOf: (definition: Definition) => Connection | undefined
  /** Shows what a call changes before it is kept. The function is told whether it was kept. */
  readonly show: (draft: Draft) => (isKept: boolean) => void
  /** Reads and sends what is kept. */
  readonly admitted: () => Promise<void>
}

export class Admission {
  /** What each line waits for before it takes the next entry: files are read meanwhile. */
  private readonly lines = new Map<string, Promise<void>>()

  constructor(
    private readonly name: string,
    private readonly capacity: number,
    private readonly ports: Ports,
    private readonly host: Host
  ) {}

  /** Waits for what is about to be kept. */
  async settled(): Promise<void> {
    await Promise.all(this.lines.values())
  }

  /** Keeps a call. Answers its id, after it is on the disk. */
  async add(definition: Definition, input: unknown): Promise<Exit.Exit<string, unknown>> {
    const { call, options } = definition
    const { name: operation } = call.operation
    try {
      if (this.ports.locks === undefined) return this.refuse("Unsupported")
      const connection = this.host.connectionOf(definition)
      if (connection === undefined) return this.refuse("Storage")
      const session = await this.sessionOf(connection)
      const person = nameOf(session)
      if (person === undefined) return Exit.fail(noPerson(operation, session))
      const checkedInput = await this.check(definition, connection, input)
      if (Exit.isFailure(checkedInput)) return Exit.failCause(checkedInput.cause)
      const { files, platform, value } = checkedInput.value
      const scope = options.scope?.(value as never) ?? ""
      const [id, idempotencyKey] = [this.ports.makeId(), this.ports.makeId()]
      // What the app's own functions throw is thrown here: nothing is kept then.
      const shown = this.host.show({ id, definition, connection, input: value, person, idempotencyKey })
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
        shown(false)
        throw cause
      }
      await this.host.admitted()
      shown(true)
      return Exit.succeed(id)
    } catch (cause) {
      return cause instanceof OutboxError || isCallError(cause) ? Exit.fail(cause) : Exit.die(cause)
    }
  }

  /** Runs what adds to a line after what has begun to before, so that a file that takes long keeps its place. */
  private inLine(line: string, work: () => Promise<void>): Promise<void> {
    const task = (this.lines.get(line) ?? Promise.resolve()).then(work)
    const over = task
      .catch(() => undefined)
      .then(() => {
        if (this.lines.get(line) === over) this.lines.delete(line)
      })
    this.lines.set(line, over)
    return task
  }

  /** Reads files where there is room to keep them. */
  async readFiles({ read, size }: ReturnType<typeof filesOf>): Promise<void> {
    if (size > 0 && size > (await this.ports.room()))
      throw new OutboxError({ outbox: this.name, reason: "Quota" })
    await read()
  }

  private refuse(reason: OutboxError["reason"]): Exit.Exit<never, OutboxError> {
    return Exit.fail(new OutboxError({ outbox: this.name, reason }))
  }

  /** The session, once it is known. */
  private sessionOf(connection: Connection): Promise<SessionState<unknown>> {
    return new Promise((resolve) => {
      const look = (): void => {
        const state = connection.session
        if (state.status === "signing-in" && !this.host.isClosed) return
        stop()
        resolve(state)
      }
      const stop = this.host.subscribe(look)
      look()
    })
  }

  /** A copy of an input that can be kept and sent once its files are read, and the platform that it is for. */
  async check({ call }: Definition, { state: { client } }: Connection, input: unknown) {
    const copy = checked(call.operation.name, input)
    if (Either.isLeft(copy)) return Exit.fail(copy.left)
    const value = copy.right
    // Any operation's types are erased here: the client checks the input.
    const operation: Operation<never, unknown, never> = call.operation
    const encoded = Effect.flatMap(clientOf(call.client), (service) => {
      const asSent = (own: unknown) =>
        Either.map(prepare(service.dispatcher, operation, own as never, undefined), sentOf)
      return Effect.flatMap(Either.all([asSent(input ?? {}), asSent(value)]), ([now, later]) =>
        now === later
          ? Either.right({
              value,
              files: filesOf(operation.name, value),
              platform: platformOf(service)
            })
          : Either.left(changed(operation.name))
      )
    })
    return new Promise<Exit.Exit<Effect.Effect.Success<typeof encoded>, unknown>>((resolve) =>
      client.fork(encoded, resolve)
    )
  }
}

/** What a prepared call sends, for comparison. Files are kept as they are. */
const sentOf = ({ encoded: { body, path } }: Effect.Effect.Success<ReturnType<typeof prepare>>): string =>
  `${path} ${body?._tag === "Json" ? body.text : ""}`

/** A copy has no getters and no toJSON of a class: kept, it would be another call, such as a refund without its amount. */
const changed = (operation: string): InputError =>
  new InputError({
    operation,
    field: "input",
    rule: "must be plain objects and lists: what an object of a class computes is not kept on the device"
  })

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
