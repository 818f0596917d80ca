// The call whose exchanges and answers fail in the tests of failures.
import type * as Failure from "../../../core/kernel/dispatch/response.js"

export const subject = (own: Partial<Failure.Subject> = {}): Failure.Subject => ({
  operation: "things.create",
  required: 3,
  isWrite: true,
  attempt: 2,
  wallClock: Date.parse("2024-02-29T10:00:00Z"),
  secrets: () => [],
  ...own
})
