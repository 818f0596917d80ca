/**
 * Keeps a chat connected: one connection after another, with fresh credentials, a growing random pause between
 * attempts, and missed messages delivered before newer ones. An attempt opens the socket and checks every 100 ms
 * whether it is open (specification, point 4).
 */
import type { Tag } from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Random from "effect/Random"
import type * as Scope from "effect/Scope"
import type { Credentials, CredentialsProvider } from "../kernel/dispatch/credentials.js"
import { now } from "../kernel/dispatch/lifetime/deadlines.js"
import type { CallError } from "../kernel/errors/errors.js"
import { own } from "../permissions/own.js"
import type { Address, ChatSocket, Connection, Handshake, Trouble } from "../ports/chat-socket.js"
import { ChatError, shown, shownData } from "./errors.js"
import type { Inbox } from "./inbox.js"
import type { Outbox } from "./outbox.js"
import { longestTime, type Policy, pauseBefore } from "./policy.js"
import type { Recover } from "./recovery.js"
import type { Figures, State as Status } from "./state.js"

/** Whether credentials are renewed: `Due` after a refusal, `Done` until a connection opened with them. */
type Renewal =
  | { readonly _tag: "None" | "Done" }
  | { readonly _tag: "Due"; readonly credentials: Credentials; readonly trouble: Trouble }

/** `Connecting` until a connection has opened. `failures`: consecutive failed attempts. */
export interface State {
  readonly _tag: "Connecting" | "Reconnecting"
  readonly failures: number
  readonly renewal: Renewal
}

/** How an attempt ended; the server's message is masked. */
export type Ended =
  | { readonly _tag: "NoCredentials"; readonly trouble: Trouble; readonly error: CallError }
  /** Only the refused ones exist. */
  | { readonly _tag: "NoOthers"; readonly trouble: Trouble }
  | { readonly _tag: "Failed"; readonly trouble: Trouble; readonly credentials: Credentials }
  /** `millis`: how long the connection was open. */
  | {
      readonly _tag: "Stood"
      readonly trouble: Trouble
      readonly credentials: Credentials
      readonly millis: number
    }

/** Without a pause or a failure, the next attempt is made at once. */
export type Action =
  | { readonly _tag: "Publish"; readonly status: Status }
  | { readonly _tag: "Pause"; readonly failures: number; readonly retryAfter: number | undefined }
  | { readonly _tag: "Fail"; readonly error: ChatError }

export const initial: State = { _tag: "Connecting", failures: 0, renewal: { _tag: "None" } }

/** Of a handshake that a function of the platform's value could not write. */
const unwritten = (cause: unknown): Trouble => ({
  reason: "Refused",
  message: `the handshake could not be written: ${own(cause, "field") ?? "a function"} of the platform ${own(cause, "did") ?? "failed"}`
})

const failure = (
  reason: "Refused" | "Unreachable",
  detail: string,
  data: unknown,
  cause?: CallError
): Action => ({
  _tag: "Fail",
  error: new ChatError({
    operation: "chat.open",
    reason,
    detail,
    ...(data === undefined ? {} : { data }),
    ...(cause === undefined ? {} : { cause })
  })
})

/** A masked refusal in words. */
const refusalIn = ({ data, message }: Trouble, also = ""): string => {
  const more = data === undefined ? "" : ` ${JSON.stringify(data).slice(0, 300)}`
  return `the server refused the connection${also}: ${message}${more}`
}

const mayPass = (error: CallError): boolean =>
  error.retryable || (error._tag === "CredentialsError" && error.reason === "Cooldown")

const renewalAfter = ({ renewal }: State, ended: Ended): Renewal => {
  if (ended._tag === "Stood") return { _tag: "None" }
  if (renewal._tag !== "Due" || ended._tag === "NoCredentials") return renewal
  return { _tag: ended._tag === "Failed" && ended.credentials.isKept === true ? "None" : "Done" }
}

