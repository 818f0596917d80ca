/** Refunds whose answers are lost: what a payment shows then is the work of all who refund it, and only a difference is this run's. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Sandbox from "@quartet/sandbox"
import * as Admin from "@quartet/sdk/admin"
import { type TransportService as Service, Transport } from "@quartet/sdk/extend"
import { temporaryFolder } from "@quartet/support/temporary.js"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import * as Fleet from "../jobs/index.js"
import { baselineOf, verdictOf } from "../jobs/refund-evidence.js"

const folder = temporaryFolder("refunds")

const whole = { id: "a", amount: undefined, reason: undefined }
const part = { ...whole, amount: 5 }
const late = { ...part, reason: "late" }
const paid = { status: "succeeded", amount: 9 }
const shown = { ...paid, refundedAmount: 0 }
const parted = { status: "partially_refunded", amount: 9, refundedAmount: 3 }
const payment = { status: "succeeded", amount: 5 }
const listing = (...refunds: ReadonlyArray<object>) => ({ ...paid, refunds })

describe("what a payment says of a refund, by what it said before", () => {
  it.each([
    // Nothing was ever refunded.
    [shown, shown, part, "not"],
    [{ ...paid, refunded: false }, { ...paid, refunded: false }, whole, "not"],
    // Where nothing shows refunds, one that was made need not be seen.
    [paid, paid, whole, "unclear"],
    // Where nobody has looked before, or anything has changed, nobody knows.
    [undefined, paid, whole, "unclear"],
    [undefined, shown, part, "unclear"],
    ...[
      { refundTotal: 9 },
      { refundStatus: "full" },
      { refund: { id: "1", amount: 9 } },
      { refunds: { data: [{ id: "1", amount: 9 }] } },
      { transactions: [{ kind: "refund", amount: 9 }] },
      { note: "new" }
    ].map((says) => [paid, { ...paid, ...says }, whole, "unclear"] as const),
    [
      { status: "success", data: paid },
      { status: "success", data: { ...paid, status: "refunded" } },
      whole,
      "unclear"
    ],
    // A date may be the only sign of it.
    ...[
      [{ seenAt: "2026-01-01T00:00:00Z" }, { seenAt: "2026-01-02T00:00:00Z" }],
      [{ refundedAt: null }, { refundedAt: "2026-01-02T00:00:00Z" }],
      [{ refund: { completedAt: null } }, { refund: { completedAt: "2026-01-02T00:00:00Z" } }],
      [{ updatedAt: 1_700_000_000 }, { updatedAt: 1_700_000_001 }]
    ].flatMap(([was, is]) => [
      [{ ...paid, ...was }, { ...paid, ...is }, whole, "unclear"] as const,
      [{ ...shown, ...was }, { ...shown, ...is }, part, "unclear"] as const
    ]),
    [{ amount: 9, refunded: false }, { amount: 9, refunded: false }, whole, "not"],
    // A part of which no sum is shown need not be seen.
    [paid, paid, part, "unclear"],
    // The difference is what was asked for.
    [shown, { ...parted, refundedAmount: 5 }, part, "done"],
    [shown, { ...parted, refundedAmount: "5" }, part, "done"],
    [parted, { ...parted, refundedAmount: 8 }, part, "done"],
    [parted, { status: "refunded", amount: 9, refundedAmount: 9 }, whole, "done"],
    [parted, { status: "refunded", amount: 9 }, whole, "unclear"],
    [paid, { ...paid, status: "refunded" }, whole, "unclear"],
    [paid, { ...paid, status: "reversed" }, whole, "unclear"],
    [{ ...paid, totalRefunded: 0 }, { ...paid, totalRefunded: 9 }, whole, "done"],
    // What was not shown before may have been there.
    [paid, { ...parted, refundedAmount: 5 }, part, "unclear"],
    [paid, { ...paid, totalRefunded: 9 }, whole, "unclear"],
    [paid, listing({ id: "1", amount: 5 }), part, "unclear"],
    [
      { state: "SUCCEEDED", amount: 9, refundedAmount: 0 },
      { state: "REFUNDED", amount: 9, refundedAmount: 9 },
      whole,
      "done"
    ],
    // All that has changed has to be known here, and to agree.
    ...[
      { refundableAmount: 4, updatedAt: "2026-01-02T00:00:00Z", __v: 2 },
      { last_refunded_at: "2026-01-02T00:00:00Z", status: "partially_refunded" }
    ].map(
      (says) =>
        [
          { ...shown, refundableAmount: 9, updatedAt: "2026-01-01T00:00:00Z", __v: 1 },
          {
            ...shown,
            refundableAmount: 4,
            updatedAt: "2026-01-01T00:00:00Z",
            __v: 1,
            ...says,
            refundedAmount: 5
          },
          part,
          "done"
        ] as const
    ),
    ...[
      { refundPending: true },
      { refundFailed: true },
      { refundError: "declined" },
      { pendingRefundAmount: 5 },
      { refund: { status: "failed" } },
      { status: "failed" },
      { refundedCurrency: "JPY" },
      { refundableAmount: 3 },
      { refundedAt: null },
      { failedAt: "2026-01-02T00:00:00Z" }
    ].map(
      (says) =>
        [
          { ...shown, currency: "EUR" },
          { ...shown, currency: "EUR", refundedAmount: 5, ...says },
          part,
          "unclear"
        ] as const
    ),
    [
      { ...shown, currency: "EUR", refundedCurrency: "JPY" },
      { ...shown, currency: "EUR", refundedCurrency: "JPY", refundedAmount: 5 },
      part,
      "unclear"
    ],
    // A count is no sum, and nothing is no refund.
    [{ ...paid, refunded: 0 }, { ...paid, refunded: 1 }, { ...part, amount: 1 }, "unclear"],
    [{ ...shown, note: "a" }, { ...shown, note: "b" }, { ...part, amount: 5e-7 }, "unclear"],
    [{ ...shown, amount: 0, note: "a" }, { ...shown, amount: 0, note: "b" }, whole, "unclear"],
    [{ ...shown, refundedAmount: 0.1 }, { ...shown, refundedAmount: 0.3 }, { ...part, amount: 0.2 }, "done"],
    // A total from before is none.
    [{ ...parted, refundedAmount: 5 }, { ...parted, refundedAmount: 5 }, part, "not"],
    [undefined, { ...parted, refundedAmount: 5 }, part, "unclear"],
    [undefined, { status: "refunded", amount: 9, refundedAmount: 9 }, whole, "unclear"],
    [{ status: "refunded" }, { status: "refunded" }, whole, "unclear"],
    [{ ...paid, refundedAt: "2026-01-01" }, { ...paid, refundedAt: "2026-01-01" }, whole, "unclear"],
    // More, less or other than what was asked for.
    [parted, { ...parted, refundedAmount: 9 }, part, "unclear"],
    [shown, { ...parted, refundedAmount: 3 }, part, "unclear"],
    [shown, { ...parted, refundedAmount: 6 }, part, "unclear"],
    [shown, parted, whole, "unclear"],
    [parted, { ...parted, refundedAmount: 1 }, part, "unclear"],
    [paid, { status: "partially_refunded" }, whole, "unclear"],
    [paid, { status: "partially_refunded" }, part, "unclear"],
    [paid, { status: "refund_failed" }, whole, "unclear"],
    [shown, { ...shown, status: "refunded" }, whole, "unclear"],
    [shown, { ...shown, status: "refunded" }, part, "unclear"],
    [parted, { ...parted, status: "refunded" }, whole, "unclear"],
    // A payment that lists its refunds.
    [listing(), listing(), part, "not"],
    [listing(), listing({ id: "1", amount: 5 }), part, "done"],
    // It need not be the whole list.
    [listing({ id: "0", amount: 5 }), listing({ id: "0", amount: 5 }), part, "unclear"],
    // Of what contradicts itself, nothing is learnt.
    ...[
      { ...listing(), status: "partially_refunded" },
      { ...shown, status: "partially_refunded" },
      { ...shown, refunded: true },
      { ...listing(), refundsTotal: 9 },
      { ...paid, refunded: true }
    ].flatMap((says) => [[says, says, part, "unclear"] as const, [says, says, whole, "unclear"] as const]),
    [shown, { ...shown, refundedAmount: 5, refunded: true }, part, "unclear"],
    [{ ...shown, refunded: false }, { ...shown, refundedAmount: 9, refunded: true }, whole, "done"],
    [
      { ...paid, amount: 2e7, refundedAmount: 0 },
      { ...paid, amount: 2e7, refundedAmount: 9_999_995 },
      { ...part, amount: 1e7 },
      "unclear"
    ],
    [listing({ id: "0", amount: 5 }), listing({ id: "1", amount: 5 }, { id: "0", amount: 5 }), part, "done"],
    [listing(), listing({ id: "1", amount: 5, reason: "late" }), late, "done"],
    [listing(), listing({ id: "1", amount: 5, reason: "broken" }), late, "unclear"],
    [listing(), listing({ id: "1", amount: 4 }), part, "unclear"],
    [listing(), listing({ id: "1", amount: 6 }), part, "unclear"],
    [listing(), listing({ id: "1", amount: 5, status: "failed" }), part, "unclear"],
    [listing(), listing({ id: "1" }), part, "unclear"],
    [listing(), { ...listing({ id: "1", amount: 5 }), refundedAmount: 9 }, part, "unclear"],
    // Two of others, which come to what was asked for.
    [listing(), listing({ id: "1", amount: 2 }, { id: "2", amount: 3 }), part, "unclear"],
    [
      listing(),
      { ...listing({ id: "1", amount: 2 }, { id: "2", amount: 3 }), refundedAmount: 5 },
      part,
      "unclear"
    ],
    [listing(), listing({ id: "1", amount: 5 }, { id: "2", amount: 5 }), part, "unclear"],
    [listing({ id: "0", amount: 5 }), listing({ id: "1", amount: 5 }), part, "unclear"],
    [listing({ amount: 5 }), listing({ amount: 5 }, { amount: 5 }), part, "done"],
    [
      listing({ id: "0", status: "pending" }),
      listing({ id: "0", status: "succeeded" }, { id: "1", amount: 5 }),
      part,
      "unclear"
    ],
    [listing(), { ...listing({ id: "1", amount: 5 }), status: "refund_failed" }, part, "unclear"],
    [listing(), { ...listing({ id: "1", amount: 5 }), refundStatus: "failed" }, part, "unclear"],
    // One that says itself that it was not made, waits, or says what nobody knows here.
    ...[
      { state: "failed" },
      { success: false },
      { ok: false },
      { failed: true },
      { failedAt: "2026-01-01" },
      { isFailed: true },
      { isPending: true },
      { refundStatus: "failed" },
      { processing_status: "pending" },
      { phase: "pending" },
      { completed: false },
      { approved: false },
      { isSuccessful: false },
      { currencyCode: "JPY" },
      { kind: "void" },
      { meta: { request: { idempotencyKey: "l" } } },
      { meta: { bank: { state: "declined" } } },
      { error: { code: "bank" } },
      { status: { name: "failed" } },
      { status: { id: "1", label: "Pending" } },
      { status: "отклонён" },
      { statusCode: 402 },
      { success: "false" },
      { success: 0 },
      { completedAt: null },
      { processed_at: null },
      { result: { code: "DECLINED" } },
      { message: "Declined by the bank" },
      { action: "refund_declined" },
      { statuses: ["failed"] },
      ...[
        "status",
        "state",
        "error",
        "failed",
        "failure",
        "cancelled",
        "reversal",
        "pending",
        "chargeback"
      ].flatMap((name) => [{ [name]: { id: "1" } }, { [name]: { at: "2026-01-01" } }]),
      ...["\u2717 refunded", "!completed", "completed?", "partial", "payment", "refund"].map((status) => ({
        status
      })),
      { history: [{ to: "failed" }] },
      { key: "l" },
      { requestId: "l" },
      { type: "payment" },
      ...[
        "error",
        "expired",
        "denied",
        "reversed",
        "pending",
        "requested",
        "canceled",
        "returned",
        "created",
        "accepted",
        "new",
        7
      ].map((status) => ({
        status
      })),
      ...["refund.failed", "refund_requested", "refundDeclined", "REFUND.REVERSED"].map((type) => ({ type })),
      { type: "refund", data: { status: "failed" } },
      { currency: "usd" },
      // Of somebody else, by its key.
      { idempotencyKey: "l" },
      { request: { idempotency_key: "l" } }
    ].map(
      (says) =>
        [
          { ...listing(), currency: "EUR" },
          { ...listing({ id: "1", amount: 5, ...says }), currency: "EUR" },
          part,
          "unclear"
        ] as const
    ),
    [listing(), listing({ id: "1", amount: "five" }), part, "unclear"],
    [listing(), listing({ amount: 5, type: "refund.failed", idempotencyKey: "k" }), part, "unclear"],
    // Its sum says that nothing was refunded.
    [shown, { ...listing({ id: "1", amount: 5 }), refundedAmount: 0 }, part, "unclear"],
    [
      { ...paid, refundedAmount: 3 },
      { ...listing({ id: "1", amount: 5 }), refundedAmount: 0 },
      part,
      "unclear"
    ],
    [shown, { ...shown, status: "refund_failed", refundedAmount: 5 }, part, "unclear"],
    [shown, { ...shown, status: "refund_pending", refundedAmount: 5 }, part, "unclear"],
    // One that says that it was made.
    ...[
      ...["succeeded", "COMPLETED", "partially_refunded", "paid"].map((status) => ({ status })),
      ...["refunded", "refund.succeeded", "payment.refunded", "partialRefund"].map((type) => ({ type })),
      { success: true, failed: false, error: null },
      { object: "refund", kind: "refund", created: 1_700_000_000, paymentId: "a" },
      { currency: "eur" }
    ].map(
      (says) =>
        [
          { ...listing(), currency: "EUR" },
          { ...listing({ id: "1", amount: 5, ...says }), currency: "EUR" },
          part,
          "done"
        ] as const
    ),
    [listing(), listing({ id: "1", amount: 5, currency: "JPY" }), part, "unclear"],
    // A key that is listed is its own, and proves nothing more.
    [listing(), listing({ id: "1", amount: 5, status: "succeeded", metadata: { key: "k" } }), part, "done"],
    [undefined, listing({ ...payment, metadata: { key: "k" } }), part, "unclear"],
    [
      listing(),
      listing({ ...payment, idempotencyKey: "k" }, { ...payment, idempotencyKey: "l" }),
      part,
      "unclear"
    ],
    [
      listing(),
      listing({ ...payment, idempotencyKey: "k" }, { type: "reversal", amount: -5 }),
      part,
      "unclear"
    ],
    [listing(), listing({ amount: 9, idempotencyKey: "k" }), part, "unclear"],
    [
      { ...shown, refunds: { a: 1 } },
      { ...shown, refunds: { a: 1, b: 2 }, refundedAmount: 5 },
      part,
      "unclear"
    ],
    // Nothing to read.
    [{ _id: "a" }, { _id: "a" }, whole, "unclear"],
    [undefined, undefined, whole, "unclear"]
  ] as const)("before %j, now %j, for %j: %s", (before, now, refund, verdict) => {
    const baseline = Option.map(Option.fromNullable(before), (payment) =>
      baselineOf({ payment, events: undefined })
    )
    expect(verdictOf({ payment: now, events: undefined }, refund, "k", baseline)).toBe(verdict)
  })
})

it("keeps a payment whose numbers JSON cannot hold", () => {
  const reading = (payment: object) => ({ payment: { ...payment, id: 2n ** 64n }, events: undefined })
  const baseline = Option.some(baselineOf(reading(shown)))
  expect(verdictOf(reading({ ...shown, refundedAmount: 5 }), part, "k", baseline)).toBe("done")
  expect(verdictOf(reading(shown), part, "k", baseline)).toBe("not")
})

describe("what the events of a payment say of a refund", () => {
  const event = { id: "1", type: "refunded", amount: 5, createdAt: "2026-01-01T00:00:00Z" }
  const captured = { id: "0", type: "captured", amount: 9 }
  it.each([
    [shown, [captured], shown, [captured], part, "not"],
    // They need not have every refund, nor one that was made.
    [paid, [event], paid, [event], part, "unclear"],
    [paid, [captured], paid, [captured], part, "unclear"],
    [paid, [captured], paid, [captured, event], part, "unclear"],
    [shown, [event], shown, [event], part, "unclear"],
    [shown, [], { ...shown, refundedAmount: 5 }, [event], part, "done"],
    [shown, [], shown, [event], part, "unclear"],
    [shown, [], { ...shown, refundedAmount: 5 }, [{ ...event, type: "refund.failed" }], part, "unclear"],
    [paid, [captured], paid, [captured, { ...event, type: "payment" }], part, "unclear"],
    [paid, [captured], paid, [captured, { event: "refund.created" }], whole, "unclear"],
    [paid, [captured], paid, [captured, { type: "payment.returned" }], whole, "unclear"],
    [paid, [captured], paid, [captured, event, { ...event, id: "2" }], part, "unclear"],
    // Whether they are shown at all has changed.
    [shown, [captured], shown, undefined, part, "unclear"],
    [
      shown,
      [captured],
      shown,
      [captured, { ...event, createdAt: new Date(0), note: new Date(0) }],
      part,
      "unclear"
    ],
    [shown, undefined, shown, [captured], part, "unclear"],
    [shown, undefined, { ...shown, refundedAmount: 5 }, [event], part, "unclear"]
  ] as const)(
    "before %j with %j, now %j with %j, for %j: %s",
    (was, wasEvents, is, events, refund, verdict) => {
      const baseline = Option.some(baselineOf({ payment: was, events: wasEvents }))
      expect(verdictOf({ payment: is, events }, refund, "k", baseline)).toBe(verdict)
    }
  )
})

const { admin, projectId } = Sandbox.accounts
const at = { baseUrl: "http://sandbox.test", projectId }

/** What becomes of the refunds of some payments, by the number of their attempt: one is lost on its way, or its answer is. */
type Loss = "answer" | "request"

