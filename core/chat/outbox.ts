/**
 * Outgoing messages: each is checked and gets an id, waits for a connection and then for the acknowledgement, within
 * one deadline. A message that was in flight when a connection ended is sent on the next one under the same id.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import { isRecord } from "effect/Predicate"
import * as AST from "effect/SchemaAST"
import { compile } from "../kernel/codec/compiler/compile.js"
import * as Json from "../kernel/codec/json.js"
import { makeState, wrong } from "../kernel/codec/state.js"
import type { CredentialsProvider } from "../kernel/dispatch/credentials.js"
import type { Deadlines } from "../kernel/dispatch/lifetime/deadlines.js"
import { InputError, OutcomeUnknown } from "../kernel/errors/errors.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Raw from "../kernel/operation/raw.js"
import type { Connection } from "../ports/chat-socket.js"
import type { Reader } from "./decoding.js"
import { ChatError, type SendError, shown } from "./errors.js"
import { ClientId, Draft, fieldsOf, type Message, type Sendable, type Sent } from "./model.js"
import type { Policy } from "./policy.js"
import type { Figures } from "./state.js"

export type Send = (draft: Sendable) => Effect.Effect<Sent, SendError>

/** `Send` for callers without a fiber: reports once how it ends, unless the returned function cancels it before. */
export type Launch = (draft: Sendable, settle: Settle) => () => void

type Settle = (exit: Exit.Exit<Sent, SendError>) => void

type Answer = Either.Either<Sent, SendError>

/** The state of one message. `Queued`: it was never sent. `InFlight`: it was, and may have been accepted. */
export type Delivery =
  | { readonly _tag: "Queued" }
  | { readonly _tag: "InFlight"; readonly emissions: number }
  | { readonly _tag: "Settled" }

export type DeliveryEvent =
  | { readonly _tag: "Connected" | "Expired" | "Interrupted" }
  /** The server acknowledged or refused it. */
  | { readonly _tag: "Answered"; readonly answer: Answer }
  /** The platform sent the message, in an echo or a history. */
  | { readonly _tag: "Told"; readonly message: Message }
  /** The chat is over. */
  | { readonly _tag: "Closed"; readonly error: ChatError }

export type DeliveryAction = { readonly _tag: "Emit" } | { readonly _tag: "Settle"; readonly answer: Answer }

type Step = readonly [state: Delivery, actions: ReadonlyArray<DeliveryAction>]

const queued: Delivery = { _tag: "Queued" }
const settled: Delivery = { _tag: "Settled" }
const connected: DeliveryEvent = { _tag: "Connected" }
const expired: DeliveryEvent = { _tag: "Expired" }
const interrupted: DeliveryEvent = { _tag: "Interrupted" }
const emit: ReadonlyArray<DeliveryAction> = [{ _tag: "Emit" }]

const settle = (answer: Answer): Step => [settled, [{ _tag: "Settle", answer }]]

const lost = (reason: "Network" | "Deadline", attempts: number): Step =>
  settle(Either.left(new OutcomeUnknown({ operation: "chat.send", reason, attempts })))

/** The transition for an event of the message `clientId`. */
export const reduce = (
  { emissions, sendDeadline }: Pick<Policy, "emissions" | "sendDeadline">,
  clientId: string,
  state: Delivery,
  event: DeliveryEvent
): Step => {
  if (state._tag === "Settled") return [state, []]
  const attempts = state._tag === "Queued" ? 0 : state.emissions
  switch (event._tag) {
    case "Connected":
      if (attempts >= emissions) return lost("Network", attempts)
      return [{ _tag: "InFlight", emissions: attempts + 1 }, emit]
    case "Answered":
      return settle(event.answer)
    case "Told":
      if (attempts === 0) return [state, []]
      return settle(Either.right({ clientId, message: event.message }))
    case "Expired": {
      if (attempts > 0) return lost("Deadline", attempts)
      const detail = `there was no connection within ${sendDeadline} ms; the message was not sent`
      return settle(Either.left(failure("Timeout", clientId, detail)))
    }
    case "Interrupted":
      return [settled, []]
    case "Closed":
      return attempts > 0 ? lost("Network", attempts) : settle(Either.left(unsent(clientId, event.error)))
  }
}

