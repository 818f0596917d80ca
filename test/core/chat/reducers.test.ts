// The decisions of a chat as pure functions: where an event leads to from each state, and what holds for any sequence.
import { Either, Exit, FastCheck } from "effect"
import { describe, expect, test } from "vitest"
import * as Broadcast from "../../../core/chat/broadcast.js"
import * as Connection from "../../../core/chat/connection.js"
import { ChatError } from "../../../core/chat/errors.js"
import * as Inbox from "../../../core/chat/inbox.js"
import * as Outbox from "../../../core/chat/outbox.js"
import { defaults } from "../../../core/chat/policy.js"
import { CredentialsError, NetworkError } from "../../../core/kernel/errors/errors.js"
import type { Trouble } from "../../../core/ports/chat-socket.js"
import { told } from "./world.js"

describe("the inbox", () => {
  const first: Inbox.State = { _tag: "Live", isFirst: true }
  const live: Inbox.State = { _tag: "Live", isFirst: false }
  const behind: Inbox.State = { _tag: "Behind", isFirst: false }
  const gap: Inbox.State = { _tag: "Gap", isComplete: true }
  const incomplete: Inbox.State = { _tag: "Gap", isComplete: false }
  const message = (more: Partial<Extract<Inbox.Event, { _tag: "Message" }>> = {}): Inbox.Event => ({
    _tag: "Message",
    news: "new",
    isRecoverable: true,
    isReaderFull: false,
    isGapFull: false,
    ...more
  })
  const drained = (hasHistories: boolean): Inbox.Event => ({ _tag: "Drained", hasHistories })
  const full = { isGapFull: true }

  test.each<[Inbox.State, Inbox.Event, Inbox.State, ReadonlyArray<Inbox.Action>]>([
    [live, message(), live, ["Tell"]],
    [live, message({ news: "changed" }), live, ["Tell"]],
    [live, message({ news: "told" }), live, ["Skip"]],
    [live, message({ isReaderFull: true }), behind, ["CatchUp", "Defer"]],
    [first, message({ isReaderFull: true }), { ...behind, isFirst: true }, ["CatchUp", "Defer"]],
    [behind, message(), behind, ["Defer"]],
    [behind, message({ isRecoverable: false }), behind, ["Drop"]],
    [behind, message({ news: "changed" }), behind, ["HoldUpdate"]],
    [behind, message({ news: "changed", ...full }), behind, ["DropUpdate"]],
    [gap, message(), gap, ["Hold"]],
    [gap, message({ news: "changed" }), gap, ["Hold"]],
    [gap, message(full), incomplete, ["Defer"]],
    [gap, message({ news: "changed", ...full }), incomplete, ["DropUpdate"]],
    [incomplete, message(), incomplete, ["Defer"]],
    [incomplete, message({ news: "told" }), incomplete, ["Skip"]],
    [first, { _tag: "History" }, first, ["TellHistory"]],
    [live, { _tag: "History" }, live, ["TellMissed"]],
    [behind, { _tag: "History" }, behind, ["TellMissed"]],
    [gap, { _tag: "History" }, gap, ["HoldHistory"]],
    [first, { _tag: "GapOpened" }, gap, ["OpenGap", "AwaitHistory"]],
    [behind, { _tag: "GapOpened" }, incomplete, ["OpenGap", "AwaitHistory"]],
    [gap, { _tag: "GapOpened" }, gap, ["AwaitHistory"]],
    [incomplete, { _tag: "GapOpened" }, incomplete, ["AwaitHistory"]],
    [incomplete, { _tag: "ReadingBegan" }, gap, []],
    [gap, drained(false), live, ["CloseGap"]],
    [gap, drained(true), gap, []],
    [incomplete, drained(false), incomplete, []]
  ])("%o: %o leads to %o and %o", (state, event, next, actions) => {
    expect(Inbox.reduce("backpressure", state, event)).toEqual([next, actions])
  })

  test("under drop-oldest, a full gap stays complete and loses its oldest", () => {
    expect(Inbox.reduce("drop-oldest", gap, message(full))).toEqual([gap, ["DropOldest", "Hold"]])
  })

  /** A platform that keeps what is said, and a chat that reads its pages; `during` is said while they are read. */
  const run = (
    overflow: "backpressure" | "drop-oldest",
    bound: number,
    steps: ReadonlyArray<{ readonly what: "say" | "miss" | "lose" | "read"; readonly during: number }>
  ) => {
    let state: Inbox.State = first
    let waiting = 0
    let dropped = 0
    const said: Array<number> = []
    const heard: Array<number> = []
    const queued: Array<number> = []
    const isIn = (tag: Inbox.State["_tag"]) => state._tag === tag
    const dispatch = (event: Inbox.Event, n = 0) => {
      const [next, actions] = Inbox.reduce(overflow, state, event)
      state = next
      for (const action of actions) {
        if (action === "Tell") heard.push(n)
        else if (action === "Hold") queued.push(n)
        else if (action === "DropOldest") dropped += queued.splice(0, 1).length
      }
    }
    const say = () => {
      said.push(said.length + 1)
      // A reader takes two messages in the time of three.
      waiting = (waiting + 1) % 3 === 0 ? waiting - 1 : waiting + 1
      const isReaderFull = overflow === "backpressure" && waiting >= bound
      dispatch(message({ isReaderFull, isGapFull: queued.length >= bound }), said.length)
    }
    const read = (during: number) => {
      dispatch({ _tag: "ReadingBegan" })
      const pages = overflow === "backpressure" ? [...said] : []
      for (let n = 0; n < during; n++) say()
      for (const n of pages.filter((n) => !heard.includes(n))) {
        heard.push(n)
        if (queued.includes(n)) queued.splice(queued.indexOf(n), 1)
      }
      // What is told makes room for others.
      for (let n = 0; n < during % 4; n++) say()
      waiting = 0
      heard.push(...queued.splice(0))
      dispatch(drained(false))
    }
    for (const { during, what } of steps) {
      if (what === "say") say()
      else if (what === "lose" || isIn("Behind")) dispatch({ _tag: "GapOpened" })
      else if (isIn("Gap") && what === "read") read(during)
      else if (isIn("Gap") && overflow === "backpressure") said.push(said.length + 1)
    }
    dispatch({ _tag: "GapOpened" })
    for (let times = 0; times < 2; times++) read(0)
    return { dropped, heard, said, state }
  }
  const step = FastCheck.record({
    what: FastCheck.constantFrom(...(["say", "say", "miss", "lose", "read"] as const)),
    during: FastCheck.nat(6)
  })
  const steps = FastCheck.array(step, { maxLength: 60 })

  test("whatever comes, tells all that was said, once and in order", () => {
    FastCheck.assert(
      FastCheck.property(steps, FastCheck.integer({ min: 1, max: 5 }), (steps, bound) => {
        const { heard, said, state } = run("backpressure", bound, steps)
        expect(heard).toEqual(said)
        expect(state).toEqual(live)
      })
    )
  })

  test("under drop-oldest, tells in order and once what it has not counted as dropped", () => {
    FastCheck.assert(
      FastCheck.property(steps, FastCheck.integer({ min: 1, max: 5 }), (steps, bound) => {
        const { dropped, heard, said } = run("drop-oldest", bound, steps)
        expect(heard).toEqual([...new Set(heard)].sort((a, b) => a - b))
        expect(heard.length + dropped).toBe(said.length)
      })
    )
  })
})

