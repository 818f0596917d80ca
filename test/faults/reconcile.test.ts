// The reconciler is a check that can fail: each lie of a client is found, and no honest account is suspected.
import { describe, expect, test } from "vitest"
import type { Account, Outcome } from "./account.js"
import {
  account,
  altered,
  call,
  corrupt,
  deadline,
  done,
  fault,
  faultOf,
  garbled,
  gateway,
  late,
  limited,
  lost,
  missing,
  networkError,
  refused,
  request,
  tooMany,
  unheard,
  unknown,
  unknownBy,
  unknownLate,
  unseen,
  value
} from "./bare/accounts.js"
import type { Entry } from "./proxy/proxy.js"
import { type Reconciled, reconcile } from "./reconcile.js"

const compared = (
  accounts: ReadonlyArray<Account>,
  entries: ReadonlyArray<Entry>,
  effects: number
): Reconciled =>
  reconcile({
    accounts,
    entries,
    effects: new Map(effects === 0 ? [] : [[call, effects]]),
    attempts: 3,
    deadline
  })

type Case = readonly [name: string, account: Account, entries: ReadonlyArray<Entry>, effects?: number]

const lies: ReadonlyArray<readonly [...Case, finding: string]> = [
  [
    "a value though no answer was delivered",
    account("read", value),
    [unheard("truncate")],
    0,
    "no answer was delivered"
  ],
  ["a value without a request", account("read", value), [], 0, "no answer was delivered"],
  [
    "a value though the gateway answered",
    account("keyed", value),
    [gateway],
    1,
    "got a value, and no answer was delivered"
  ],
  ["a value that the platform does not have", account("read", altered), [request()], 0, "does not have"],
  [
    "the answer of another call, after one that came twice",
    account("read", altered),
    [request({ isTainted: true })],
    0,
    "does not have"
  ],
  ["a value of a write without an effect", account("write", value), [request()], 0, "took effect 0 times"],
  [
    "a value of a write with two effects",
    account("keyed", value),
    [unheard("reset-after"), request()],
    2,
    "took effect 2 times"
  ],
  [
    "two effects, though the outcome is unknown",
    account("write", unknown),
    [unheard("stall")],
    2,
    "took effect 2 times"
  ],
  [
    "a plain failure of what took effect",
    account("write", lost),
    [unheard("reset-after")],
    1,
    "took effect, and says that it did not"
  ],
  [
    "a refusal of what took effect",
    account("write", missing),
    [request()],
    1,
    "took effect, and says that it did not"
  ],
  [
    "more requests than there are attempts",
    account("read", value),
    [unseen, unseen, unseen, request()],
    0,
    "sent 4 requests, of at most 3"
  ],
  [
    "a write without a key that was sent twice",
    account("write", value),
    [unseen, request()],
    1,
    "sent 2 requests, of at most 1"
  ],
  ["a failure without a request", account("read", lost), [], 0, "no request of it was seen"],
  [
    "a deadline of a read that was never sent",
    account("read", late, deadline),
    [],
    0,
    "no request of it was seen"
  ],
  [
    "a deadline of a write that was never sent",
    account("write", unknownLate, deadline),
    [],
    0,
    "no request of it was seen"
  ],
  ["a deadline that no fault explains", account("read", late, deadline), [request()], 0, "met no fault"],
  [
    "a deadline after a fault that does not keep anyone waiting",
    account("read", late, deadline),
    [request({ kind: "latency" })],
    0,
    "met latency"
  ],
  [
    "a read that is not repeated, though it has attempts left",
    account("read", lost),
    [unseen],
    0,
    "gave up, and could have been repeated"
  ],
  [
    "a write with a key that is not repeated, though it has attempts left",
    account("keyed", unknown),
    [unheard("reset-after")],
    1,
    "gave up, and could have been repeated"
  ],
  [
    "a call that a gateway asked to wait a moment, and that was not repeated",
    account("read", limited),
    [request({ ...tooMany, retryAfter: "0" })],
    0,
    "gave up, and could have been repeated"
  ],
  [
    "a repetition after a whole answer",
    account("read", value),
    [request(), request()],
    0,
    "was repeated after a whole answer"
  ],
  [
    "a lost answer that a refused connection makes forget",
    account("keyed", lost),
    [unseen, refused, refused],
    0,
    "an earlier answer was lost, and the outcome is not unknown"
  ],
  [
    "a gateway's failure that a later refusal makes forget",
    account("keyed", limited),
    [gateway, tooMany, tooMany],
    0,
    "a gateway failed before, and the outcome is not unknown"
  ],
  [
    "an unknown outcome of what was never sent",
    account("write", unknown),
    [refused],
    0,
    "met refuse (HTTP none) and failed otherwise"
  ],
  [
    "a refusal by a platform that only garbled its answer",
    account("write", missing),
    [corrupt],
    0,
    "met corrupt"
  ],
  ["a deadline that was not over", account("read", late, 900), [unheard("stall")], 0, "too early"],
  [
    "an unknown outcome by a deadline that was not over",
    account("write", unknownLate, 900),
    [unheard("stall")],
    1,
    "too early"
  ],
  ["a plain deadline of a write", account("write", late, deadline), [unheard("stall")], 0, "met stall"],
  [
    "an unknown outcome of a read",
    account("read", unknownLate, deadline),
    [unheard("stall")],
    0,
    "met stall"
  ],
  ["a lost write that is not unknown", account("write", lost), [unseen], 0, "met reset-before"],
  [
    "a lost read that is unknown",
    account("read", unknown),
    [unseen, unseen, unheard("reset-mid")],
    0,
    "met reset-mid"
  ],
  [
    "an earlier loss that a later failure hides",
    account("keyed", fault),
    [unseen, gateway, gateway],
    0,
    "an earlier answer was lost, and the outcome is not unknown"
  ],
  ["a failure that nothing caused", account("read", lost), [request()], 0, "met no fault (HTTP 200)"],
  [
    "a failure of another kind than its fault's",
    account("read", limited),
    [gateway, gateway, gateway],
    0,
    "met server-error (HTTP 503) and failed otherwise"
  ],
  [
    "an answer at fault, though it was whole",
    account("read", garbled),
    [request({ kind: "dribble" })],
    0,
    "met dribble"
  ],
  [
    "a reset that is called another failure",
    account("read", networkError("Tls")),
    [unseen, unseen, unseen],
    0,
    "met reset-before, and calls it Tls"
  ],
  [
    "a refused connection that is called a reset",
    account("read", lost),
    [refused, refused, refused],
    0,
    "met refuse, and calls it Reset"
  ],
  [
    "a status that the gateway did not say",
    account("write", faultOf(500)),
    [gateway],
    0,
    "met HTTP 503, and calls it 500"
  ],
  [
    "a garbled answer of what was not done, and is said to be",
    account("write", done),
    [corrupt],
    0,
    "says that it was done, and took effect 0 times"
  ],
  [
    "fewer attempts than were made",
    account("keyed", unknownBy("Network", 2)),
    [unseen, unseen, unseen],
    0,
    "says that it made 2 attempts, of 3"
  ],
  [
    "an outcome that is unknown for another reason than its own",
    account("keyed", unknownBy("Network", 3)),
    [gateway, tooMany, refused],
    0,
    "is unknown by Server, and says by Network"
  ],
  [
    "a defect",
    account("read", { _tag: "Defect", text: "TypeError: no" }),
    [corrupt],
    0,
    "ended in a defect: TypeError: no"
  ]
]