const failure = (reason: ChatError["reason"], clientId: string, detail: string): ChatError =>
  new ChatError({ operation: "chat.send", reason, clientId, detail })

/** The chat was over before the message could be sent. */
const unsent = (clientId: string, { cause, detail, reason }: ChatError): ChatError =>
  new ChatError({
    operation: "chat.send",
    reason,
    detail,
    clientId,
    ...(cause === undefined ? {} : { cause })
  })

const nothing = (): void => undefined

/** One outgoing message. A class, because V8 may allocate objects of a literal among the old ones. */
class Outgoing {
  delivery: Delivery = queued
  /** Removes its deadline. */
  forget: () => void = nothing
  constructor(
    readonly clientId: string,
    private payload: unknown,
    private settled: Settle | undefined
  ) {}

  emit(connection: Connection, acknowledged: (said: unknown) => void): void {
    connection.emit("chat", this.payload, acknowledged)
  }

  settle(answer: Answer): void {
    this.settled?.(Exit.fromEither(answer))
  }

  /** A Map's former tables keep a removed value alive until a full collection: it holds nothing then. */
  release(): void {
    this.forget()
    this.forget = nothing
    this.payload = undefined
    this.settled = undefined
  }
}

/** `Detached`: there is no connection. */
type State =
  | { readonly _tag: "Detached" }
  | { readonly _tag: "Attached"; readonly connection: Connection }
  | { readonly _tag: "Closed"; readonly error: ChatError }

const detached: State = { _tag: "Detached" }

/** Checks a draft: its fields are known ones, unless it came through `Input.raw`. */
const check = /*#__PURE__*/ compile(
  /*#__PURE__*/ AST.typeAST(/*#__PURE__*/ Entity.checkedBody(Draft).ast),
  "input"
)
/** The id is the chat's affair, so it is checked of every message. */
const checkId = /*#__PURE__*/ compile(/*#__PURE__*/ AST.typeAST(ClientId.ast), "input")

const refuse = (field: string, rule: string): Either.Either<never, InputError> =>
  Either.left(new InputError({ operation: "chat.send", field, rule }))

/** Whether JSON keeps a value as it is, and nobody can change it. */
const isFlat = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value)

type MakeId = (time: number) => string

/** The id of a draft, and the payload with it. */
interface Encoded {
  readonly clientId: string
  readonly payload: unknown
}

/** The payload is a copy, so the caller's later changes have no effect. */
const encode = (draft: Sendable, time: number, makeId: MakeId): Either.Either<Encoded, InputError> => {
  const state = makeState()
  if (check(draft, state) === wrong) return refuse(state.path === "" ? "message" : state.path, state.rule)
  if (!isRecord(Raw.sentOf(draft))) return refuse("message", "must be an object")
  const fields = fieldsOf(draft)
  const { clientId: id = makeId(time) } = fields
  const clientId = checkId(id, state)
  if (typeof clientId !== "string") return refuse("clientId", state.rule)
  const copy = { ...fields, clientId }
  if (Object.values(copy).every(isFlat)) return Either.right({ clientId, payload: copy })
  return Either.mapBoth(Json.encode(copy, ""), {
    onRight: (text): Encoded => ({ clientId, payload: JSON.parse(text) }),
    onLeft: (refusal) => new InputError({ operation: "chat.send", ...refusal })
  })
}

export class Outbox {
  /** In the order of sending. */
  private readonly messages = new Map<string, Outgoing>()
  private state: State = detached

  constructor(
    private readonly policy: Policy,
    private readonly figures: Figures,
    private readonly credentialsProvider: Pick<CredentialsProvider, "secrets">,
    private readonly reader: Reader,
    private readonly deadlines: Deadlines,
    private readonly makeId: MakeId,
    /** Called with the conversation of every accepted draft. */
    private readonly onDraft: (conversationId: string, time: Date) => void,
    /** A message as the platform takes it. */
    private readonly write: (payload: unknown) => unknown = identity
  ) {}

  get isClosed(): boolean {
    return this.state._tag === "Closed"
  }

  readonly send: Send = (draft) =>
    Effect.withFiberRuntime((fiber) => {
      const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
      return Effect.async((resume) => Effect.sync(this.launch(clock, draft, resume)))
    })

