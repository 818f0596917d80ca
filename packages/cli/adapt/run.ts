/** Recognises a platform, and writes its module, or holds the module that there is against it. */

import { resolve } from "node:path"
import { type Address, type Audience, mask, own, readBody } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { addressOf, type Configuration, configuration, optionsOf } from "../configuration.js"
import { codes, Problem } from "../exit.js"
import * as Files from "../files.js"
import { counted, json, note, print, progressEnds } from "../output.js"
import * as PlatformModules from "../platform.js"
import { confirm } from "../terminal.js"
import { inline } from "../text.js"
import { moved, refusedSignIns, unchecked, unconfirmed } from "./check.js"
import { collect } from "./collect.js"
import { exchangesIn, lackingIn } from "./har.js"
import { placesIn, saidIn, unsaidOf, withKept } from "./kept.js"
import * as Module from "./module.js"
import { type Exchange, type Recognised, recognise, type Secrets } from "./recognition/index.js"
import { afterRefusal } from "./sign-in.js"
import { lostIn, takenOf, untaken } from "./taken.js"
import { toldBy } from "./told.js"
import { type Trial, trial } from "./trial.js"

export interface AdaptOptions {
  readonly baseUrl: Option.Option<string>
  readonly legacyUrl: Option.Option<string>
  readonly hars: ReadonlyArray<string>
  readonly output: Option.Option<string>
  readonly isCheck: boolean
  readonly yes: boolean
  readonly isJson: boolean
  readonly dotenv: Option.Option<string>
}

const refuse = (message: string, next: string): Problem => new Problem({ message, next, code: codes.usage })

const addresses = ({ baseUrl, legacyUrl }: AdaptOptions, { find }: Configuration) => {
  const api = Option.getOrElse(baseUrl, () => find("QUARTET_BASE_URL"))
  const legacy = Option.getOrElse(legacyUrl, () => find("QUARTET_LEGACY_URL"))
  const checked = (option: string, url: string | undefined): Either.Either<Address | undefined, Problem> =>
    url === undefined ? Either.right(undefined) : addressOf(option, url)
  return Either.all({
    api: checked(Option.isSome(baseUrl) ? "--base-url" : "QUARTET_BASE_URL", api),
    legacy: checked(Option.isSome(legacyUrl) ? "--legacy-url" : "QUARTET_LEGACY_URL", legacy)
  })
}

const secretsIn = ({ find }: Configuration): Secrets => ({
  accessToken: find("QUARTET_ACCESS_TOKEN"),
  sessionId: find("QUARTET_SESSION_ID"),
  apiKey: find("QUARTET_API_KEY"),
  privateKey: find("QUARTET_PRIVATE_KEY"),
  project: find("QUARTET_PROJECT_ID")
})

const accountIn = (email: string | undefined, password: string | undefined) =>
  email === undefined || password === undefined ? undefined : { email, password }

const ofHars = (options: AdaptOptions, settings: Configuration, definition: object | undefined) =>
  Effect.gen(function* () {
    const secrets = secretsIn(settings)
    const known = {
      ...(yield* addresses(options, settings)),
      project: secrets.project,
      routes: own(definition, "routes")
    }
    const all: Array<Exchange> = []
    for (const file of options.hars) {
      const text = yield* Files.read(file)
      if (text === undefined) return yield* refuse(`there is no file ${file}`, "Check its path.")
      const found = yield* Either.mapLeft(exchangesIn(text, known), (rule) =>
        refuse(
          `the file ${file} ${rule}`,
          "Name the platform with --base-url https://api.example.com (and with QUARTET_PROJECT_ID the project that its host names), or save the HAR with content."
        )
      )
      const ofCalls = found.filter(({ purpose }) => purpose !== "unknown").length
      yield* note(`${file}: ${counted(ofCalls, "request")} of calls that the SDK knows`)
      yield* Effect.forEach(lackingIn(found), (text) => note(`${file}: ${text}`))
      all.push(...found)
    }
    if (all.every(({ purpose }) => purpose === "unknown"))
      return yield* new Problem({
        message: `nothing was recognised: no request${known.api === undefined ? "" : ` to ${known.api.origin}${known.api.prefix}`} is of a call that the SDK knows`,
        next: "Record an app's requests with their content, and name the platform with --base-url."
      })
    return { exchanges: toldBy({}, definition).look(all), secrets }
  })

