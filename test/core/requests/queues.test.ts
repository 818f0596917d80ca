// The queues of requests tell who acts next; no request falls out of them.
import { describe, expect, test } from "vitest"
import { queueOf, queues, statuses } from "../../../core/requests/model.js"

describe("the queues of requests", () => {
  test("hold each status once", () => {
    expect(Object.values(queues).flat().sort()).toEqual([...statuses].sort())
  })

  test.each(statuses)("find the queue of %s", (status) => {
    expect<ReadonlyArray<string>>(queues[queueOf(status)]).toContain(status)
  })

  test("have a request open whose status is missing or not known", () => {
    expect([queueOf(undefined), queueOf(null), queueOf("escalated"), queueOf("toString")]).toEqual(
      Array.from({ length: 4 }, () => "open")
    )
  })
})
