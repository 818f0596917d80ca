/** Uses a run while its layer is closed, and afterwards, in a process of its own: it prints what became of each use. */
import { Context, Effect, Exit, Fiber, Layer, Scope, Stream } from "effect"
import * as Fleet from "../../jobs/index.js"
import { numbers } from "./numbers.js"

const [store = ""] = process.argv.slice(2)
const job = numbers((item) => (item % 7 === 1 ? Effect.die("no") : Effect.sleep(1)))

const usesOf = (fleet: Context.Tag.Service<typeof Fleet.Fleet>, run: Fleet.Run) => [
  Effect.provideService(job.start(3), Fleet.Fleet, fleet),
  fleet.runs(),
  fleet.run(run.id),
  run.input,
  run.status,
  Stream.runDrain(run.progress),
  run.wait,
  Stream.runDrain(run.failures),
  run.retry({ states: ["failed", "unknown"] }),
  run.settle([1]),
  run.pause,
  run.resume
]

/** That it was done, or what it failed with. */
const becameOf = (exit: Exit.Exit<unknown, unknown>): string =>
  Exit.match(exit, {
    onSuccess: () => "done",
    onFailure: (cause) =>
      cause._tag === "Fail" && cause.error instanceof Fleet.FleetError ? cause.error.reason : String(cause)
  })

const program = Effect.gen(function* () {
  const scope = yield* Scope.make()
  const context = yield* Scope.extend(Layer.build(Fleet.layer({ jobs: [job], store })), scope)
  const fleet = Context.get(context, Fleet.Fleet)
  const run = yield* Effect.provideService(job.start(2_000), Fleet.Fleet, fleet)
  // Each again and again until the layer is closed, and for a while behind that.
  const using = yield* Effect.forEach([...usesOf(fleet, run), ...usesOf(fleet, run)], (use) => {
    const ends = new Set<string>()
    const once = Effect.tap(Effect.exit(use), (exit) => Effect.sync(() => ends.add(becameOf(exit))))
    return Effect.fork(
      Effect.as(Effect.repeat(Effect.delay(once, 1), { until: () => ends.has("Closed") }), ends)
    )
  })
  yield* Effect.sleep(200)
  yield* Scope.close(scope, Exit.void)
  const during = new Set<string>()
  for (const fiber of using) for (const end of yield* Fiber.join(fiber)) during.add(end)
  const after = yield* Effect.forEach(usesOf(fleet, run), Effect.exit)
  return {
    version: process.versions.node,
    during: [...during].sort(),
    after: [...new Set(after.map(becameOf))]
  }
})
process.stdout.write(`${JSON.stringify(await Effect.runPromise(program))}\n`)