const ofPlatform = (options: AdaptOptions, settings: Configuration, definition: object | undefined) =>
  Effect.gen(function* () {
    const { api, legacy = api } = yield* addresses(options, settings)
    if (api === undefined || legacy === undefined)
      return yield* refuse(
        "the platform's address is missing",
        "Name it: --base-url https://api.example.com, or QUARTET_BASE_URL."
      )
    const { find } = settings
    const { admin } = yield* optionsOf(settings)
    return yield* collect({
      api,
      legacy,
      admin: accountIn(find("QUARTET_EMAIL"), find("QUARTET_PASSWORD")),
      endUser: accountIn(find("QUARTET_USER_EMAIL"), find("QUARTET_USER_PASSWORD")),
      secrets: secretsIn(settings),
      userSession: find("QUARTET_USER_SESSION_ID"),
      ...toldBy(admin, definition)
    })
  }).pipe(Effect.ensuring(progressEnds))

/** The options, with the module that is written or checked: the one that is named, else that of package.json. */
interface Settled extends Omit<AdaptOptions, "output"> {
  readonly output: string
}

/** What calls of clients with the module show. Those of a recording were made by others. */
const tried = (options: Settled, definition: object, refused: ReadonlyArray<Audience>) =>
  options.hars.length > 0
    ? Effect.succeed<Trial>({
        failed: [],
        untried: ["calls of clients with the module: nothing is asked with --har"],
        worked: [],
        hasPaged: false
      })
    : trial({
        connection: {
          isSandbox: false,
          dotenv: options.dotenv,
          platform: Option.some(options.output),
          baseUrl: options.baseUrl,
          legacyUrl: options.legacyUrl
        },
        definition,
        refused
      })

const check = (options: Settled, found: Recognised, seen: Before) =>
  Effect.gen(function* () {
    const { isJson, output } = options
    const { definition, exchanges, secrets } = seen
    if (definition === undefined)
      return yield* new Problem({
        message: `there is no ${output} yet`,
        next: "Write it with quartet adapt, without --check."
      })
    const refused = refusedSignIns(exchanges)
    const result = yield* tried(
      options,
      definition,
      refused.map(({ audience }) => audience)
    )
    const recognised = moved(definition, found, exchanges, secrets)
    // A place is told of once.
    const changes = [...recognised, ...refused, ...result.failed]
      .filter(({ at }, index, all) => all.findIndex((other) => other.at === at) === index)
      .map(({ at, isNew, says }) => ({ at, isNew, says }))
    const places = saidIn(definition).flatMap(placesIn)
    const unseen = [...unsaidOf(found, places), ...unconfirmed(definition, found, exchanges)]
    const unshown = unchecked(definition, found, seen, result).filter((at) =>
      changes.every((change) => change.at !== at)
    )
    const open = [
      ...(unshown.length === 0
        ? []
        : [`${unshown.join(", ")}: no read shows ${unshown.length === 1 ? "it" : "them"}`]),
      ...result.untried
    ]
    if (isJson) yield* json({ module: output, moved: changes, unchecked: open, unseen })
    else {
      yield* Effect.forEach(changes, ({ at, says }) => print(`${at}: ${says}`))
      yield* Effect.forEach(open, (text) => note(`not checked: ${text}`))
    }
    if (changes.length > 0)
      return yield* new Problem({
        message: `the platform is not as ${output} says, at ${counted(changes.length, "place")}`,
        next: "Correct the module, or write it anew with quartet adapt, without --check."
      })
    if (isJson) return
    const told = unconfirmed(definition, found, exchanges)
    yield* Effect.forEach(told, (text) => note(`could not be told: ${text}`))
    yield* note(
      open.length === 0 && told.length === 0
        ? `the platform is as ${output} says`
        : `nothing that was seen speaks against ${output}, but not all of it was tried`
    )
  })

