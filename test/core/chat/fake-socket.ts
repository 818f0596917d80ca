// A ChatSocket whose server is the test: every attempt to connect is there to be accepted, refused, lost and looked at.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Credentials } from "../../../core/kernel/dispatch/credentials.js"
import type { CallError } from "../../../core/kernel/errors/errors.js"
import { type Address, ChatSocket, type Handshake, type Listener } from "../../../core/ports/chat-socket.js"

export interface Emitted {
  readonly payload: Record<string, unknown>
  readonly acknowledge: (answer?: unknown) => void
}

export class FakeConnection {
  isConnected = false
  isClosed = false
  readonly emitted: Array<Emitted> = []

  constructor(
    readonly address: Address,
    readonly handshake: Handshake,
    readonly listener: Listener
  ) {}

  accept(): void {
    this.isConnected = true
  }
  refuse(message = "bad token", data?: unknown): void {
    this.listener.onTrouble({ reason: "Refused", message, ...(data === undefined ? {} : { data }) })
  }
  fail(message = "connection refused"): void {
    this.listener.onTrouble({ reason: "Unreachable", message })
  }
  lose(message = "transport close"): void {
    this.isConnected = false
    this.listener.onTrouble({ reason: "Lost", message })
  }
  say(event: "chat" | "history", payload: unknown): void {
    this.listener.onEvent(event, structuredClone(payload))
  }
}

export class FakeSocket {
  readonly connections: Array<FakeConnection> = []
  /** Decides on each attempt as it is made; by default none is answered. */
  answer: (connection: FakeConnection, number: number) => void = () => undefined

  readonly layer = Layer.succeed(ChatSocket, {
    open: (address, handshake, listener) => {
      const connection = new FakeConnection(address, handshake, listener)
      this.connections.push(connection)
      this.answer(connection, this.connections.length)
      return {
        connected: () => connection.isConnected && !connection.isClosed,
        emit: (_event, payload, acknowledge) => {
          connection.emitted.push({ payload: payload as Record<string, unknown>, acknowledge })
        },
        close: () => {
          connection.isClosed = true
        }
      }
    }
  })

  /** The connection made last. */
  get last(): FakeConnection {
    const last = this.connections.at(-1)
    if (last === undefined) throw new Error("nothing was opened")
    return last
  }

  get open(): number {
    return this.connections.filter(({ isClosed }) => !isClosed).length
  }
}

/** Credentials that count how often they were asked for. */
export class FakeCredentialsProvider {
  obtained = 0
  renewed = 0
  /** What the next one to ask is answered with, in place of credentials. */
  readonly failures: Array<CallError> = []
  private version = 1
  private held: Credentials | undefined

  private readonly make = (): Credentials => ({
    headers: { authorization: `Bearer token-${this.version}`, "x-session-id": `session-${this.version}` },
    grants: {}
  })

  readonly secrets = (): ReadonlyArray<string> => [`token-${this.version}`, `session-${this.version}`]

  readonly getCredentials = (): Effect.Effect<Credentials, CallError> =>
    Effect.suspend(() => {
      this.obtained += 1
      const failure = this.failures.shift()
      if (failure !== undefined) return Effect.fail(failure)
      this.held ??= this.make()
      return Effect.succeed(this.held)
    })

  /** Credentials with which a connection stood. */
  readonly worked: Array<Credentials> = []

  readonly accepted = (credentials: Credentials): void => {
    this.worked.push(credentials)
  }

  renew: ((refused: Credentials) => Effect.Effect<Credentials | undefined, CallError>) | undefined = () =>
    Effect.suspend(() => {
      this.renewed += 1
      const failure = this.failures.shift()
      if (failure !== undefined) return Effect.fail(failure)
      this.version += 1
      this.held = this.make()
      return Effect.succeed(this.held)
    })
}
