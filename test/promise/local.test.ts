// What Promise clients hold locally and send nothing for: onboarding, topics and categories.
import { describe, expect, test } from "vitest"
import { Errors } from "../../clients/promise/index.js"
import { playAdmin, serve } from "./served.js"

const { admin, server } = await serve()

describe("onboarding", () => {
  // Spec 4.11
  test("is read, completed and accepted, and sends nothing", async () => {
    server.play(playAdmin)
    const { onboarding } = admin()
    const [task] = await onboarding.tasks()
    expect(await onboarding.complete(task?.id ?? "")).toMatchObject({ isCompleted: true })
    expect(await onboarding.tasks()).toMatchObject([{ isCompleted: true }])
    const [document] = await onboarding.documents()
    const before = Date.now()
    const accepted = await onboarding.accept(document?.id ?? "", "ada@example.com")
    expect(accepted).toMatchObject({ isAccepted: true, acceptedBy: "ada@example.com" })
    expect(accepted.acceptedAt?.getTime()).toBeGreaterThanOrEqual(before)
    expect((await onboarding.billing()).map(({ price }) => price)).toEqual([0.35, 0.004, 100])
    expect(await onboarding.stats()).toMatchObject({ currentBillAmount: { amount: 7.11, currency: "USD" } })
    expect(server.exchanges).toEqual([])
  })

  test("rejects an id that is not known with a real Error", async () => {
    const unknown = admin().onboarding.complete("nothing")
    await expect(unknown).rejects.toBeInstanceOf(Errors.UnknownId)
    await expect(unknown).rejects.toMatchObject({ tag: "UnknownId", kind: "task", id: "nothing" })
  })

  test("rejects an acceptance by nobody", async () => {
    const { onboarding } = admin()
    // @ts-expect-error who accepts must be named
    await expect(onboarding.accept("service-agreement")).rejects.toMatchObject({
      tag: "InputError",
      field: "by"
    })
  })

  test("tells its present state and every later one, until the client is closed", async () => {
    const client = admin()
    const changes = client.onboarding.changes()[Symbol.asyncIterator]()
    expect((await changes.next()).value).toMatchObject({ tasks: [{ isCompleted: false }] })
    const next = changes.next()
    await client.onboarding.complete("billing-onboarding")
    expect((await next).value).toMatchObject({ tasks: [{ isCompleted: true }] })
    const last = changes.next()
    await Promise.all([client.close(), expect(last).rejects.toMatchObject({ name: "AbortError" })])
  })

  test("is each client's own, and may begin with the caller's", async () => {
    const first = admin()
    const stats = await first.onboarding.stats()
    const own = { tasks: [], documents: [], billing: [], stats: { ...stats, userCount: 9 } }
    expect(await admin({ onboarding: own }).onboarding.stats()).toMatchObject({ userCount: 9 })
    await first.onboarding.complete("billing-onboarding")
    expect(await admin().onboarding.tasks()).toMatchObject([{ isCompleted: false }])
  })
})

// Spec 1.10
test("topics and categories are for the configured projects only", () => {
  const { tenants } = admin()
  const configured = { topicsProjectId: "p1" }
  expect(tenants.topicsOf(configured, "p1")).toContain("General")
  expect(tenants.topicsOf(configured, "p2")).toEqual([])
})
