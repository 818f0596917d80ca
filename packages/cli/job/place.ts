/** Where the runs are: the store that the options name. */
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileOf } from "@quartet/fleet/extend"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { configuration } from "../configuration.js"
import { codes, Problem } from "../exit.js"
import type { StoreOptions } from "./options.js"

/** Where the runs are, and how a further command is told so. */
export interface Place {
  readonly url: Redacted.Redacted
  /** What a command line ends with that means the same store. It holds no secret. */
  readonly words: string
}

/** A word of a command line, as a shell takes it. */
const word = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

const standard = "file:quartet-fleet.db"

/** Whether a URL holds a password, before its host or in its query, where drivers take one too. */
const hasPassword = (url: string): boolean => {
  if (!/^[a-z]+:\/\//i.test(url)) return false
  // One with a / in it, which a URL has as %2F, is a password none the less; digits before a / are a port.
  if (/^[^:]+:\/\/[^/@:[]*:([^/@]*@|(?!\d*([/?#]|$)).*@)/.test(url)) return true
  const [, query] = url.split(/\?(.*)/s)
  return [...new URLSearchParams(query).keys()].some((name) => /password/i.test(name))
}

/** The store that the options name. */
export const placeOf = (
  { dotenv, store }: StoreOptions,
  isSandbox = false
): Effect.Effect<Place, Problem, Scope.Scope> =>
  Effect.gen(function* () {
    if (Option.isSome(store)) {
      if (hasPassword(store.value))
        return yield* new Problem({
          message: "--store holds a password, which other users of this machine can read",
          next: "Set QUARTET_FLEET_STORE in the environment or in the file (--dotenv) instead.",
          code: codes.usage
        })
      return { url: Redacted.make(store.value), words: ` --store ${word(store.value)}` }
    }
    // A sandbox of this process is gone at its end, and what was done to it with it.
    if (isSandbox) {
      const folder = yield* Effect.acquireRelease(
        Effect.promise(() => fs.mkdtemp(join(tmpdir(), "quartet-fleet-"))),
        (path) => Effect.promise(() => fs.rm(path, { recursive: true, force: true }))
      )
      return { url: Redacted.make(`file:${join(folder, "fleet.db")}`), words: "" }
    }
    const { find } = yield* configuration(dotenv)
    const named = Option.match(dotenv, { onNone: () => "", onSome: (file) => ` --dotenv ${word(file)}` })
    return { url: Redacted.make(find("QUARTET_FLEET_STORE") ?? standard), words: named }
  })

/** The file of a store that is not there. */
export const missingFile = ({ url }: Place): string | undefined => {
  const file = fileOf(Redacted.value(url))
  return file === undefined || existsSync(file) ? undefined : resolve(file)
}