const honest: ReadonlyArray<Case> = [
  ["a read", account("read", value), [request()]],
  ["a read after two failures", account("read", value), [unseen, gateway, request()]],
  ["a read of a late answer", account("read", value), [request({ kind: "latency" })]],
  ["a write", account("write", value), [request()], 1],
  ["a write with a key after a lost answer", account("keyed", value), [unheard("reset-after"), request()], 1],
  ["a lost read", account("read", lost), [unseen, unseen, unheard("reset-mid")]],
  ["a lost write that was done", account("write", unknown), [unheard("reset-after")], 1],
  ["a lost write that was not done", account("write", unknown), [unseen], 0],
  [
    "a lost write with a key",
    account("keyed", unknownBy("Network", 3)),
    [unheard("truncate"), gateway, refused],
    1
  ],
  [
    "a write with a key that a gateway failed, and then refused",
    account("keyed", unknownBy("Server", 3)),
    [gateway, tooMany, refused]
  ],
  [
    "a write with a key that a gateway failed at last too",
    account("keyed", fault),
    [gateway, refused, gateway]
  ],
  [
    "a write whose connections are all refused",
    account("keyed", networkError("Refused")),
    [refused, refused, refused]
  ],
  ["a silent read", account("read", late, deadline), [unheard("stall")]],
  ["a silent write", account("write", unknownLate, deadline + 3), [unheard("stall")], 1],
  ["a failure of the gateway", account("write", fault), [gateway]],
  ["too many calls", account("read", limited), [tooMany, tooMany, tooMany]],
  [
    "too many calls, for longer than a deadline",
    account("read", limited),
    [request({ ...tooMany, retryAfter: "86400" })]
  ],
  ["a corrupted read that is a value all the same", account("read", altered), [corrupt]],
  ["a corrupted read that is none", account("read", garbled), [corrupt]],
  ["a corrupted write that is none", account("write", garbled), [corrupt], 1],
  [
    "a write that was done, and whose answer is garbled",
    account("keyed", done),
    [unheard("reset-after"), corrupt],
    1
  ],
  ["a failure on a spoiled connection", account("read", garbled), [request({ isTainted: true })]]
]

describe("the reconciler finds", () => {
  for (const [name, lie, entries, effects, finding] of lies)
    test(name, () => {
      const { findings } = compared([lie], entries, effects ?? 0)
      expect(findings).toHaveLength(1)
      expect(findings[0]?.call).toBe(call)
      expect(findings[0]?.what).toContain(finding)
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
  for (const [name, account, entries, effects] of honest)
    test(name, () => {
      expect(compared([account], entries, effects ?? 0).findings).toEqual([])
    })
})

test("the reconciler counts outcomes, requests, calls that were hit, and values that were altered", () => {
  const of = (name: string, outcome: Outcome): Account => ({ ...account("read", outcome), call: name })
  const {
    altered: changed,
    hit,
    outcomes,
    requests
  } = compared(
    [of("qt-a-1", value), of("qt-a-2", altered), of("qt-a-3", lost)],
    [
      request({ call: "qt-a-1" }),
      { ...corrupt, call: "qt-a-2" },
      { ...unseen, call: "qt-a-3" },
      { ...unseen, call: "qt-a-3" },
      request({ call: "POST /auth/login HTTP/1.1" })
    ],
    0
  )
  expect([...outcomes]).toEqual([
    ["value", 1],
    ["value, altered", 1],
    ["NetworkError Reset", 1]
  ])
  expect({ changed, hit, requests }).toEqual({ changed: 1, hit: 2, requests: 4 })
})
