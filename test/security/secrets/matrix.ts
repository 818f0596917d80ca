/** Every client, every failure, every way of repeating a secret, every sink: which of them let a canary out. */
import * as Effect from "effect/Effect"
import { type Canary, leaksIn } from "./canaries.js"
import { echo, writings } from "./echoes.js"
import { failures } from "./failures.js"
import { type Failed, failedOf, makeTracer, sinks } from "./sinks.js"
import { platform, type Subject, subjects } from "./subjects.js"

/** What was looked at, and what was found. */
export interface Account {
  /** Canaries looked for, times errors, times sinks. */
  cases: number
  errors: number
  /** How often each kind of error came about. */
  readonly tags: Record<string, number>
  readonly leaks: Array<string>
}

export const makeAccount = (): Account => ({ cases: 0, errors: 0, tags: {}, leaks: [] })

/** Looks at one failure through every sink. */
export const examine = (
  account: Account,
  title: string,
  failed: Failed,
  canaries: ReadonlyArray<Canary>
): void => {
  account.errors += 1
  const tag = "_tag" in failed.error ? String(failed.error._tag) : failed.error.name
  const reason = "reason" in failed.error ? `.${String(failed.error.reason)}` : ""
  account.tags[tag + reason] = (account.tags[tag + reason] ?? 0) + 1
  for (const [name, sink] of Object.entries(sinks)) {
    account.cases += canaries.length
    for (const leak of leaksIn(sink(failed), canaries)) account.leaks.push(`${title}: ${leak} by ${name}`)
  }
}

/** All writings in turn, each subject and each failure beginning elsewhere; `share` is one in how many. */
const chosen = (place: number, share: number): ReadonlyArray<readonly [string, (secret: string) => string]> =>
  Object.entries(writings).filter((_, at) => (at + place) % share === 0)

/** Runs the calls of one subject against all failures. */
export const run = (account: Account, subject: Subject, share = 4): Effect.Effect<void> =>
  Effect.gen(function* () {
    const place = subjects.indexOf(subject)
    const secrets = subject.canaries.map(({ value }) => value)
    for (const [at, [name, answer]] of failures.entries()) {
      for (const [writing, write] of chosen(at + place, share)) {
        const echoed = echo(write, secrets)
        const { layer, spans } = makeTracer()
        const transport = platform((request) => answer(echoed, request))
        const exit = yield* Effect.exit(
          Effect.flatMap(subject.make(transport), ({ call }) => call).pipe(Effect.provide(layer))
        )
        const failed = failedOf(exit, spans)
        if (failed !== undefined)
          examine(account, `${subject.name}, ${name}, ${writing}`, failed, subject.canaries)
        else if (exit._tag === "Success") account.tags.Success = (account.tags.Success ?? 0) + 1
        else account.leaks.push(`${subject.name}, ${name}: failed with what is no error`)
      }
    }
  })