describe("the broadcast", () => {
  const exit = Exit.void
  const ended: Broadcast.State<never> = { _tag: "Ended", exit }

  test.each<["Open" | "Full", "Offered" | "Taken", number, string, ReadonlyArray<string>]>([
    ["Open", "Offered", 3, "Open", []],
    ["Open", "Offered", 4, "Full", ["Block"]],
    ["Open", "Taken", 4, "Open", []],
    ["Full", "Offered", 0, "Full", []],
    ["Full", "Taken", 3, "Full", []],
    ["Full", "Taken", 2, "Open", ["Release"]]
  ])("of 4, %s: %s with %i waiting leads to %s and %o", (_tag, event, waiting, next, actions) => {
    expect(Broadcast.reduce<never>(4, { _tag }, { _tag: event, waiting })).toEqual([{ _tag: next }, actions])
  })

  test("ends once, and stays so", () => {
    expect(Broadcast.reduce<never>(4, { _tag: "Full" }, ended)).toEqual([ended, ["End"]])
    for (const event of [ended, { _tag: "Taken", waiting: 0 } as const])
      expect(Broadcast.reduce<never>(4, ended, event)).toEqual([ended, []])
  })
})

describe("a message on its way out", () => {
  const policy = { emissions: 2, sendDeadline: 30_000 }
  const end = new ChatError({ operation: "chat.open", reason: "Closed", detail: "the chat was closed" })
  const acknowledged = Either.right({ clientId: "a", message: undefined })
  const events = {
    connected: { _tag: "Connected" },
    expired: { _tag: "Expired" },
    interrupted: { _tag: "Interrupted" },
    answered: { _tag: "Answered", answer: acknowledged },
    told: { _tag: "Told", message: told(1) },
    closed: { _tag: "Closed", error: end }
  } as const satisfies Record<string, Outbox.DeliveryEvent>
  const unknown = (reason: string) => ({ _tag: "OutcomeUnknown", reason, attempts: 1 })

  test.each<[number, keyof typeof events, next: number | undefined, outcome: object | string | undefined]>([
    [0, "connected", 1, "Emit"],
    [1, "connected", 2, "Emit"],
    [2, "connected", undefined, { ...unknown("Network"), attempts: 2 }],
    [0, "told", 0, undefined],
    [1, "told", undefined, { clientId: "a", message: told(1) }],
    [1, "answered", undefined, { clientId: "a", message: undefined }],
    [0, "expired", undefined, { _tag: "ChatError", reason: "Timeout", clientId: "a" }],
    [1, "expired", undefined, unknown("Deadline")],
    [0, "interrupted", undefined, undefined],
    [1, "interrupted", undefined, undefined],
    [0, "closed", undefined, { _tag: "ChatError", operation: "chat.send", reason: "Closed", clientId: "a" }],
    [1, "closed", undefined, unknown("Network")]
  ])(
    "that was emitted %i times and is %s was emitted %s times and has %o",
    (emissions, event, next, outcome) => {
      const state = (count: number | undefined): Outbox.Delivery => {
        if (count === undefined) return { _tag: "Settled" }
        return count === 0 ? { _tag: "Queued" } : { _tag: "InFlight", emissions: count }
      }
      const [after, actions] = Outbox.reduce(policy, "a", state(emissions), events[event])
      expect(after).toEqual(state(next))
      const [action] = actions
      if (typeof outcome !== "object") expect(action?._tag).toBe(outcome)
      else expect(action?._tag === "Settle" && Either.merge(action.answer)).toMatchObject(outcome)
    }
  )

  test("is settled once, and fails as not sent only where it was never emitted, whatever comes", () => {
    const sequence = FastCheck.array(FastCheck.constantFrom(...Object.values(events)), { maxLength: 12 })
    FastCheck.assert(
      FastCheck.property(sequence, (sequence) => {
        let state: Outbox.Delivery = { _tag: "Queued" }
        const done: Array<Outbox.DeliveryAction> = []
        for (const event of sequence) {
          const [next, actions] = Outbox.reduce(policy, "a", state, event)
          state = next
          done.push(...actions)
        }
        const answers = done.flatMap((action) =>
          action._tag === "Settle" ? [Either.merge(action.answer)] : []
        )
        const emitted = done.filter(({ _tag }) => _tag === "Emit").length
        expect(emitted).toBeLessThanOrEqual(policy.emissions)
        expect(answers.length).toBeLessThanOrEqual(1)
        if (answers.length === 1) expect(done.at(-1)?._tag).toBe("Settle")
        for (const answer of answers)
          if ("_tag" in answer) expect(answer._tag === "OutcomeUnknown").toBe(emitted > 0)
      })
    )
  })
})

