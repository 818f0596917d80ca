// Waiting for a state with Promises, over a server: by a method, and by a client in the form of one function.

import type { Exchange } from "@quartet/support/scripted-server.js"
import { expect, expectTypeOf, test } from "vitest"
import * as Payments from "../../clients/admin/payments.js"
import type { Schemas } from "../../clients/index.js"
import * as Functions from "../../clients/promise/admin.js"
import { type AdminClient, createAdminClient, Errors, until } from "../../clients/promise/index.js"
import { login, playAdmin, rejected, serve } from "./served.js"

const { admin, server, targets } = await serve()

/** Signs admins in; a payment has each of the states in turn, and keeps the last. */
const playStates = (...states: ReadonlyArray<string | number>): void => {
  const left = [...states]
  server.play((exchange) => {
    if (exchange.target.startsWith("/auth/")) return playAdmin(exchange)
    const state = left.length > 1 ? left.shift() : left[0]
    if (typeof state === "number") exchange.json({ message: "no" }, state, { "retry-after": "0" })
    else exchange.json({ _id: "p1", state })
  })
}

const asked = (): number => targets().filter((target) => target.includes("/payment/")).length
const isSettled = (payment: { readonly [field: string]: unknown }): boolean => payment.state === "settled"
const often = { every: 5, policy: { attempts: 1 } }
const config = () => ({ baseUrl: server.url, projectId: "p1", ...login })

test("a payment is read until it is settled, and the answer is given", async () => {
  playStates("pending", "pending", "settled", "refunded")
  const payment = await until(admin().payments.get, { id: "p1" }, isSettled, often)
  expect(payment).toMatchObject({ _id: "p1", state: "settled" })
  expect(asked()).toBe(3)
})

test("so it is by a client in the form of one function", async () => {
  playStates("pending", "settled")
  const call = Functions.createAdmin(config())
  expect(await Functions.until(call, Payments.get, { id: "p1" }, isSettled, often)).toMatchObject({
    _id: "p1"
  })
  expect(asked()).toBe(2)
})

test("a failure that may be otherwise in a moment does not end it; another one does", async () => {
  playStates(503, 429, "settled")
  expect(await until(admin().payments.get, { id: "p1" }, isSettled, often)).toMatchObject({ _id: "p1" })
  playStates("pending", 404)
  const error = await rejected(until(admin().payments.get, { id: "p1" }, isSettled, often))
  expect(error).toBeInstanceOf(Errors.NotFound)
})

test("an answer's `Retry-After` is honoured by a method and by a client in the form of one function", async () => {
  const waits = (): void =>
    server.play((exchange) => {
      if (exchange.target.startsWith("/auth/")) return playAdmin(exchange)
      exchange.json({ _id: "p1", state: "pending" }, 200, { "retry-after": "60" })
    })
  const forms = [
    (options: object) => until(admin().payments.get, { id: "p1" }, isSettled, options),
    (options: object) =>
      Functions.until(Functions.createAdmin(config()), Payments.get, { id: "p1" }, isSettled, options)
  ]
  for (const form of forms) {
    waits()
    const controller = new AbortController()
    const ended = rejected(form({ ...often, signal: controller.signal }))
    const { over } = await server.exchange(2)
    await over
    // Long enough for many calls at the pause of its own.
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(asked()).toBe(1)
    controller.abort()
    await ended
  }
})

test("a date in an answer's `Retry-After` is one of the server's clock", async () => {
  const ahead = (seconds: number) => new Date(Date.now() + 3_600_000 + seconds * 1_000).toUTCString()
  let asked = 0
  server.play((exchange) => {
    if (exchange.target.startsWith("/auth/")) return playAdmin(exchange)
    asked += 1
    const state = asked === 1 ? "pending" : "settled"
    exchange.json({ _id: "p1", state }, 200, { date: ahead(0), "retry-after": ahead(1) })
  })
  const payment = await until(admin().payments.get, { id: "p1" }, isSettled, often)
  expect(payment).toMatchObject({ state: "settled" })
  expect(asked).toBe(2)
})

test("a predicate that answers with a Promise is refused once, whatever becomes of the Promise", async () => {
  playStates("pending")
  const later = (async () => {
    throw new Error("nobody's")
  }) as unknown as typeof isSettled
  const unhandled: Array<unknown> = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on("unhandledRejection", note)
  const error = await rejected(until(admin().payments.get, { id: "p1" }, later, often))
  await new Promise((resolve) => setImmediate(resolve))
  process.off("unhandledRejection", note)
  expect(error).toMatchObject({
    field: "predicate",
    message: expect.stringMatching(/Promise\. Nothing more is sent\.$/)
  })
  expect(unhandled).toEqual([])
})

