// The reconciler is a check that can fail: each lie of a client is found, and no honest account is suspected.
import { describe, expect, test } from "vitest"
import { type Account, nameOf, type Outcome } from "./account.js"
import type { LoggedRequest } from "./proxy/schedule.js"
import { reconcile } from "./reconcile.js"
import * as A from "./samples.js"

const { account, call, corrupt, deadline, gateway, lost, refused, request, tooMany, unheard, unseen, value } =
  A

const compared = (accounts: ReadonlyArray<Account>, entries: ReadonlyArray<LoggedRequest>, effects: number) =>
  reconcile({
    accounts,
    entries,
    effects: new Map(effects === 0 ? [] : [[call, effects]]),
    attempts: 3,
    deadline
  })

type Case = readonly [account: Account, entries: ReadonlyArray<LoggedRequest>, effects: number]

const titleOf = ([{ isKeyed, isWrite, outcome }, entries, effects]: Case): string => {
  const kind = isKeyed ? "write with a key" : isWrite ? "write" : "read"
  const met = entries.map((entry) => entry.kind ?? (entry.isTainted ? "a spoiled connection" : "nothing"))
  return `a ${kind} that ended as ${nameOf(outcome)}, met ${met.join(", ") || "no proxy"}, and took effect ${effects} times`
}

const twice = request({ isTainted: true })
const stalled = unheard("stall")
const after = unheard("reset-after")
const asked = request({ ...tooMany, retryAfter: "0" })

const lies: ReadonlyArray<readonly [finding: string, ...Case]> = [
  ["no answer was delivered", account("read", value), [unheard("truncate")], 0],
  ["no answer was delivered", account("read", value), [], 0],
  ["got a value, and no answer was delivered", account("keyed", value), [gateway], 1],
  ["does not have", account("read", A.altered), [request()], 0],
  // The answer of another call, after one that came twice.
  ["does not have", account("read", A.altered), [twice], 0],
  ["took effect 0 times", account("write", value), [request()], 0],
  ["took effect 2 times", account("keyed", value), [after, request()], 2],
  ["took effect 2 times", account("write", A.unknown), [stalled], 2],
  ["took effect, and says that it did not", account("write", lost), [after], 1],
  ["took effect, and says that it did not", account("write", A.missing), [request()], 1],
  ["sent 4 requests, of at most 3", account("read", value), [unseen, unseen, unseen, request()], 0],
  ["sent 2 requests, of at most 1", account("write", value), [unseen, request()], 1],
  ["no request of it was seen", account("read", lost), [], 0],
  ["no request of it was seen", account("read", A.late, deadline), [], 0],
  ["no request of it was seen", account("write", A.unknownLate, deadline), [], 0],
  ["met no fault", account("read", A.late, deadline), [request()], 0],
  ["met latency", account("read", A.late, deadline), [request({ kind: "latency" })], 0],
  ["gave up, and could have been repeated", account("read", lost), [unseen], 0],
  ["gave up, and could have been repeated", account("keyed", A.unknown), [after], 1],
  ["gave up, and could have been repeated", account("read", A.limited), [asked], 0],
  ["was repeated after a whole answer", account("read", value), [request(), request()], 0],
  ["an earlier answer was lost, and the outcome", account("keyed", lost), [unseen, refused, refused], 0],
  ["an earlier answer was lost, and the outcome", account("keyed", A.fault), [unseen, gateway, gateway], 0],
  ["a gateway failed before, and the outcome", account("keyed", A.limited), [gateway, tooMany, tooMany], 0],
  ["a gateway failed before, and the outcome", account("keyed", A.fault), [gateway, refused, gateway], 0],
  ["met refuse (HTTP none) and failed otherwise", account("write", A.unknown), [refused], 0],
  ["met corrupt", account("write", A.missing), [corrupt], 0],
  ["too early", account("read", A.late, 900), [stalled], 0],
  ["too early", account("write", A.unknownLate, 900), [stalled], 1],
  ["met stall", account("write", A.late, deadline), [stalled], 0],
  ["met stall", account("read", A.unknownLate, deadline), [stalled], 0],
  ["met reset-before", account("write", lost), [unseen], 0],
  ["met reset-mid", account("read", A.unknown), [unseen, unseen, unheard("reset-mid")], 0],
  ["met no fault (HTTP 200)", account("read", lost), [request()], 0],
  ["met server-error (HTTP 503) and failed", account("read", A.limited), [gateway, gateway, gateway], 0],
  ["met dribble", account("read", A.garbled), [request({ kind: "dribble" })], 0],
  ["met reset-before, and calls it Tls", account("read", A.networkError("Tls")), [unseen, unseen, unseen], 0],
  ["met refuse, and calls it Reset", account("read", lost), [refused, refused, refused], 0],
  ["met HTTP 503, and calls it 500", account("write", A.faultOf(500)), [gateway], 0],
  ["says that it was done, and took effect 0 times", account("write", A.done), [corrupt], 0],
  ["made 2 attempts, of 3", account("keyed", A.unknownBy("Network", 2)), [unseen, unseen, unseen], 0],
  [
    "by Server, and says by Network",
    account("keyed", A.unknownBy("Network", 3)),
    [gateway, tooMany, refused],
    0
  ],
  ["ended in a defect: no", account("read", { _tag: "Defect", text: "no" }), [corrupt], 0]
]