/** The transition at the end of an attempt. */
export const reduce = (
  policy: Pick<Policy, "attempts" | "longestPause">,
  canRenew: boolean,
  state: State,
  ended: Ended
): readonly [state: State, actions: ReadonlyArray<Action>] => {
  const { trouble } = ended
  const error = ended._tag === "NoCredentials" ? ended.error : undefined
  if (error !== undefined && !mayPass(error)) {
    const refused = state.renewal._tag === "Due" ? state.renewal.trouble : undefined
    const why = refused === undefined ? "" : `${refusalIn(refused)}; `
    return [state, [failure("Refused", why + trouble.message, refused?.data, error)]]
  }
  const hasStood = ended._tag === "Stood"
  const next: State = {
    _tag: hasStood ? "Reconnecting" : state._tag,
    failures: hasStood && ended.millis >= policy.longestPause ? 0 : state.failures,
    renewal: renewalAfter(state, ended)
  }
  const publish: ReadonlyArray<Action> =
    next._tag === "Connecting"
      ? []
      : [{ _tag: "Publish", status: { status: "reconnecting", attempt: next.failures + 1, trouble } }]
  if (trouble.reason === "Refused") {
    const credentials = "credentials" in ended ? ended.credentials : undefined
    const isRenewed = next.renewal._tag === "Done"
    if (canRenew && !isRenewed && credentials !== undefined)
      return [{ ...next, renewal: { _tag: "Due", credentials, trouble } }, publish]
    const also = isRenewed && credentials !== undefined ? ", with new credentials too" : ""
    return [next, [...publish, failure("Refused", refusalIn(trouble, also), trouble.data)]]
  }
  const failures = next.failures + 1
  if (failures > policy.attempts) {
    const detail = `${policy.attempts} attempts to connect failed: ${trouble.message}`
    return [next, [...publish, failure("Unreachable", detail, trouble.data, error)]]
  }
  const pause: Action = { _tag: "Pause", failures: failures - 1, retryAfter: error?.retryAfter }
  return [{ ...next, failures }, [...publish, pause]]
}

/** A connection that was open at least once. */
interface Link {
  readonly connection: Connection
  /** Waits for its end. */
  readonly ended: Effect.Effect<Trouble>
}

/** The parts of a chat. */
export interface Parts {
  readonly socket: Tag.Service<ChatSocket>
  readonly address: Address
  readonly credentialsProvider: Pick<CredentialsProvider, "getCredentials" | "renew" | "accepted" | "secrets">
  /** The handshake of an attempt to connect. */
  readonly handshake: (credentials: Credentials) => Handshake
  readonly policy: Policy
  readonly inbox: Inbox
  readonly outbox: Outbox
  readonly figures: Figures
  readonly recover: Recover
  readonly publish: (status: Status) => Effect.Effect<void>
  /** Called with the masked reason why an attempt ended. */
  readonly onTrouble: (trouble: Trouble) => void
}

const closed: Connection = { connected: () => false, emit: () => undefined, close: () => undefined }

/** Connects, or fails with the reason. The connection and all its listeners end with the scope. */
const connect = (
  { address, inbox, policy, socket }: Parts,
  handshake: Handshake
): Effect.Effect<Link, Trouble, Scope.Scope> =>
  Effect.gen(function* () {
    const ended = yield* Deferred.make<Trouble>()
    const onTrouble = (trouble: Trouble): void => Deferred.unsafeDone(ended, Effect.succeed(trouble))
    let onEvent = (event: "chat" | "history", payload: unknown): void => inbox.receive(event, payload)
    const open = (): Connection =>
      socket.open(address, handshake, {
        onEvent: (event, payload) => onEvent(event, payload),
        onTrouble
      })
    const connection = yield* Effect.acquireRelease(
      Effect.sync(() =>
        Either.getOrElse(Either.try(open), () => {
          onTrouble({ reason: "Unreachable", message: "the socket could not be opened" })
          return closed
        })
      ),
      (opened) =>
        Effect.sync(() => {
          // Later events of a closed connection are ignored.
          onEvent = () => undefined
          opened.close()
        })
    )
    const clock = yield* Effect.clock
    const expiry = now(clock) + policy.deadline
    while (!connection.connected()) {
      if (yield* Deferred.isDone(ended)) return yield* Effect.flip(Deferred.await(ended))
      const left = expiry - now(clock)
      if (left <= 0) {
        const message = `no connection within ${policy.deadline} ms`
        return yield* Effect.fail<Trouble>({ reason: "Unreachable", message })
      }
      yield* Effect.sleep(Duration.millis(Math.min(policy.poll, Math.ceil(left))))
    }
    return { connection, ended: Deferred.await(ended) }
  })

