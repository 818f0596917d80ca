// What an Effect gives at once: its exit, or none where it has to wait.
import { Cause, Effect, Exit, Scope } from "effect"
import { expect, test } from "vitest"
import { exitAtOnce } from "../../../core/ports/at-once.js"

test.each([
  ["a value", Effect.succeed(1), Exit.succeed(1)],
  ["a failure", Effect.fail("no"), Exit.fail("no")],
  ["a defect", Effect.die("broken"), Exit.die("broken")],
  ["a value after it yields", Effect.zipRight(Effect.yieldNow(), Effect.succeed(1)), Exit.succeed(1)],
  [
    "a value of fibers of its own",
    Effect.all([Effect.succeed(1), Effect.succeed(2)], { concurrency: 2 }),
    Exit.succeed([1, 2])
  ],
  [
    "a value of more steps than a fiber makes in one go",
    Effect.iterate(0, { while: (count) => count < 10_000, body: (count) => Effect.succeed(count + 1) }),
    Exit.succeed(10_000)
  ]
])("%s is the exit of its Effect", (_, effect, exit) => {
  expect(exitAtOnce<unknown, unknown>(effect)).toEqual(exit)
})

test("an Effect that has to wait has no exit", () => {
  expect(exitAtOnce(Effect.promise(() => Promise.resolve(1)))).toBeNull()
})

test("what was left behind is run later, such as a finalizer that waits", async () => {
  const scope = Effect.runSync(Scope.make())
  let closed: unknown
  const finalizer = () =>
    Effect.flatMap(Effect.yieldNow(), () => Effect.promise(async () => (closed = "closed")))
  expect(exitAtOnce(Scope.extend(Effect.addFinalizer(finalizer), scope))).toEqual(Exit.void)
  const ended = await Effect.runPromiseExit(Scope.close(scope, Exit.failCause(Cause.empty)))
  expect([ended, closed]).toEqual([Exit.void, "closed"])
})
