/**
 * Tries a module: clients that have it make a few reads as each audience that there are credentials for. What fails shows that the
 * module no longer works, whatever the answers show by themselves.
 */
import {
  type Audience,
  type Bindable,
  type CallError,
  type CallOptions,
  type Drift,
  isCallError,
  own,
  type Page,
  PageSource,
  Pagination
} from "@quartet/sdk/extend"
import { type Described, described } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { AnyClient, bind, bindList, type Values } from "../call/caller.js"
import { clientFor, configuration, connect, type Failure, lackOf } from "../configuration.js"
import { type Connection, clientOf } from "../connection.js"
import { listed, progress, progressEnds } from "../output.js"
import { inline } from "../text.js"
import type { Moved, Tried } from "./check.js"
import { listsOf, singleOf } from "./collect.js"

/** What came of it. */
export interface Trial extends Tried {
  /** Calls that failed, and what they mean for the module. */
  readonly failed: ReadonlyArray<Moved>
  /** What could not be tried, and why. */
  readonly untried: ReadonlyArray<string>
}

/** One quick attempt, and each answer that is not as it is declared fails. */
const quick: CallOptions = { answers: "strict", policy: { attempts: 1, deadline: 10_000 } }

/** Most lists that are read as one audience. */
const mostLists = 3

const audiences: ReadonlyArray<Audience> = ["admin", "endUser", "public", "private"]

const selves: Readonly<Partial<Record<Audience, string>>> = {
  endUser: "endUser.auth.self",
  public: "public.project.self",
  private: "private.project.self"
}

/** A call that failed. */
interface Failed {
  readonly of: Described
  readonly error: Failure
}

/** What a failure says of the module: that it is wrong, that it is where no other call was answered, or nothing. */
const weightOf = (error: Failure): "wrong" | "unless others work" | "nothing" => {
  if (!isCallError(error)) return "nothing"
  switch (error._tag) {
    case "Unauthenticated":
    case "AnswerError":
      return "wrong"
    case "CredentialsError":
      return error.reason === "Rejected" || error.reason === "Malformed" ? "wrong" : "nothing"
    case "PermissionDenied":
      return error.reason === "Server" ? "unless others work" : "nothing"
    case "NotFound":
    case "Rejected":
    case "InputError":
      return "unless others work"
    default:
      return "nothing"
  }
}

const withoutName = (name: string, text: string): string =>
  inline(text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text)

/** Failures of one kind, in one sentence. */
const told = (all: ReadonlyArray<Failed>): string => {
  const [first, ...others] = all
  if (first === undefined) return ""
  const too = others.length === 0 ? "" : ` (so do ${others.map(({ of }) => of.key).join(", ")})`
  return `a client with the module fails: ${withoutName(first.of.name, first.error.message)}${too}`
}

const kindOf = ({ error }: Failed): string =>
  isCallError(error) ? `${error._tag} ${error.status ?? ""}` : error._tag

const byKind = (all: ReadonlyArray<Failed>): ReadonlyArray<ReadonlyArray<Failed>> => {
  const groups = new Map<string, Array<Failed>>()
  for (const each of all) groups.set(kindOf(each), [...(groups.get(kindOf(each)) ?? []), each])
  return [...groups.values()]
}

const idOf = (item: unknown): unknown => own(item, "_id")

/** Why two pages do not follow each other as the list does; undefined where they do. */
const faultOf = (
  whole: ReadonlyArray<unknown>,
  first: Page<unknown>,
  second: Page<unknown> | undefined
): string | undefined => {
  const count = first.items.length
  if (idOf(first.items[0]) !== idOf(whole[0])) return "the first page does not begin as the list does"
  if (second === undefined)
    return count < whole.length ? `no page follows the first, which has ${count} of the items` : undefined
  const next = whole[count]
  if (next === undefined || idOf(second.items[0]) === idOf(next)) return undefined
  return second.items.length === 0
    ? "the second page is empty"
    : "the second page does not begin where the first one ends"
}

/** Reads two short pages of a list as the module says it: answers what is wrong with them. */
const tryPages = (of: Described, whole: Page<unknown>, client: Bindable) =>
  Effect.gen(function* () {
    const list = bindList(of)
    const ask = (input: Values) => Effect.provideService(list(input, quick), AnyClient, client)
    const source = yield* PageSource.make(list.operation, {}, { limit: 1 })
    const first = yield* Pagination.next(source, ask)
    const second = first.done ? undefined : yield* Pagination.next(source, ask, first.place)
    const fault = faultOf(whole.items, first.page, second?.page)
    if (fault === undefined) return undefined
    // What has changed since shows nothing.
    const again = yield* ask({})
    return JSON.stringify(again.items.map(idOf)) === JSON.stringify(whole.items.map(idOf)) ? fault : undefined
  })

/** What is asked as one audience. */
interface Attempt {
  readonly audience: Audience
  readonly client: Bindable
  readonly hasPages: boolean
}