/** A run of refunds over a platform that honours no key and loses what `losses` says; `meanwhile` is what others do then. */
const refunding = (
  amounts: ReadonlyArray<number | undefined>,
  losses: Readonly<Record<string, Loss>>,
  {
    before = () => Effect.void,
    meanwhile = () => Effect.void
  }: {
    readonly before?: (id: string) => Effect.Effect<unknown, unknown, Admin.Client>
    readonly meanwhile?: (id: string) => Effect.Effect<unknown, unknown, Admin.Client>
  } = {}
) =>
  Effect.gen(function* () {
    const { transport } = yield* Sandbox.make({ seed: 5 })
    const others = Admin.layer({ ...at, ...admin }).pipe(Layer.provide(Layer.succeed(Transport, transport)))
    const lost = new Set<string>()
    const lossy: Service = {
      start: (request, settle) => {
        const { "idempotency-key": key = "", ...headers } = request.headers
        const keyless = { ...request, headers }
        const id = Object.keys(losses).find((paymentId) => request.path.includes(paymentId)) ?? ""
        const loss = request.operation === "payments.refund" && !lost.has(key) ? losses[id] : undefined
        if (loss === undefined) return transport.start(keyless, settle)
        lost.add(key)
        const lose = () => {
          const acted = Effect.runFork(Effect.provide(Effect.ignore(meanwhile(id)), others))
          acted.addObserver(() => settle({ _tag: "Failed", reason: "Reset", sent: true, cause: undefined }))
        }
        if (loss === "answer") return transport.start(keyless, lose)
        lose()
        return () => true
      }
    }
    return { lossy, others, transport, amounts, before }
  })

