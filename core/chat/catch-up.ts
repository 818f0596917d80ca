/**
 * Closes a gap: after a reconnection, or once a slow reader has caught up, tells what was missed before anything newer.
 * What cannot be recovered is reported, never passed over in silence.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { CallError } from "../kernel/errors/errors.js"
import type { ChatError } from "./errors.js"
import type { Figures } from "./figures.js"
import type { Inbox } from "./inbox.js"
import type { Message } from "./model.js"
import { type Policy, pauseBefore } from "./policy.js"
import { type History, Recovery } from "./recovery.js"

/** Conversations that are read at the same time. */
const concurrency = 4

/** Most times that one conversation's missed messages are asked for. */
const tries = 3

/** Longest that a platform's `Retry-After` is waited out while messages are held back, in milliseconds. */
const longestWait = 60_000

/** Closes the present gap. It may be interrupted; the next run goes on where it stopped. */
export type CatchUp = (isReconnected: boolean) => Effect.Effect<void>

export const make = (options: {
  readonly policy: Policy
  readonly inbox: Inbox
  readonly figures: Figures
  readonly history: History | undefined
  /** Conversations that are looked at even where nothing was heard of them yet. */
  readonly conversations: ReadonlyArray<string>
  readonly opened: Date
}): CatchUp => {
  const { figures, history, inbox, opened, policy } = options

  const tell = (messages: ReadonlyArray<Message>): Effect.Effect<void> => inbox.tellAll(messages)
  const recovery = history && new Recovery(history, inbox.known, tell, policy.longestGap, inbox.turnPage)

  const recover = (recovery: Recovery, conversationId: string, failures = 0): Effect.Effect<void> =>
    Effect.catchAll(recovery.run(conversationId, opened), (error: CallError | ChatError) => {
      const asked = error._tag === "ChatError" ? undefined : error.retryAfter
      const isWorthIt = error._tag !== "ChatError" && error.retryable && (asked ?? 0) <= longestWait
      if (isWorthIt && failures + 1 < tries) {
        return Effect.flatMap(Random.next, (chance) => {
          const pause = asked ?? pauseBefore(policy, failures, chance)
          return Effect.zipRight(
            Effect.sleep(Duration.millis(pause)),
            recover(recovery, conversationId, failures + 1)
          )
        })
      }
      return Effect.sync(() => {
        figures.gaps += 1
        inbox.report({ _tag: "Gap", conversationId, error })
      })
    })

  const recoverAll: Effect.Effect<void> = Effect.suspend(() => {
    if (recovery === undefined) return Effect.void
    const ids = new Set([...inbox.conversations(), ...options.conversations])
    return Effect.forEach(ids, (id) => recover(recovery, id), { concurrency, discard: true })
  })

  const look: Effect.Effect<void> = Effect.suspend(() => {
    inbox.beginLook()
    return Effect.zipRight(
      recoverAll,
      Effect.suspend(() => tell(inbox.takePast()))
    )
  })

  /** A server that sends a history when a connection begins may take a moment for it. */
  const waitForHistory: Effect.Effect<void> = Effect.suspend(() =>
    inbox.hasHistory
      ? Effect.timeoutOption(inbox.historyCame.await, Duration.millis(policy.historyWait))
      : Effect.void
  )

  const close: Effect.Effect<void> = Effect.flatMap(Effect.zipRight(look, inbox.closeGap), (isClosed) =>
    isClosed ? Effect.void : close
  )

  return (isReconnected) => (isReconnected ? Effect.zipRight(waitForHistory, close) : close)
}
