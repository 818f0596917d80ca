/** Requests of items, as the transport of a fleet's clients sends them or not. */

import type { Outcome, TransportService as Service } from "@quartet/sdk/extend"
import { plainRequest } from "@quartet/support/transports.js"
import { expect, it } from "vitest"
import { Fence, type Fences, heard, isShut } from "../jobs/fence.js"

const answered = (status: number): Outcome => ({
  _tag: "Answered",
  status,
  header: () => undefined,
  body: new Uint8Array()
})
const failed = (sent: boolean): Outcome => ({ _tag: "Failed", reason: "Reset", sent, cause: undefined })
const request = { ...plainRequest, headers: { "idempotency-key": "run-1" } }

/** An item whose lane is held until `lose`, and what its requests are answered. */
const item = (outcome: Outcome | undefined) => {
  let isHeld = true
  const fence = new Fence({ isValid: () => isHeld })
  const fences: Fences = new Map([["run-1", fence]])
  const port: Service = {
    start: (_, settle) => {
      if (outcome !== undefined) settle(outcome)
      return () => undefined
    }
  }
  heard(fences, port).start(request, () => undefined)
  return {
    fence,
    isShut: () => isShut(fences)(request),
    lose: () => {
      isHeld = false
    }
  }
}

it.each([
  ["was done", answered(200), false, false],
  ["was refused", answered(400), false, false],
  ["is not had by the platform", answered(501), false, false],
  ["was not sent", failed(false), false, false],
  ["lost its answer", failed(true), true, true],
  ["failed on the platform", answered(500), true, true],
  ["timed out on the platform", answered(408), true, true],
  ["has no answer yet", undefined, false, true]
] as const)("a request that %s lets further ones pass or not", (_, outcome, isClosed, isUnanswered) => {
  const work = item(outcome)
  expect([work.isShut(), work.fence.isUnanswered]).toEqual([isClosed, isUnanswered])
})

it("nothing of an item is sent once its lease has ended", () => {
  const work = item(answered(200))
  work.lose()
  expect(work.isShut()).toBe(true)
})