const honest: ReadonlyArray<Case> = [
  [account("read", value), [request()], 0],
  [account("read", value), [unseen, gateway, request()], 0],
  [account("read", value), [request({ kind: "latency" })], 0],
  [account("write", value), [request()], 1],
  [account("keyed", value), [after, request()], 1],
  [account("read", lost), [unseen, unseen, unheard("reset-mid")], 0],
  [account("write", A.unknown), [after], 1],
  [account("write", A.unknown), [unseen], 0],
  [account("keyed", A.unknownBy("Network", 3)), [unheard("truncate"), gateway, refused], 1],
  [account("keyed", A.unknownBy("Server", 3)), [gateway, tooMany, refused], 0],
  [account("keyed", A.unknownBy("Server", 3)), [gateway, refused, gateway], 0],
  [account("keyed", A.networkError("Refused")), [refused, refused, refused], 0],
  [account("read", A.late, deadline), [stalled], 0],
  [account("write", A.unknownLate, deadline + 3), [stalled], 1],
  [account("write", A.fault), [gateway], 0],
  [account("read", A.limited), [tooMany, tooMany, tooMany], 0],
  // Longer than a deadline.
  [account("read", A.limited), [request({ ...tooMany, retryAfter: "86400" })], 0],
  [account("read", A.altered), [corrupt], 0],
  [account("read", A.garbled), [corrupt], 0],
  [account("write", A.garbled), [corrupt], 1],
  [account("keyed", A.done), [after, corrupt], 1],
  [account("read", A.garbled), [twice], 0]
]

describe("the reconciler finds", () => {
  for (const [finding, ...lie] of lies)
    test(`${titleOf(lie)}: ${finding}`, () => {
      const [account, entries, effects] = lie
      const { findings } = compared([account], entries, effects)
      expect(findings).toEqual([{ call, what: expect.stringContaining(finding) }])
    })

  test("a call that is accounted for twice", () => {
    const { findings } = compared([account("read", value), account("read", value)], [request()], 0)
    expect(findings).toEqual([{ call, what: "is accounted for twice [value]" }])
  })

  test("an effect that nobody asked for", () => {
    const { findings } = compared([], [], 1)
    expect(findings).toEqual([{ call, what: "took effect, and no client asked for it" }])
  })
})

describe("the reconciler has nothing against", () => {
  for (const scenario of honest)
    test(titleOf(scenario), () => {
      const [account, entries, effects] = scenario
      expect(compared([account], entries, effects).findings).toEqual([])
    })
})

test("the reconciler counts outcomes, requests, calls that were hit, and values that were altered", () => {
  const of = (name: string, outcome: Outcome): Account => ({ ...account("read", outcome), call: name })
  const { altered, hit, outcomes, requests } = compared(
    [of("qt-a-1", value), of("qt-a-2", A.altered), of("qt-a-3", lost)],
    [
      request({ call: "qt-a-1" }),
      { ...corrupt, call: "qt-a-2" },
      ...[unseen, unseen].map((entry) => ({ ...entry, call: "qt-a-3" })),
      request({ call: "POST /auth/login HTTP/1.1" })
    ],
    0
  )
  expect(Object.fromEntries(outcomes)).toEqual({ value: 1, "value, altered": 1, "NetworkError Reset": 1 })
  expect({ altered, hit, requests }).toEqual({ altered: 1, hit: 2, requests: 4 })
})