const tryAs = ({ audience, client, hasPages }: Attempt) =>
  Effect.gen(function* () {
    const failed: Array<Failed> = []
    let answered = 0
    const ask = <A>(of: Described, call: Effect.Effect<A, CallError, AnyClient>) =>
      Effect.gen(function* () {
        yield* progress(`trying ${of.key}`)
        const answer = yield* Effect.either(Effect.provideService(call, AnyClient, client))
        if (Either.isLeft(answer)) {
          failed.push({ of, error: answer.left })
          return undefined
        }
        answered++
        return answer.right
      })
    const self = described.find(({ key }) => key === selves[audience])
    if (self !== undefined) yield* ask(self, bind(self)({}, quick))
    const pages: Array<{ readonly of: Described; readonly page: Page<unknown> }> = []
    for (const of of listsOf(audience).slice(0, mostLists)) {
      const page = yield* ask(of, bindList(of)({}, quick))
      if (page !== undefined) pages.push({ of, page })
      // Who is refused once is refused again.
      else if (failed.some(({ error }) => error._tag === "CredentialsError")) break
    }
    for (const { of, page } of pages) {
      const single = singleOf(audience, of.name)
      const id = page.items.map(idOf).find((value) => typeof value === "string")
      if (single === undefined || id === undefined) continue
      yield* ask(single, bind(single)({ id }, quick))
      break
    }
    const [longest] = pages
      .filter(({ of, page }) => page.items.length > 2 && PageSource.isPaged(of.operation))
      .sort((a, b) => b.page.items.length - a.page.items.length)
    if (!hasPages || longest === undefined) return { failed, answered, paged: undefined }
    const { of, page } = longest
    const paged = yield* Effect.match(tryPages(of, page, client), {
      onFailure: (error: CallError) => ({
        of,
        fault: weightOf(error) === "nothing" ? undefined : withoutName(of.name, error.message),
        isTried: weightOf(error) !== "nothing"
      }),
      onSuccess: (fault) => ({ of, fault, isTried: true })
    })
    return { failed, answered, paged }
  })

/** Dates that a client with the module cannot read. */
const unread = (drifts: ReadonlyArray<Drift>): ReadonlyArray<Moved> => {
  const [first, ...others] = drifts.filter(({ expected }) => /DateTime|date-time/.test(expected))
  if (first === undefined) return []
  const too = others.length === 0 ? "" : `, and at ${others.length} other places`
  const says = `${first.operation} answers ${first.came} at ${first.path}, which is no date as the module reads it${too}`
  return [{ at: "dates", isNew: false, says }]
}

/** What is known before a module is tried. */
interface Known {
  readonly connection: Connection
  readonly definition: object
  /** Those whose sign-in was refused already: they do not sign in again. */
  readonly refused: ReadonlyArray<Audience>
}

/** Tries the module of a connection. It makes reads and sign-ins alone. */
export const trial = ({ connection, definition, refused }: Known) =>
  Effect.gen(function* () {
    const configured = yield* configuration(connection.dotenv)
    // What a token permits is another matter: the platform says what it answers.
    const drifts: Array<Drift> = []
    const onDrift = (drift: Drift) => Effect.sync(() => void drifts.push(drift))
    const platform = yield* connect(connection, { isUnjudged: true, onDrift })
    const hasPages = own(own(definition, "lists"), "page") !== undefined
    const all = yield* Effect.forEach(audiences, (audience) =>
      Effect.gen(function* () {
        const untried = (why: string): Trial => ({
          failed: [],
          untried: [`the ${clientOf(audience)} client: ${why}`],
          worked: [],
          hasPaged: false
        })
        if (refused.includes(audience)) return untried("its sign-in was refused")
        const { missing } = lackOf(configured, audience)
        if (missing.length > 0)
          return untried(`${listed(missing)} ${missing.length === 1 ? "is" : "are"} not set`)
        const client = yield* Effect.either(clientFor(platform, audience))
        if (Either.isLeft(client)) {
          const { left: error } = client
          const message = inline(error.message)
          const says = `a client with the module cannot be made: ${message}`
          return weightOf(error) === "wrong"
            ? { ...untried(message), untried: [], failed: [{ at: audience, isNew: false, says }] }
            : untried(message)
        }
        const { answered, failed, paged } = yield* tryAs({ audience, client: client.right, hasPages })
        const isWrong = ({ error }: Failed): boolean =>
          weightOf(error) === "wrong" || (weightOf(error) === "unless others work" && answered === 0)
        const found = byKind(failed.filter(isWrong)).map((group) => ({
          at: group[0]?.of.key ?? audience,
          isNew: false,
          says: told(group)
        }))
        return {
          failed: [
            ...found,
            ...(paged?.fault === undefined
              ? []
              : [{ at: "lists.page", isNew: false, says: `${paged.of.key}: ${paged.fault}` }])
          ],
          untried: failed
            .filter((each) => !isWrong(each))
            .map(({ error, of }) => `${of.key}: ${withoutName(of.name, error.message)}`),
          worked: answered > 0 ? [audience] : [],
          hasPaged: paged?.isTried === true && paged.fault === undefined
        }
      }).pipe(Effect.scoped)
    )
    const joined: Trial = {
      failed: [...all.flatMap(({ failed }) => failed), ...unread(drifts)],
      untried: all.flatMap(({ untried }) => untried),
      worked: all.flatMap(({ worked }) => worked),
      hasPaged: all.some(({ hasPaged }) => hasPaged)
    }
    return joined
  }).pipe(Effect.scoped, Effect.ensuring(progressEnds))
