// The states of one entry, and which of several is sent next.

import { Errors } from "@quartet/sdk/extend"
import * as Exit from "effect/Exit"
import { describe, expect, test } from "vitest"
import { type EntryEvent, type Kept, pauseAfter, plan, reduce, verdictOf } from "../../outbox/entry.js"
import type { EntryState } from "../../outbox/index.js"

const entry = (state: EntryState = "queued", more: Partial<Kept> = {}): Kept => ({
  seq: 1,
  id: "e1",
  mutation: "m",
  operation: "requests.markSeen",
  input: { id: "r1" },
  idempotencyKey: "k1",
  person: "ann",
  platform: "p",
  scope: "",
  at: 0,
  state,
  attempts: state === "queued" ? 0 : 1,
  isInDoubt: state === "unknown",
  notBefore: 0,
  error: undefined,
  ...more
})

const error = { _tag: "Conflict", message: "in conflict" } as const
const done = { _tag: "Done", data: 1 } as const
const ended = (verdict: Extract<EntryEvent, { _tag: "Ended" }>["verdict"], attempt = 1): EntryEvent => ({
  _tag: "Ended",
  attempt,
  verdict,
  notBefore: 500
})

describe("an entry", () => {
  test("is claimed where it is queued alone, and each claim is one attempt", () => {
    expect(reduce(entry(), { _tag: "Claimed" })).toMatchObject({ state: "sending", attempts: 1 })
    for (const state of ["sending", "unknown", "failed"] as const) {
      const before = entry(state)
      expect(reduce(before, { _tag: "Claimed" })).toBe(before)
    }
  })

  test("that was claimed and not sent has used no attempt", () => {
    expect(reduce(entry("sending"), { _tag: "Released", attempt: 1 })).toMatchObject({
      state: "queued",
      attempts: 0
    })
  })

  test("is gone when it is done, waits when nothing was done, and stays where a person has to decide", () => {
    expect(reduce(entry("sending"), ended(done))).toBeUndefined()
    const waits = reduce(entry("sending"), ended({ _tag: "Waits", error, retryAfter: undefined }))
    expect(waits).toMatchObject({ state: "queued", notBefore: 500, error })
    expect(reduce(entry("sending"), ended({ _tag: "Failed", error }))).toMatchObject({
      state: "failed",
      error
    })
    expect(reduce(entry("sending"), ended({ _tag: "Unknown", error }))).toMatchObject({ state: "unknown" })
  })

  test("whose tab is gone has an unknown outcome, and the tab's late answer still settles it, for that attempt alone", () => {
    const orphan = reduce(entry("sending"), { _tag: "Orphaned" })
    expect(orphan).toMatchObject({ state: "unknown", error: { _tag: "Interrupted" } })
    expect(reduce(orphan ?? entry(), ended(done))).toBeUndefined()
    expect(reduce(orphan ?? entry(), ended(done, 2))).toBe(orphan)
    expect(reduce(entry("queued", { attempts: 1 }), ended(done))).toMatchObject({ state: "queued" })
  })

  test("keeps its key where it may have been done, and gets a new one where it was refused", () => {
    const retried: EntryEvent = { _tag: "Retried", idempotencyKey: "k2" }
    expect(reduce(entry("unknown"), retried)).toMatchObject({ state: "queued", idempotencyKey: "k1" })
    expect(reduce(entry("failed"), retried)).toMatchObject({ state: "queued", idempotencyKey: "k2" })
    for (const state of ["queued", "sending"] as const) {
      const before = entry(state)
      expect(reduce(before, retried)).toBe(before)
    }
  })

  test("that may have been done stays in doubt when a later attempt is refused", () => {
    const again = entry("sending", { attempts: 2, isInDoubt: true })
    expect(reduce(again, ended({ _tag: "Failed", error }, 2))).toMatchObject({ state: "unknown", error })
  })

  test("is edited where nothing can have been done, and discarded unless it is being sent", () => {
    const edited: EntryEvent = { _tag: "Edited", idempotencyKey: "k2", input: 2 }
    for (const state of ["queued", "failed"] as const)
      expect(reduce(entry(state), edited)).toMatchObject({ state: "queued", input: 2, idempotencyKey: "k2" })
    for (const before of [entry("sending"), entry("unknown"), entry("queued", { isInDoubt: true })])
      expect(reduce(before, edited)).toBe(before)
    for (const state of ["queued", "failed", "unknown"] as const)
      expect(reduce(entry(state), { _tag: "Discarded" })).toBeUndefined()
    expect(reduce(entry("sending"), { _tag: "Discarded" })).toMatchObject({ state: "sending" })
  })
})

