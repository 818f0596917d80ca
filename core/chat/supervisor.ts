/**
 * Keeps a chat connected: one connection after another, with fresh credentials, a growing random pause between
 * attempts, and what was missed told before anything newer.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Random from "effect/Random"
import type { Credentials, CredentialsProvider } from "../kernel/dispatch/credentials.js"
import { now } from "../kernel/dispatch/deadline.js"
import type { CallError } from "../kernel/errors/errors.js"
import type { Address, Handshake, Service, Trouble } from "../ports/chat-socket.js"
import type { CatchUp } from "./catch-up.js"
import { connect, type Link } from "./connection.js"
import { ChatError, shown, shownData } from "./errors.js"
import type { Figures } from "./figures.js"
import type { Inbox } from "./inbox.js"
import type { Outbox } from "./outbox.js"
import { longestTime, type Policy, pauseBefore } from "./policy.js"
import type { State } from "./state.js"

/** What a chat is made of. */
export interface Parts {
  readonly socket: Service
  readonly address: Address
  readonly credentialsProvider: Pick<CredentialsProvider, "obtain" | "renew" | "accepted" | "secrets">
  /** What an attempt to connect sends. */
  readonly handshake: (credentials: Credentials) => Handshake
  readonly policy: Policy
  readonly inbox: Inbox
  readonly outbox: Outbox
  readonly figures: Figures
  readonly catchUp: CatchUp
  readonly setState: (state: State) => Effect.Effect<void>
  /** Told, masked, of whatever ends an attempt. */
  readonly onTrouble: (trouble: Trouble) => void
}

/** How an attempt ended. */
interface End {
  readonly trouble: Trouble
  /** What was sent, where the attempt got so far. */
  readonly credentials?: Credentials
  /** Why there were no credentials to send. */
  readonly error?: CallError
  /** Milliseconds that the connection stood; undefined where it never did. */
  readonly stood?: number
}

/** Credentials that the server refused, and its words, masked. */
interface Refusal {
  readonly credentials: Credentials
  readonly trouble: Trouble
}

/** A masked refusal in words. */
const refusalIn = ({ data, message }: Trouble, also = ""): string => {
  const more = data === undefined ? "" : ` ${JSON.stringify(data).slice(0, 300)}`
  return `the server refused the connection${also}: ${message}${more}`
}

const mayPass = (error: CallError): boolean =>
  error.retryable || (error._tag === "CredentialsError" && error.reason === "Cooldown")

/** Runs until it is interrupted, or until nothing helps. */
export const run = (parts: Parts): Effect.Effect<never, ChatError> => {
  const { credentialsProvider, catchUp, figures, inbox, outbox, policy, setState } = parts
  const fail = (
    reason: "Refused" | "Unreachable",
    detail: string,
    { data }: Pick<Trouble, "data"> = {},
    cause?: CallError
  ): ChatError =>
    new ChatError({
      operation: "chat.open",
      reason,
      detail,
      ...(data === undefined ? {} : { data }),
      ...(cause === undefined ? {} : { cause })
    })
  const masked = ({ data, message, reason }: Trouble): Trouble => {
    const told = shownData(data, credentialsProvider)
    return {
      reason,
      message: shown(message, credentialsProvider),
      ...(told === undefined ? {} : { data: told })
    }
  }

  /** Catches up whenever a reader was behind and has room again. */
  const keepUp = Effect.forever(
    Effect.zipRight(
      Effect.zipRight(inbox.fellBehind.await, inbox.events.hasRoom),
      Effect.suspend(() => {
        inbox.openGap()
        return catchUp(false)
      })
    )
  )

  /** Uses a connection until it ends. */
  const use = (link: Link, isFirst: boolean): Effect.Effect<Trouble> =>
    Effect.gen(function* () {
      figures.connections += 1
      const lost = isFirst
        ? undefined
        : yield* Effect.raceFirst(link.ended, Effect.as(catchUp(true), undefined))
      if (lost !== undefined) return lost
      yield* setState({ status: "connected" })
      outbox.attach(link.connection)
      return yield* Effect.raceFirst(link.ended, keepUp)
    }).pipe(Effect.ensuring(Effect.sync(() => outbox.detach())))

  /** One attempt; after a refusal, with renewed credentials. */
  const attempt = (refusal: Refusal | undefined, isFirst: boolean): Effect.Effect<End> =>
    Effect.scoped(
      Effect.gen(function* () {
        const fresh =
          refusal === undefined || credentialsProvider.renew === undefined
            ? credentialsProvider.obtain
            : credentialsProvider.renew(refusal.credentials, "chat.open")
        const credentials = yield* Effect.either(fresh)
        if (Either.isLeft(credentials)) {
          const error = credentials.left
          return { error, trouble: { reason: "Unreachable", message: `no credentials: ${error.message}` } }
        }
        // Others would be refused too: what the server has said stands.
        if (credentials.right === undefined)
          return { trouble: { reason: "Refused", message: "no new credentials", ...refusal?.trouble } }
        const handshake = parts.handshake(credentials.right)
        const link = yield* Effect.either(
          connect(parts.socket, parts.address, handshake, policy, (event, payload) =>
            inbox.receive(event, payload)
          )
        )
        if (Either.isLeft(link)) return { trouble: link.left, credentials: credentials.right }
        credentialsProvider.accepted(credentials.right, "chat.open")
        const clock = yield* Effect.clock
        const since = now(clock)
        const trouble = yield* use(link.right, isFirst)
        inbox.openGap()
        return { trouble, credentials: credentials.right, stood: now(clock) - since }
      })
    )

  return Effect.gen(function* () {
    let isFirst = true
    let failures = 0
    let refusal: Refusal | undefined
    let isRenewed = false
    while (true) {
      const { credentials, error, stood, trouble: found } = yield* attempt(refusal, isFirst)
      const trouble = masked(found)
      parts.onTrouble(trouble)
      if (error !== undefined && !mayPass(error)) {
        const why = refusal === undefined ? "" : `${refusalIn(refusal.trouble)}; `
        return yield* Effect.fail(fail("Refused", why + trouble.message, refusal?.trouble, error))
      }
      if (error === undefined) refusal = undefined
      if (stood !== undefined) {
        isFirst = false
        isRenewed = false
        if (stood >= policy.longestPause) failures = 0
      }
      if (!isFirst) yield* setState({ status: "reconnecting", attempt: failures + 1, trouble })
      if (trouble.reason === "Refused") {
        if (credentialsProvider.renew === undefined || isRenewed || credentials === undefined) {
          const also = isRenewed && credentials !== undefined ? ", with new credentials too" : ""
          return yield* Effect.fail(fail("Refused", refusalIn(trouble, also), trouble))
        }
        refusal = { credentials, trouble }
        isRenewed = true
        continue
      }
      failures += 1
      if (failures > policy.attempts) {
        const detail = `${policy.attempts} attempts to connect failed: ${trouble.message}`
        return yield* Effect.fail(fail("Unreachable", detail, trouble, error))
      }
      const chance = yield* Random.next
      const pause = error?.retryAfter ?? pauseBefore(policy, failures - 1, chance)
      yield* Effect.sleep(Duration.millis(Math.min(pause, longestTime)))
    }
  })
}