const some = Admin.payments
  .list({ limit: 3, query: { status: "succeeded" } })
  .pipe(Effect.map(({ items }) => items.map(({ _id }) => _id)))

/** Runs the ready job over the first payment, and says what then stands in it. */
const ran = async (
  amount: number | undefined,
  loss: Loss,
  others: NonNullable<Parameters<typeof refunding>[2]> = {}
) => {
  const losses: Record<string, Loss> = {}
  const stage = await Effect.runPromise(refunding([amount], losses, others))
  const path = join(folder, `${Math.random()}.ndjson`)
  return Effect.gen(function* () {
    const [id = ""] = yield* Effect.provide(some, stage.others)
    yield* Effect.provide(Effect.orDie(stage.before(id)), stage.others)
    losses[id] = loss
    writeFileSync(path, `${JSON.stringify(amount === undefined ? { id } : { id, amount })}\n`)
    const refunds = Fleet.refundsJob({ concurrency: 1, lanes: 1 })
    const runner = Fleet.layer({
      jobs: [refunds],
      store: `file:${path}.db`,
      clients: Admin.layer({ ...at, ...admin })
    }).pipe(Layer.provide(Layer.succeed(Transport, stage.lossy)))
    const { failures, progress } = yield* Effect.provide(
      Effect.gen(function* () {
        const run = yield* refunds.start({ file: path })
        const progress = yield* run.wait
        return { progress, failures: Chunk.toReadonlyArray(yield* Stream.runCollect(run.failures)) }
      }),
      runner
    )
    const payment = yield* Effect.provide(Admin.payments.get({ id }), stage.others)
    const { done, failed, unknown } = progress
    const { refundedAmount, status } = payment
    return { done, failed, unknown, refundedAmount, status, failures }
  }).pipe(Effect.runPromise)
}

