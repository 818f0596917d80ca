/** A user's module with jobs of their own. */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { Job } from "@quartet/fleet/extend"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { hasProperty } from "effect/Predicate"
import { codes, Problem } from "../exit.js"
import { whyNotLoaded } from "../files.js"

/** What a module has. */
export interface Module {
  readonly jobs: ReadonlyArray<Job<unknown, unknown>>
  readonly clients: Layer.Layer<unknown, unknown, unknown> | undefined
}

export const none: Module = { jobs: [], clients: undefined }

/** By its parts: it is made by the library that the module has loaded. */
const isJob = (value: unknown): value is Job<unknown, unknown> =>
  hasProperty(value, "definition") &&
  hasProperty(value, "start") &&
  typeof value.start === "function" &&
  hasProperty(value, "name") &&
  typeof value.name === "string"

const refuse = (file: string, message: string) =>
  new Problem({
    message: `${file} ${message}`,
    next: 'It has to be JavaScript, with exports such as: export const importItems = Fleet.job("importItems", { … })',
    code: codes.usage
  })

/** Loads a module. */
export const load = (named: Option.Option<string>): Effect.Effect<Module, Problem> =>
  Option.match(named, {
    onNone: () => Effect.succeed(none),
    onSome: (file) =>
      Effect.gen(function* () {
        const exported: object = yield* Effect.tryPromise({
          try: () => import(pathToFileURL(resolve(file)).href),
          catch: (cause) => refuse(file, `cannot be loaded: ${whyNotLoaded(resolve(file), cause)}`)
        })
        const values: ReadonlyArray<unknown> = Object.values(exported)
        const jobs = values.flatMap((value) => (Array.isArray(value) ? value : [value])).filter(isJob)
        if (jobs.length === 0) return yield* refuse(file, "exports no jobs")
        const clients = hasProperty(exported, "clients") ? exported.clients : undefined
        if (clients !== undefined && !Layer.isLayer(clients))
          return yield* refuse(file, "exports `clients`, which is no layer")
        return { jobs: [...new Set(jobs)], clients }
      })
  })
