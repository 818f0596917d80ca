// What becomes of a session's state by all that can happen to it, in any order.
import { describe, expect, it } from "@effect/vitest"
import { Exit, FastCheck as FC } from "effect"
import { type CallError, CredentialsError, NetworkError } from "../../../../core/kernel/errors/errors.js"
import * as State from "../../../../core/kernel/session/state.js"

const cooldown = 5_000

/** A session that is signed in for at a time, is to be renewed 900 ms and ends a second later. */
const session = (name: string, signedInAt = 0): State.Session => ({
  stored: { sessionId: name },
  credentials: { headers: { authorization: name }, grants: {} },
  signedInAt,
  expiration: { renewAt: signedInAt + 900, expiresAt: signedInAt + 1_000, retryDelay: 10 },
  isReplacement: false,
  isAccepted: false
})

const one = session("one")
const lasting = { ...one, expiration: State.unknown }
const down = new NetworkError({ operation: "auth.login", reason: "Refused" })
const rejected = new CredentialsError({ operation: "auth.login", reason: "Rejected", advice: "no" })

const signedOut = State.make(undefined)
const signingIn = State.started(signedOut, 0)
const signedIn = State.obtained(signingIn, 0, one)
const renewing = State.started(signedIn, 0)

const refuse = (state: State.State, at: State.Session, operation = "boxes.list", time = 10) =>
  State.refused(state, at.credentials, operation, time, cooldown)
const end = (state: State.State, exit: Exit.Exit<unknown, CallError>) => State.ended(state, 0, exit, 950, 30)

describe("a session's state", () => {
  it.each<readonly [string, State.State, State.State["_tag"]]>([
    ["nobody has signed in", signedOut, "SignedOut"],
    ["a session was given", State.make(one), "SignedIn"],
    ["a sign-in has begun", signingIn, "SigningIn"],
    ["a sign-in has succeeded", signedIn, "SignedIn"],
    ["a sign-in has failed", end(State.failed(signingIn, 0, 1, down), Exit.fail(down)), "SignedOut"],
    ["a sign-in was left by all who waited", end(signingIn, Exit.interrupt(signedIn as never)), "SignedOut"],
    ["a renewal has begun", renewing, "Renewing"],
    ["a renewal has succeeded", State.obtained(renewing, 0, session("two", 950)), "SignedIn"],
    ["a renewal has failed", end(renewing, Exit.fail(down)), "SignedIn"],
    ["a renewal has found nothing else", end(renewing, Exit.void), "SignedIn"],
    ["its session was refused", refuse(signedIn, one), "SignedOut"],
    ["its session was refused during a renewal", refuse(renewing, one), "SigningIn"],
    ["the renewal after a refusal has succeeded", State.obtained(refuse(renewing, one), 0, one), "SignedIn"],
    ["it was signed out", State.signedOut(signedIn), "SignedOut"],
    ["it was signed out during a renewal", State.signedOut(renewing), "SignedOut"]
  ])("after %s is %s", (_, { _tag }, expected) => {
    expect(_tag).toBe(expected)
  })

  it.each<readonly [string, State.State, number, string | undefined, boolean, boolean]>([
    ["without a session", signedOut, 0, undefined, false, false],
    ["with a fresh one", signedIn, 899, "one", true, false],
    ["in its last tenth", signedIn, 900, "one", false, true],
    ["in its last tenth with a renewal under way", renewing, 900, "one", false, false],
    ["at its end", signedIn, 1_000, undefined, false, false],
    ["with one whose end is not known", State.make(lasting), 1e15, "one", true, false],
    ["after a renewal that failed", end(renewing, Exit.fail(down)), 960, "one", true, false]
  ])("%s says what is sent, and whether that is renewed", (_, state, time, name, isFresh, mustRenew) => {
    expect(State.credentials(state, time)?.headers.authorization).toBe(name)
    expect([State.isFresh(state, time), State.mustRenew(state, time)]).toEqual([isFresh, mustRenew])
  })

  it.each<readonly [string, Exit.Exit<unknown, CallError>, number]>([
    ["failed waits for the cooldown", Exit.fail(down), 980],
    ["died waits for it too", Exit.die("broken"), 980],
    ["was refused the password is not tried again before its end", Exit.fail(rejected), 1_000],
    ["succeeded is tried when it was due", Exit.void, 900]
  ])("after a renewal that %s", (_, exit, renewAt) => {
    expect(end(renewing, exit).session?.expiration.renewAt).toBe(renewAt)
  })

  it("cools down after a sign-in that failed, until one succeeds or somebody signs out", () => {
    const failed = State.failed(signedIn, 0, 100, down)
    expect(State.coolingDown(failed, 99 + cooldown, cooldown)).toBe(down)
    expect(State.coolingDown(failed, 100 + cooldown, cooldown)).toBeUndefined()
    const of = (state: State.State) => State.coolingDown(state, 101, cooldown)
    expect(of(State.obtained(failed, 0, { ...session("stored"), signedInAt: undefined }))).toBe(down)
    expect(of(State.obtained(failed, 0, session("two", 100)))).toBeUndefined()
    expect(of(State.signedOut(failed))).toBeUndefined()
  })
})