describe("the connection", () => {
  const credentials = { headers: {}, grants: {} }
  const lost: Trouble = { reason: "Lost", message: "transport close" }
  const unreachable: Trouble = { reason: "Unreachable", message: "no route" }
  const refused: Trouble = { reason: "Refused", message: "expired" }
  const cooldown = new CredentialsError({ operation: "auth.login", reason: "Cooldown", advice: "wait" })
  const rejected = new CredentialsError({ operation: "auth.login", reason: "Rejected", advice: "check" })
  const throttled = new NetworkError({ operation: "auth.login", reason: "Reset" })
  const ends = {
    stood: { _tag: "Stood", trouble: lost, credentials, millis: 10 },
    "stood long": { _tag: "Stood", trouble: lost, credentials, millis: 8_000 },
    failed: { _tag: "Failed", trouble: unreachable, credentials },
    refused: { _tag: "Failed", trouble: refused, credentials },
    "kept refused": { _tag: "Failed", trouble: refused, credentials: { ...credentials, isKept: true } },
    "no others": { _tag: "NoOthers", trouble: refused },
    cooldown: { _tag: "NoCredentials", trouble: unreachable, error: cooldown },
    reset: { _tag: "NoCredentials", trouble: unreachable, error: throttled },
    rejected: { _tag: "NoCredentials", trouble: unreachable, error: rejected }
  } as const satisfies Record<string, Connection.Ended>
  const run = (names: ReadonlyArray<keyof typeof ends>, attempts = 3, canRenew = true) => {
    let state = Connection.initial
    const done: Array<string> = []
    for (const name of names) {
      const [next, actions] = Connection.reduce({ ...defaults, attempts }, canRenew, state, ends[name])
      state = next
      for (const action of actions) {
        if (action._tag === "Fail") done.push(`fail ${action.error.reason}: ${action.error.detail}`)
        else if (action._tag === "Pause") done.push(`pause ${action.failures}`)
        else if (action.status.status === "reconnecting") done.push(`reconnecting ${action.status.attempt}`)
      }
      if (next.renewal._tag === "Due") done.push("renew")
    }
    return done
  }
  const saidNo = "fail Refused: the server refused the connection"

  type Name = keyof typeof ends
  test.each<[names: string, done: string]>([
    ["failed, failed", "pause 0, pause 1"],
    ["stood, failed", "reconnecting 1, pause 0, reconnecting 2, pause 1"],
    ["failed, stood long", "pause 0, reconnecting 1, pause 0"],
    ["failed, stood", "pause 0, reconnecting 2, pause 1"],
    [
      "failed, failed, failed, failed",
      "pause 0, pause 1, pause 2, fail Unreachable: 3 attempts to connect failed: no route"
    ],
    ["refused, failed", "renew, pause 0"],
    ["refused, refused", `renew, ${saidNo}, with new credentials too: expired`],
    ["refused, no others", `renew, ${saidNo}: expired`],
    ["refused, reset, refused", `renew, pause 0, renew, ${saidNo}, with new credentials too: expired`],
    ["refused, kept refused, refused", `renew, renew, ${saidNo}, with new credentials too: expired`],
    ["refused, rejected", `renew, ${saidNo}: expired; no route, renew`],
    ["rejected", "fail Refused: no route"],
    ["cooldown, reset", "pause 0, pause 1"],
    ["refused, stood, refused", "renew, reconnecting 1, pause 0, reconnecting 2, renew"]
  ])("%s leads to %s", (names, done) => {
    expect(run(names.split(", ") as ReadonlyArray<Name>).join(", ")).toBe(done)
  })

  test("is not tried again where credentials that are refused cannot be renewed", () => {
    expect(run(["refused"], 3, false)).toEqual([`${saidNo}: expired`])
  })

  test("asks for new credentials at most once for each connection that stood, whatever comes", () => {
    const name = FastCheck.constantFrom<Array<keyof typeof ends>>("stood", "failed", "refused", "reset")
    FastCheck.assert(
      FastCheck.property(FastCheck.array(name, { maxLength: 20 }), (names) => {
        let state = Connection.initial
        let renewals = 0
        for (const name of names) {
          const wasDue = state.renewal._tag === "Due"
          const [next, actions] = Connection.reduce(defaults, true, state, ends[name])
          if (actions.some(({ _tag }) => _tag === "Fail")) return
          state = next
          if (name === "stood") renewals = 0
          if (!wasDue && next.renewal._tag === "Due") renewals += 1
          expect(renewals).toBeLessThanOrEqual(1)
        }
      })
    )
  })
})