describe("what an exit says", () => {
  const of = { operation: "requests.markSeen" }
  const auth = { ...of, reason: "Missing", advice: "sign in" } as const
  const answer = { ...of, rule: "is not JSON" } as const
  test.each<readonly [verdict: string, error: Errors.CallError]>([
    ["Unknown", new Errors.OutcomeUnknown({ ...of, reason: "Network", attempts: 1 })],
    ["Unknown", new Errors.ServerFault({ ...of, status: 503, retryable: false })],
    ["Failed", new Errors.ServerFault({ ...of, status: 501, retryable: false })],
    ["Unknown", new Errors.AnswerError({ ...answer, reason: "NotJson", isInDoubt: true })],
    ["Failed", new Errors.AnswerError({ ...answer, reason: "Redirect", status: 308 })],
    ["Done", new Errors.AnswerError({ ...answer, reason: "NotJson", isDone: true })],
    ["Waits", new Errors.NetworkError({ ...of, reason: "Refused" })],
    ["Failed", new Errors.NetworkError({ ...of, reason: "Tls" })],
    ["Waits", new Errors.DeadlineExceeded({ ...of, deadline: 1, attempts: 1 })],
    ["Waits", new Errors.RateLimited({ ...of, status: 429 })],
    ["Waits", new Errors.CredentialsError(auth)],
    ["Waits", new Errors.Unauthenticated({ ...of, status: 401 })],
    ["Unknown", new Errors.Rejected({ ...of, status: 408 })],
    ["Failed", new Errors.Rejected({ ...of, status: 422, field: "type" })],
    ["Failed", new Errors.Conflict({ ...of, status: 409 })],
    ["Failed", new Errors.NotFound({ ...of, status: 404 })],
    ["Failed", new Errors.InputError({ ...of, field: "id", rule: "must be text" })]
  ])("%s: %s", (verdict, error) => {
    const actual = verdictOf(Exit.fail(error))
    expect(actual._tag).toBe(verdict)
    if (actual._tag !== "Done")
      expect(actual.error).toMatchObject({ _tag: error._tag, message: error.message })
  })

  test("an interruption and a fault leave the outcome unknown, and the fault's own text is not kept", () => {
    expect(verdictOf(Exit.succeed(1))).toEqual({ _tag: "Done", data: 1 })
    expect(verdictOf(Exit.die(new Error("with a secret")))).toMatchObject({
      _tag: "Unknown",
      error: { _tag: "Fault", message: expect.not.stringContaining("secret") }
    })
    expect(verdictOf(Exit.interrupt(undefined as never))).toMatchObject({
      _tag: "Unknown",
      error: { _tag: "Interrupted" }
    })
  })
})

describe("the next entry", () => {
  const all = (...entries: ReadonlyArray<Partial<Kept>>) =>
    entries.map((more, at) => entry(more.state, { id: `e${at}`, seq: at, ...more }))
  const nextOf = (entries: ReadonlyArray<Kept>, now = 0) => {
    const next = plan(entries, now, () => true)
    return next._tag === "Send" ? next.entry.id : next
  }

  test("is the oldest; behind one that a person has to resolve, or that is being sent, its scope waits", () => {
    expect(nextOf(all({}, {}))).toBe("e0")
    for (const state of ["failed", "unknown", "sending"] as const) {
      expect(nextOf(all({ state }, {}))).toEqual({ _tag: "Idle" })
      expect(nextOf(all({ state, scope: "a" }, { scope: "a" }, { scope: "b" }))).toBe("e2")
      expect(nextOf(all({ state, person: "bob" }, {}))).toBe("e1")
    }
  })

  test("waits for its pause with all others, and not for ever where the clock was set back", () => {
    const paused = all({ scope: "a", notBefore: 1_000 }, { scope: "b" })
    expect(nextOf(paused)).toEqual({ _tag: "Pause", milliseconds: 1_000 })
    expect(nextOf(paused, 1_000)).toBe("e0")
    // One that is never taken keeps no other scope back for ever.
    expect(nextOf(all({ scope: "a", attempts: 3 }, { scope: "b" }))).toBe("e1")
    expect(nextOf(all({ notBefore: 10 * 3_600_000 }))).toBe("e0")
  })

  test("pauses double to a minute; what the platform asks for is waited, within an hour", () => {
    expect([0, 1, 2, 20].map((attempts) => pauseAfter(attempts, undefined, 1))).toEqual([
      1_000, 2_000, 4_000, 60_000
    ])
    expect(pauseAfter(1, undefined, 0)).toBe(1_000)
    expect([pauseAfter(1, 7_000, 0), pauseAfter(1, 1e12, 0)]).toEqual([7_000, 3_600_000])
  })
})