describe("a refusal", () => {
  const two = { ...session("two", 20), expiration: State.unknown }
  const once = State.obtained(refuse(State.make(lasting), lasting), 0, two)
  const accepted = State.accepted(once, two.credentials, "users.get")
  const since = State.accepted(accepted, two.credentials, "boxes.list")

  it.each<readonly [string, State.State, State.Session, string, number, boolean]>([
    ["of the session ends it", State.make(lasting), lasting, "boxes.list", 30, false],
    ["of another session changes nothing", once, one, "boxes.list", 30, true],
    ["of two fresh sessions in a row stands", once, two, "users.get", 30, true],
    ["of a session from the store does not stand", State.make(two), two, "users.get", 30, false],
    ["after the cooldown does not stand", once, two, "users.get", 20 + cooldown, false],
    ["after an acceptance does not stand", accepted, two, "users.get", 30, false],
    ["to one operation by both sessions stands, whatever others say", accepted, two, "boxes.list", 30, true],
    ["to an operation that was accepted since does not stand", since, two, "boxes.list", 30, false]
  ])("%s", (_, state, of, operation, time, isSame) => {
    expect(State.refused(state, of.credentials, operation, time, cooldown) === state).toBe(isSame)
  })

  it("to one operation alone leads to one sign-in in a cooldown, however the others fare", () => {
    let state = State.make(lasting)
    let signIns = 0
    for (let time = 0; time < 10 * cooldown; time += 100) {
      const present = state.session
      if (present === undefined) {
        signIns += 1
        state = State.obtained(state, 0, { ...session(`session-${time}`, time), expiration: State.unknown })
      } else
        state = refuse(State.accepted(state, present.credentials, "users.get"), present, "boxes.list", time)
    }
    expect(signIns).toBeGreaterThan(1)
    expect(signIns).toBeLessThanOrEqual(11)
  })
})

describe("whatever happens, in any order", () => {
  type Step = (state: State.State, time: number) => State.State

  const pool = ["one", "two", "three"].map((name) => session(name))
  const anySession = FC.constantFrom(...pool)
  const operation = FC.constantFrom("boxes.list", "users.get")
  const exit = FC.constantFrom(Exit.void, Exit.fail(down), Exit.fail(rejected), Exit.die("broken"))

  /** What becomes of work that was begun after so many sign-outs. */
  type Work = (state: State.State, time: number, signOuts: number) => State.State
  const work = FC.oneof(
    FC.constant<Work>((state, _, signOuts) => State.started(state, signOuts)),
    FC.constant<Work>((state, time, signOuts) => State.failed(state, signOuts, time, down)),
    exit.map<Work>((exit) => (state, time, signOuts) => State.ended(state, signOuts, exit, time, cooldown)),
    FC.tuple(anySession, FC.boolean()).map<Work>(([{ credentials }, isStored]) => (state, time, signOuts) => {
      const signedInAt = isStored ? undefined : time
      return State.obtained(state, signOuts, { ...session("", time), credentials, signedInAt })
    })
  )
  const used = FC.tuple(anySession, operation)
  const step = FC.oneof(
    { weight: 4, arbitrary: work.map<Step>((begun) => (state, time) => begun(state, time, state.signOuts)) },
    used.map<Step>(
      ([of, name]) =>
        (state, time) =>
          refuse(state, of, name, time)
    ),
    used.map<Step>(
      ([{ credentials }, name]) =>
        (state) =>
          State.accepted(state, credentials, name)
    ),
    FC.constant<Step>(State.signedOut)
  )
  const steps = FC.array(FC.tuple(step, FC.integer({ min: 0, max: 2_000 })), { maxLength: 40 })
  const reachedBy = (steps: ReadonlyArray<readonly [Step, number]>) =>
    steps.reduce((state, [step]) => step(state, 0), signedOut)

  it.prop("a tag says whether there is a session, and nothing is sent that has ended", [steps], ([steps]) => {
    let state = signedOut
    let time = 0
    for (const [step, passed] of steps) {
      const before = state
      time += passed
      state = step(state, time)
      expect(state._tag === "SignedIn" || state._tag === "Renewing").toBe(state.session !== undefined)
      expect(state.signOuts - before.signOuts).toBe(step === State.signedOut ? 1 : 0)
      const sent = State.credentials(state, time)
      expect(sent).toBe(
        time < (state.session?.expiration.expiresAt ?? 0) ? state.session?.credentials : undefined
      )
      if (State.mustRenew(state, time)) {
        expect(sent).toBeDefined()
        expect(State.mustRenew(State.started(state, state.signOuts), time)).toBe(false)
      }
    }
  })

  it.prop("what was begun before a sign-out changes nothing after it", [steps, work], ([steps, begun]) => {
    const reached = reachedBy(steps)
    const after = State.signedOut(reached)
    expect(begun(after, 0, reached.signOuts)).toBe(after)
    expect(State.credentials(after, 0)).toBeUndefined()
  })

  it.prop(
    "an acceptance that says nothing new changes nothing: it comes with every call",
    [steps],
    ([steps]) => {
      const accept = (state: State.State) =>
        pool.reduce((state, { credentials }) => State.accepted(state, credentials, "boxes.list"), state)
      const accepted = accept(reachedBy(steps))
      expect(accept(accepted)).toBe(accepted)
    }
  )
})