const refund = (amount: number) => (id: string) => Admin.payments.refund({ id, payload: { amount } })

describe("a refund over a platform that honours no key", () => {
  it("that was lost on its way is sent again, though the payment was refunded in part before the run", async () => {
    expect(await ran(5, "request", { before: refund(5) })).toMatchObject({
      done: 1,
      unknown: 0,
      refundedAmount: 10,
      status: "partially_refunded"
    })
  })

  it("whose answer was lost is done, and not sent again, whatever was refunded before", async () => {
    expect(await ran(5, "answer", { before: refund(3) })).toMatchObject({ done: 1, refundedAmount: 8 })
    expect(await ran(5, "answer")).toMatchObject({ done: 1, refundedAmount: 5 })
    expect(await ran(undefined, "answer", { before: refund(3) })).toMatchObject({
      done: 1,
      status: "refunded"
    })
  })

  it("that was lost on its way is unknown where two refunds of others come to the same meanwhile", async () => {
    const meanwhile = (id: string) => Effect.zipRight(refund(2)(id), refund(3)(id))
    expect(await ran(5, "request", { meanwhile })).toMatchObject({
      done: 0,
      unknown: 1,
      refundedAmount: 5,
      failures: [{ error: expect.stringContaining("does not say whether this refund was made") }]
    })
  })

  it("whose answer was lost is unknown where somebody else refunds the same payment meanwhile", async () => {
    expect(await ran(5, "answer", { meanwhile: refund(2) })).toMatchObject({
      done: 0,
      unknown: 1,
      refundedAmount: 7
    })
  })
})