test("a predicate that narrows the answer's type narrows that of the result", () => {
  type Settled = { readonly status: "succeeded" } & Schemas.Payments.Transaction
  const isDone = (payment: Schemas.Payments.Transaction): payment is Settled => payment.status === "succeeded"
  const byMethod = (client: AdminClient) => until(client.payments.get, { id: "p1" }, isDone)
  expectTypeOf(byMethod).returns.resolves.toEqualTypeOf<Settled>()
  const byFunction = (client: ReturnType<typeof Functions.createAdmin>) =>
    Functions.until(client, Payments.get, { id: "p1" }, isDone)
  expectTypeOf(byFunction).returns.resolves.toEqualTypeOf<Settled>()
})

test("its input is read once, by a method and by a client in the form of one function", async () => {
  const forms = [
    (input: { id: string }) => until(admin().payments.get, input, isSettled, often),
    (input: { id: string }) =>
      Functions.until(Functions.createAdmin(config()), Payments.get, input, isSettled, often)
  ]
  for (const form of forms) {
    playStates("pending", "pending", "settled")
    const input = { id: "p1" }
    const waiting = form(input)
    input.id = "p2"
    await waiting
    expect(targets().filter((target) => target.includes("p2"))).toEqual([])
    expect(asked()).toBe(3)
  }
})

test("past its deadline it rejects with the last answer", async () => {
  playStates("pending")
  const error = await rejected(
    until(admin().payments.get, { id: "p1" }, isSettled, { ...often, deadline: 200 })
  )
  expect(error).toBeInstanceOf(Errors.DeadlineExceeded)
  expect(error).toMatchObject({ isUnmet: true, deadline: 200, last: { _id: "p1", state: "pending" } })
})

test("it rejects with the reason of its signal, and hangs up", async () => {
  // A call of the test before, which its deadline ended, may still arrive here.
  const arrived = new Promise<Exchange>((resolve) => {
    server.play((exchange) => {
      if (exchange.target.startsWith("/auth/")) playAdmin(exchange)
      else if (exchange.target.includes("/p2")) resolve(exchange)
    })
  })
  const controller = new AbortController()
  const error = rejected(
    until(admin().payments.get, { id: "p2" }, isSettled, { ...often, signal: controller.signal })
  )
  const { over } = await arrived
  controller.abort(new Error("enough"))
  expect(await error).toMatchObject({ message: "enough" })
  expect(await over).toBe(false)
})

test("it ends with its client", async () => {
  playStates("pending")
  const client = createAdminClient(config())
  const byMethod = rejected(until(client.payments.get, { id: "p1" }, isSettled, often))
  const call = Functions.createAdmin(config())
  const byFunction = rejected(Functions.until(call, Payments.get, { id: "p1" }, isSettled, often))
  await server.exchange(6)
  await Promise.all([client.close(), call.close()])
  expect(String(await byMethod)).toContain("closed")
  expect(String(await byFunction)).toContain("closed")
})

test("it rejects with what the predicate throws, and with its caller's line otherwise", async () => {
  playStates("pending")
  const mistake = new Error("a mistake of the program")
  const throwing = (): boolean => {
    throw mistake
  }
  expect(await rejected(until(admin().payments.get, { id: "p1" }, throwing, often))).toBe(mistake)
  playStates(404)
  try {
    await until(admin().payments.get, { id: "p1" }, isSettled, often)
    expect.unreachable("it rejects")
  } catch (error) {
    expect(Object(error).stack).toMatch(/until\.test\.ts:\d+:\d+/)
  }
})

test("what changes something does not compile, and is refused", async () => {
  playStates("pending")
  const client = admin()
  // @ts-expect-error a refund changes something
  const error = await rejected(until(client.payments.refund, { id: "p1" }, () => true))
  expect(error).toMatchObject({ tag: "InputError", field: "call" })
  const call = Functions.createAdmin(config())
  // @ts-expect-error so it does by a function
  const byFunction = rejected(Functions.until(call, Payments.refund, { id: "p1" }, () => true))
  expect(await byFunction).toMatchObject({ tag: "InputError", field: "call" })
  expect(await rejected(until({} as never, {}, () => true))).toMatchObject({
    tag: "InputError",
    field: "call"
  })
  // @ts-expect-error a download answers bytes
  const byDownload = rejected(until(client.payments.csv, {}, () => true))
  expect(await byDownload).toMatchObject({ tag: "InputError", field: "call" })
  expect(targets()).toEqual([])
  expectTypeOf<Parameters<Parameters<typeof until<{ readonly id: string }, number>>[2]>>().toEqualTypeOf<
    [value: number]
  >()
})