const summary = (
  { isJson, output }: Settled,
  { fits, lines, unseen }: Recognised,
  text: string,
  difference: ReadonlyArray<string>
) =>
  isJson
    ? json({
        module: output,
        lines: lines.map(({ at, reason }) => ({ at, reason })),
        fits,
        unseen,
        ...(difference.length === 0 ? {} : { difference })
      })
    : Effect.gen(function* () {
        yield* print(text.trimEnd())
        yield* note(
          `${output}: ${counted(lines.length, "line")}, each with its reason; what could not be told stands at its end`
        )
        yield* note("Give it to your clients as their option platform, and to commands by --platform")
      })

/** What there is before a module is written: what the one before it says, and what was seen. */
interface Before {
  readonly definition: object | undefined
  readonly exchanges: ReadonlyArray<Exchange>
  readonly secrets: Secrets
}

/** What a module is to hold: all that is recognised, and what the one before it says. Fails where clients would be worse off with it. */
const withBefore = (
  { isJson, output }: Settled,
  recognised: Recognised,
  { definition, exchanges, secrets }: Before,
  before: string | undefined
) =>
  Effect.gen(function* () {
    const changes = definition === undefined ? [] : moved(definition, recognised, exchanges, secrets)
    const contradicted = changes.flatMap(({ at, isNew }) => (isNew ? [] : [at]))
    const kept =
      definition === undefined
        ? { ...recognised, unwritten: [] }
        : withKept(recognised, definition, contradicted, {
            unconfirmed: unconfirmed(definition, recognised, exchanges),
            isOurs: before !== undefined && Module.isUntouched(before)
          })
    const refuseToWrite = (why: string) =>
      Effect.gen(function* () {
        if (isJson) yield* json({ module: output, moved: changes, unseen: recognised.unseen })
        else yield* Effect.forEach(changes, ({ at, says }) => print(`${at}: ${says}`))
        return yield* new Problem({
          message: `nothing is written: ${why}`,
          next: `Write into ${output} by hand what is said above; quartet adapt --check then holds it against the platform.`
        })
      })
    const taken = takenOf(kept)
    if (Either.isLeft(taken))
      return yield* refuseToWrite(`clients would refuse ${taken.left.at}, which ${taken.left.rule}`)
    if (definition === undefined) return { found: taken.right, isComplete: false }
    const isComplete = changes.length === 0
    if (isComplete) return { found: taken.right, isComplete }
    const lost =
      kept.unwritten.length > 0
        ? kept.unwritten
        : lostIn(definition, Module.definition(taken.right), contradicted, exchanges)
    return lost.length > 0
      ? yield* refuseToWrite(
          `what ${output} says of ${lost.join(", ")} by hand is a function, or needs more of that module than can be taken over`
        )
      : { found: taken.right, isComplete }
  })

const write = (options: Settled, recognised: Recognised, seen: Before) =>
  Effect.gen(function* () {
    const { isJson, output, yes } = options
    const before = yield* Files.before(output)
    const { found, isComplete } = yield* withBefore(options, recognised, seen, before)
    // What somebody has written stays as it is where it says all.
    if (before !== undefined && isComplete && !Module.isUntouched(before)) {
      const unseen = [
        ...unsaidOf(recognised, saidIn(seen.definition).flatMap(placesIn)),
        ...unconfirmed(seen.definition, recognised, seen.exchanges)
      ]
      if (isJson) return yield* json({ module: output, lines: [], fits: recognised.fits, unseen })
      yield* Effect.forEach(unseen, (text) => note(`could not be told: ${text}`))
      return yield* note(`${output} says all that was recognised, and stays as it is`)
    }
    const text = Module.module(found)
    // What somebody has written by hand may hold a credential.
    const shown = (line: string): string =>
      mask(
        line,
        Object.values(seen.secrets).filter((value) => value !== undefined)
      )
    const differences = before === undefined ? [] : Module.difference(before, text).map(shown)
    if (before !== undefined && differences.length > 0) {
      const show = isJson
        ? json({ module: output, difference: differences })
        : Effect.forEach(differences, print)
      const agree = Module.isUntouched(before)
        ? Effect.void
        : confirm(`${output} was edited: overwrite it?`, yes)
      // A program reads one document.
      yield* isJson ? Effect.tapError(agree, () => show) : Effect.zipRight(show, agree)
    }
    if (before === undefined || differences.length > 0) yield* Files.write(output, text)
    yield* summary(options, found, shown(text), differences)
  })

