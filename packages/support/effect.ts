/**
 * Tests that are Effect programs, written as generators: `effect("waits", function* () { … })` on the test's clock,
 * `live` on the real one. Each has a scope that ends with it.
 */
import { it, type Vitest } from "@effect/vitest"
import { Effect, FastCheck as FC, type Scope, TestClock } from "effect"
import type { TestServices } from "effect/TestServices"
import type { YieldWrap } from "effect/Utils"

type Program<R> =
  | Generator<YieldWrap<Effect.Effect<unknown, unknown, R>>, unknown, never>
  | Effect.Effect<unknown, unknown, R>

type Body<Given extends ReadonlyArray<unknown>, R> = (...args: Given) => Program<R>

type Arbitraries = ReadonlyArray<FC.Arbitrary<unknown>>

type Values<Of extends Arbitraries> = {
  [At in keyof Of]: Of[At] extends FC.Arbitrary<infer Value> ? Value : never
}

/** What gives a program something to run with. */
type Around<Given extends ReadonlyArray<unknown>, Inner, R> = (
  use: (...args: Given) => Effect.Effect<unknown, unknown, Inner>
) => Effect.Effect<unknown, unknown, R>

/** Declares tests; `timeout` in milliseconds. */
interface Tester<Given extends ReadonlyArray<unknown>, R> {
  (name: string, body: Body<Given, R>, timeout?: number): void
  /** One test for each row, which is the body's first argument. */
  readonly each: <Row>(
    rows: ReadonlyArray<Row>
  ) => (name: string, body: Body<[Row, ...Given], R>, timeout?: number) => void
  /** A property, whose values are the body's first argument. */
  readonly prop: <const Of extends Arbitraries>(
    name: string,
    arbitraries: Of,
    body: Body<[Values<Of>, ...Given], R>,
    numRuns?: number
  ) => void
  /** Tests that run within something, and get what it gives: `live.within<[Served], Transport>(served)`. */
  readonly within: <More extends ReadonlyArray<unknown>, Inner>(
    around: Around<More, Inner, R>
  ) => Tester<[...More, ...Given], Inner>
}

const run = <R>(program: Program<R>): Effect.Effect<unknown, unknown, R> =>
  Effect.isEffect(program) ? program : Effect.gen(() => program)

const yieldTimer = Effect.async<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

/** At each step TestClock waits at least four times for other fibers, by timers of a millisecond: immediates cost less. */
const quick = Effect.map(TestClock.testClock(), (clock) => Object.assign(clock, { yieldTimer }))

const make = <Given extends ReadonlyArray<unknown>, R, Outer>(
  test: Vitest.Tester<Outer>,
  around: Around<Given, R, Outer>
): Tester<Given, R> =>
  Object.assign(
    (name: string, body: Body<Given, R>, timeout?: number) =>
      test(name, () => around((...args) => run(body(...args))), timeout),
    {
      each:
        <Row>(rows: ReadonlyArray<Row>) =>
        (name: string, body: Body<[Row, ...Given], R>, timeout?: number) =>
          test.each(rows)(name, (row) => around((...args) => run(body(row as Row, ...args))), timeout),
      prop: <const Of extends Arbitraries>(
        name: string,
        arbitraries: Of,
        body: Body<[Values<Of>, ...Given], R>,
        numRuns = 100
      ) =>
        test.prop(
          name,
          { values: FC.tuple(...arbitraries) },
          ({ values }) => around((...args) => run(body(values as Values<Of>, ...args))),
          { fastCheck: { numRuns } }
        ),
      within: <More extends ReadonlyArray<unknown>, Inner>(inner: Around<More, Inner, R>) =>
        make<[...More, ...Given], Inner, Outer>(test, (use) =>
          around((...args) => inner((...more) => use(...more, ...args)))
        )
    }
  )

export const effect = make<[], TestServices | Scope.Scope, TestServices | Scope.Scope>(it.scoped, (use) =>
  Effect.zipRight(quick, use())
)

export const live = make<[], Scope.Scope, Scope.Scope>(it.scopedLive, (use) => use())