/** Runs until it is interrupted, or fails for good. */
export const run = (parts: Parts): Effect.Effect<never, ChatError> => {
  const { credentialsProvider, figures, inbox, outbox, policy, publish, recover } = parts
  const masked = ({ data, message, reason }: Trouble): Trouble => {
    const maskedData = shownData(data, credentialsProvider)
    return {
      reason,
      message: shown(message, credentialsProvider),
      ...(maskedData === undefined ? {} : { data: maskedData })
    }
  }

  /** Catches up whenever a reader that was behind has room again. */
  const keepUp = Effect.forever(
    Effect.zipRight(
      Effect.zipRight(inbox.fellBehind.await, inbox.events.hasRoom),
      Effect.suspend(() => {
        inbox.openGap()
        return recover(false)
      })
    )
  )

  /** Uses a connection until it ends. */
  const use = (link: Link, isFirst: boolean): Effect.Effect<Trouble> =>
    Effect.gen(function* () {
      figures.connections += 1
      const lost = isFirst
        ? undefined
        : yield* Effect.raceFirst(link.ended, Effect.as(recover(true), undefined))
      if (lost !== undefined) return lost
      yield* publish({ status: "connected" })
      outbox.attach(link.connection)
      return yield* Effect.raceFirst(link.ended, keepUp)
    }).pipe(Effect.ensuring(Effect.sync(() => outbox.detach())))

  /** One attempt; after a refusal, with renewed credentials. */
  const attempt = ({ _tag, renewal }: State): Effect.Effect<Ended> =>
    Effect.scoped(
      Effect.gen(function* () {
        const fresh =
          renewal._tag !== "Due" || credentialsProvider.renew === undefined
            ? Effect.clockWith(credentialsProvider.getCredentials)
            : credentialsProvider.renew(renewal.credentials, "chat.open")
        const obtained = yield* Effect.either(fresh)
        if (Either.isLeft(obtained)) {
          const error = obtained.left
          const message = `no credentials: ${error.message}`
          return {
            _tag: "NoCredentials",
            error,
            trouble: masked({ reason: "Unreachable", message })
          } as const
        }
        const credentials = obtained.right
        if (credentials === undefined) {
          // The server's refusal remains.
          const said = renewal._tag === "Due" ? renewal.trouble : undefined
          const trouble: Trouble = { reason: "Refused", message: "no new credentials", ...said }
          return { _tag: "NoOthers", trouble } as const
        }
        const handshake = Effect.try({ try: () => parts.handshake(credentials), catch: unwritten })
        const link = yield* Effect.either(Effect.flatMap(handshake, (sent) => connect(parts, sent)))
        if (Either.isLeft(link)) return { _tag: "Failed", trouble: masked(link.left), credentials } as const
        credentialsProvider.accepted(credentials, "chat.open")
        const clock = yield* Effect.clock
        const since = now(clock)
        const trouble = yield* use(link.right, _tag === "Connecting")
        inbox.openGap()
        const millis = now(clock) - since
        return { _tag: "Stood", trouble: masked(trouble), credentials, millis } as const
      })
    )

  const perform = (action: Action): Effect.Effect<void, ChatError> => {
    if (action._tag === "Fail") return Effect.fail(action.error)
    if (action._tag === "Publish") return publish(action.status)
    return Effect.flatMap(Random.next, (chance) => {
      const pause = action.retryAfter ?? pauseBefore(policy, action.failures, chance)
      return Effect.sleep(Duration.millis(Math.min(pause, longestTime)))
    })
  }

  return Effect.gen(function* () {
    let state = initial
    while (true) {
      const ended = yield* attempt(state)
      parts.onTrouble(ended.trouble)
      const [next, actions] = reduce(policy, credentialsProvider.renew !== undefined, state, ended)
      state = next
      for (const action of actions) yield* perform(action)
    }
  })
}
