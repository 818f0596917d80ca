/** Sends one message: checks it, names it, and waits for the server's answer within one deadline. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Random from "effect/Random"
import * as AST from "effect/SchemaAST"
import { compile } from "../kernel/codec/compiler.js"
import * as Json from "../kernel/codec/json.js"
import { makeState, wrong } from "../kernel/codec/state.js"
import * as Deadline from "../kernel/dispatch/deadline.js"
import { InputError } from "../kernel/errors/errors.js"
import { ChatError, type SendError } from "./errors.js"
import { Draft, type Sent } from "./model.js"
import { type Entry, lost, type Outbox } from "./outbox.js"
import type { Policy } from "./policy.js"

export type Send = (draft: Draft) => Effect.Effect<Sent, SendError>

const check = /*#__PURE__*/ compile(/*#__PURE__*/ AST.typeAST(Draft.ast), "input")

const refuse = (field: string, rule: string): Either.Either<never, InputError> =>
  Either.left(new InputError({ operation: "chat.send", field, rule }))

/** The JSON text of a draft under its id. */
const encode = (draft: Draft, clientId: string): Either.Either<string, InputError> => {
  const state = makeState()
  if (check(draft, state) === wrong) return refuse(state.path === "" ? "message" : state.path, state.rule)
  return Either.mapLeft(
    Json.encode({ ...draft, clientId }, ""),
    (refusal) => new InputError({ operation: "chat.send", ...refusal })
  )
}

const word = /*#__PURE__*/ Random.nextIntBetween(0, 2 ** 32)

/** The time and 96 random bits. */
const makeId: Effect.Effect<string> = /*#__PURE__*/ Effect.zipWith(
  Clock.currentTimeMillis,
  /*#__PURE__*/ Effect.all([word, word, word]),
  (time, words) => `${time.toString(36)}-${words.map((bits) => bits.toString(16).padStart(8, "0")).join("")}`
)

/** Makes the `send` of one chat. `over` is what ended the chat, `onDraft` is told of every message that is taken. */
export const make = (
  policy: Policy,
  outbox: Outbox,
  over: () => ChatError | undefined,
  onDraft: (draft: Draft, time: Date) => void
): Send => {
  const late = (entry: Entry): SendError =>
    entry.emissions > 0
      ? lost(entry, "Deadline")
      : new ChatError({
          operation: "chat.send",
          reason: "Timeout",
          clientId: entry.clientId,
          detail: `there was no connection within ${policy.sendDeadline} ms; the message was not sent`
        })

  const isTaken = (clientId: string): Either.Either<void, SendError> => {
    const end = over()
    if (end !== undefined) {
      const { cause, detail, reason } = end
      return Either.left(
        new ChatError({
          operation: "chat.send",
          reason,
          detail,
          clientId,
          ...(cause === undefined ? {} : { cause })
        })
      )
    }
    if (outbox.has(clientId)) return refuse("clientId", "names a message that is on its way already")
    if (!outbox.isFull) return Either.void
    const detail = `${policy.outbox} messages wait already; the message was not sent`
    return Either.left(new ChatError({ operation: "chat.send", reason: "Overflow", clientId, detail }))
  }

  const post = (clientId: string, text: string, clock: Clock.Clock): Effect.Effect<Sent, SendError> =>
    Effect.async((resume) => {
      const entry: Entry = {
        clientId,
        text,
        emissions: 0,
        done: (answer) => {
          forget()
          resume(answer)
        }
      }
      const forget = Deadline.after(clock, policy.sendDeadline, () => {
        outbox.remove(entry)
        resume(Effect.fail(late(entry)))
      })
      outbox.add(entry)
      return Effect.sync(() => {
        forget()
        outbox.remove(entry)
      })
    })

  return (draft) =>
    Effect.gen(function* () {
      // A program without types may pass nothing.
      const { clientId = yield* makeId }: Partial<Draft> = Object(draft)
      const text = yield* encode(draft, clientId)
      yield* isTaken(clientId)
      const clock = yield* Effect.clock
      onDraft(draft, new Date(clock.unsafeCurrentTimeMillis()))
      return yield* post(clientId, text, clock)
    })
}