  /** Sends a message, on a clock. */
  launch(clock: Clock.Clock, draft: Sendable, settle: Settle): () => void {
    const time = clock.unsafeCurrentTimeMillis()
    // A getter of the draft may throw, and so may what writes it for the platform.
    const encoded = Either.try(() =>
      Either.map(
        encode(draft, time, this.makeId),
        ({ clientId, payload }): Encoded => ({ clientId, payload: this.write(payload) })
      )
    )
    if (Either.isLeft(encoded)) {
      settle(Exit.die(encoded.left))
      return nothing
    }
    const accepted = this.accept(encoded.right)
    if (Either.isLeft(accepted)) {
      settle(Exit.fail(accepted.left))
      return nothing
    }
    const { clientId, payload } = accepted.right
    const { conversationId } = fieldsOf(draft)
    if (typeof conversationId === "string") this.onDraft(conversationId, new Date(time))
    const message = new Outgoing(clientId, payload, settle)
    message.forget = this.deadlines.after(clock, this.policy.sendDeadline, () =>
      this.dispatch(message, expired)
    )
    this.messages.set(clientId, message)
    this.connect(message)
    return () => this.dispatch(message, interrupted)
  }

  /** Whether a message may be sent. */
  private accept(encoded: Either.Either<Encoded, InputError>): Either.Either<Encoded, SendError> {
    if (Either.isLeft(encoded)) return encoded
    const { clientId } = encoded.right
    if (this.state._tag === "Closed") return Either.left(unsent(clientId, this.state.error))
    if (this.messages.has(clientId)) return refuse("clientId", "names a message that is on its way already")
    const most = this.policy.outbox
    if (this.messages.size < most) return encoded
    return Either.left(
      failure("Overflow", clientId, `${most} messages wait already; the message was not sent`)
    )
  }

  /** Sends all waiting messages on a connection, in order. */
  attach(connection: Connection): void {
    this.state = { _tag: "Attached", connection }
    for (const message of [...this.messages.values()]) this.connect(message)
  }

  detach(): void {
    if (this.state._tag === "Attached") this.state = detached
  }

  /** A connection that has just ended accepts nothing: the message waits for the next one. */
  private connect(message: Outgoing): void {
    if (this.state._tag === "Attached" && this.state.connection.connected()) this.dispatch(message, connected)
  }

  /** The platform sent a message: if it is one of these, it was accepted. */
  settle(message: Message): void {
    const { clientId } = message
    const sent = typeof clientId === "string" ? this.messages.get(clientId) : undefined
    if (sent !== undefined) this.dispatch(sent, { _tag: "Told", message })
  }

  /** Ends all messages with the chat: those in flight may have been accepted. */
  close(error: ChatError): void {
    this.state = { _tag: "Closed", error }
    for (const message of [...this.messages.values()]) this.dispatch(message, { _tag: "Closed", error })
  }

  private dispatch(message: Outgoing, event: DeliveryEvent): void {
    if (message.delivery._tag === "Settled") return
    const [delivery, actions] = reduce(this.policy, message.clientId, message.delivery, event)
    message.delivery = delivery
    for (const action of actions) {
      if (action._tag === "Emit") this.emit(message)
      else {
        if (Either.isRight(action.answer)) this.figures.sent += 1
        message.settle(action.answer)
      }
    }
    if (delivery._tag !== "Settled") return
    this.messages.delete(message.clientId)
    message.release()
  }

  private emit(message: Outgoing): void {
    if (this.state._tag !== "Attached") return
    this.figures.emitted += 1
    message.emit(this.state.connection, (said) =>
      this.dispatch(message, { _tag: "Answered", answer: this.answerOf(message.clientId, said) })
    )
  }

  /** The result in the server's acknowledgement. */
  private answerOf(clientId: string, said: unknown): Answer {
    const read = this.reader.acknowledgement(said)
    if (Either.isRight(read)) return Either.right({ clientId, message: read.right })
    const text = shown(read.left.message, this.credentialsProvider)
    return Either.left(failure("Rejected", clientId, `the platform refused the message: ${text}`))
  }
}
