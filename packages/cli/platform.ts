/**
 * What is said of the platform: a module whose default export is `Platform.make({ … })`. `--platform` names it, or the nearest
 * package.json in its field `quartet`.
 */
import { dirname, join, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { Input, makePlatform, own, readerOfPlatform } from "@quartet/sdk/extend"
import * as Platform from "@quartet/sdk/platform"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { isRecord } from "effect/Predicate"
import { codes, Problem } from "./exit.js"
import * as Files from "./files.js"

/** A module that says how a platform differs. */
export interface Place {
  /** Its path, from the folder where the command runs. */
  readonly file: string
  /** Its whole path. */
  readonly path: string
}

/** What such a module says. */
export interface PlatformModule extends Place {
  readonly platform: Platform.Platform
}

const advice =
  'Export it as default: import * as Platform from "@quartet/sdk/platform"; export default Platform.make({ … })'

const refuse = (file: string, message: string, next: string): Problem =>
  new Problem({ message: `${file} ${message}`, next, code: codes.usage })

const placeOf = (path: string, folder: string): Place => ({ file: relative(folder, path) || path, path })

/** What the field `quartet` of a package.json names; undefined where it says nothing. */
const namedBy = (file: string, text: string): Effect.Effect<string | undefined, Problem> =>
  Effect.gen(function* () {
    const next = 'Write it as "quartet": { "platform": "./quartet.platform.mjs" }.'
    const manifest = yield* Effect.mapError(
      Either.try((): unknown => JSON.parse(text)),
      () => refuse(file, "is no JSON", "Correct it: it may say which platform is meant.")
    )
    const field: unknown = own(manifest, "quartet")
    if (field === undefined) return undefined
    if (!isRecord(field)) return yield* refuse(file, "must have an object in its field `quartet`", next)
    const [other] = Object.keys(field).filter((name) => name !== "platform")
    if (other !== undefined) return yield* refuse(file, `has an unknown field quartet.${other}`, next)
    const platform: unknown = own(field, "platform")
    if (platform === undefined) return undefined
    return typeof platform === "string" && platform !== ""
      ? platform
      : yield* refuse(file, "must name a file in its field quartet.platform", next)
  })

/** What the nearest package.json names, from a folder upwards. */
const configured = (from: string): Effect.Effect<Place | undefined, Problem> =>
  Effect.gen(function* () {
    for (let folder = from; ; folder = dirname(folder)) {
      const manifest = placeOf(join(folder, "package.json"), from)
      const text = yield* Files.read(manifest.path)
      if (text === undefined) {
        if (dirname(folder) === folder) return undefined
        continue
      }
      const name = yield* namedBy(manifest.file, text)
      return name === undefined ? undefined : placeOf(resolve(folder, name), from)
    }
  })

/** The module that is meant, if any is: the one that was named, else that of package.json. */
export const find = (
  named: Option.Option<string>,
  folder = process.cwd()
): Effect.Effect<Place | undefined, Problem> =>
  Option.match(named, {
    onSome: (file) => Effect.succeed({ file, path: resolve(folder, file) }),
    onNone: () => configured(folder)
  })

/** What to do about a module that cannot be loaded. */
const nextOf = (cause: unknown): string => {
  const words = cause instanceof Error ? cause.message : ""
  if (/Cannot find package '@quartet\/sdk'/.test(words))
    return "Install @quartet/sdk where it stands, or export the plain object that Platform.make takes."
  if (/Cannot find (module|package)/.test(words)) return "Check its path, and what it imports."
  if (/Unknown file extension/.test(words))
    return "It has to be plain JavaScript: name it quartet.platform.mjs."
  return "Run it with node alone, which shows the words of its error."
}

/** What a module exports by default. */
const exportOf = ({ file, path }: Place): Effect.Effect<unknown, Problem> =>
  Effect.gen(function* () {
    const exported: object = yield* Effect.tryPromise({
      try: () => import(pathToFileURL(path).href),
      catch: (cause) => refuse(file, `cannot be loaded: ${Files.whyNotLoaded(path, cause)}`, nextOf(cause))
    })
    const value: unknown = own(exported, "default")
    return value === undefined ? yield* refuse(file, "has no default export", advice) : value
  })

/** Loads a module. */
export const load = ({ file, path }: Place): Effect.Effect<PlatformModule, Problem> =>
  Effect.gen(function* () {
    const value = yield* exportOf({ file, path })
    const reader = readerOfPlatform(value)
    if (reader !== undefined) return { file, path, platform: makePlatform(reader) }
    if (isRecord(value) && Input.isPlain(value)) return { file, path, platform: Platform.make(value) }
    return yield* refuse(file, "exports something else than what Platform.make answers", advice)
  })

/** What a module says, as data and functions. */
export const definitionIn = (place: Place): Effect.Effect<object, Problem> =>
  Effect.flatMap(exportOf(place), (value) => {
    const definition =
      Platform.definitionOf(value) ?? (isRecord(value) && Input.isPlain(value) ? value : undefined)
    return definition === undefined
      ? refuse(place.file, "exports something else than what Platform.make answers", advice)
      : Effect.succeed(definition)
  })

/** What is said of the platform, where anything is. */
export const read = (
  named: Option.Option<string>,
  folder?: string
): Effect.Effect<PlatformModule | undefined, Problem> =>
  Effect.flatMap(find(named, folder), (place) =>
    place === undefined ? Effect.succeed(undefined) : load(place)
  )