/** What a platform said to a read that it refused, without what is secret. */
const saidBy = ({ body, call, status, wireStatus = status }: Exchange, secrets: Secrets): string => {
  const text = typeof body === "string" ? body : JSON.stringify(body ?? "")
  const { message = "" } = readBody(
    new TextEncoder().encode(text),
    typeof body === "string" ? "text/plain" : "application/json"
  )
  const said = mask(
    message,
    Object.values(secrets).filter((value) => value !== undefined)
  ).slice(0, 200)
  return `${call} was answered with HTTP ${wireStatus}${said === "" ? "" : `: ${said}`}`
}

/** Fails where no read was answered: nothing of it shows how a platform speaks. */
const refuseNothing = (exchanges: ReadonlyArray<Exchange>, secrets: Secrets) => {
  if (
    exchanges.some(
      (each) => each.status < 300 && (each.purpose === "list" || each.purpose.includes("sign-in"))
    )
  )
    return Effect.void
  const [refused] = exchanges.filter(({ purpose, status }) => purpose === "list" && status >= 300)
  const isRefused = refused?.status === 401 || refused?.status === 403
  const isSignInRefused = exchanges.some(
    ({ purpose, status, wireStatus = status }) =>
      purpose === "sign-in of an admin" && [400, 401, 422].includes(wireStatus)
  )
  return new Problem({
    message: `nothing was recognised${refused === undefined ? "" : `: ${inline(saidBy(refused, secrets))}`}`,
    next: isSignInRefused
      ? afterRefusal
      : isRefused
        ? "Set QUARTET_EMAIL, QUARTET_PASSWORD and QUARTET_PROJECT_ID, or QUARTET_API_KEY, in the environment or in a file (--dotenv)."
        : 'Check the address. Headers that each request needs go into QUARTET_OPTIONS, as {"headers": {…}}, and paths as {"routes": {…}}.',
    ...(isRefused || isSignInRefused ? { code: codes.credentials } : {})
  })
}

/**
 * What the module says that there is; undefined without one. One that cannot be read, or that clients refuse, is checked in vain. Else
 * it is replaced where nobody has written it by hand.
 */
const saidBefore = ({ isCheck, output }: Settled): Effect.Effect<object | undefined, Problem> =>
  Effect.gen(function* () {
    const text = yield* Files.read(output)
    if (text === undefined) return undefined
    const said = PlatformModules.definitionIn({ file: output, path: resolve(output) })
    const checked = Effect.flatMap(said, (definition) => {
      const refused = untaken(definition)
      return refused === undefined
        ? Effect.succeed(definition)
        : new Problem({
            message: `clients refuse ${output}: ${refused.at} ${refused.rule}`,
            next: "Correct it there."
          })
    })
    if (isCheck) return yield* checked
    const isByHand = !Module.isUntouched(text)
    const definition = isByHand ? yield* Effect.option(said) : Option.none()
    // One by hand that can be read is not given up.
    if (Option.isSome(definition)) return yield* checked
    return yield* Effect.catchAll(checked, ({ message }) =>
      Effect.as(note(`${message}, so that nothing of it is taken`), undefined)
    )
  })

export const adapt = (options: AdaptOptions) =>
  Effect.gen(function* () {
    if (options.hars.length > 0 && options.isCheck && options.yes)
      return yield* refuse("--check and --yes are both given", "Pass one of them: --check writes nothing.")
    const place = yield* PlatformModules.find(options.output)
    const settled: Settled = { ...options, output: place?.file ?? "quartet.platform.mjs" }
    const settings = yield* configuration(options.dotenv)
    const definition = yield* saidBefore(settled)
    const { exchanges, secrets } = yield* options.hars.length > 0
      ? ofHars(options, settings, definition)
      : ofPlatform(options, settings, definition)
    yield* refuseNothing(exchanges, secrets)
    const found = recognise(exchanges, secrets)
    const seen = { definition, exchanges, secrets }
    yield* options.isCheck ? check(settled, found, seen) : write(settled, found, seen)
  })
