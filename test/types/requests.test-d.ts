// Each status of a request is in exactly one queue.
import { expectTypeOf } from "vitest"
import { type Queue, queueOf, type queues, type statuses } from "../../core/requests/model.js"

type Status = (typeof statuses)[number]
type StatusOf<Name extends Queue> = (typeof queues)[Name][number]
/** The queues of a status. */
type QueuesOf<One extends Status> = { [Name in Queue]: One extends StatusOf<Name> ? Name : never }[Queue]
type IsUnion<A, Each = A> = [A] extends [never]
  ? false
  : Each extends A
    ? [A] extends [Each]
      ? false
      : true
    : never

expectTypeOf<StatusOf<Queue>>().toEqualTypeOf<Status>()
expectTypeOf<{ [One in Status]: IsUnion<QueuesOf<One>> }[Status]>().toEqualTypeOf<false>()
expectTypeOf<QueuesOf<"confirmed">>().toEqualTypeOf<"waiting">()

// A status that the platform added later has a queue, too.
expectTypeOf(queueOf("a word of this platform")).toEqualTypeOf<Queue>()
queueOf(undefined)
// @ts-expect-error: a number is no status
queueOf(7)
