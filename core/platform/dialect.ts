/** From what is said of a platform to how it speaks. */
import * as Either from "effect/Either"
import type { Dialect, Route as KernelRoute, Surroundings } from "../kernel/dispatch/dialect.js"
import { revealed } from "../kernel/dispatch/settings.js"
import type { InputError } from "../kernel/errors/errors.js"
import type { Method } from "../kernel/operation/operation.js"
import { own } from "../permissions/own.js"
import { routeOf } from "./calls.js"
import * as Chat from "./chat.js"
import * as Check from "./check.js"
import { CookieJar, keeping } from "./cookies.js"
import type { Definition, Route } from "./definition.js"
import { named } from "./faults.js"
import * as Rules from "./rules.js"
import * as Sessions from "./sessions.js"
import * as Translator from "./translator.js"

/** A route as the kernel takes it: what stands behind a question mark is added to the query. */
const kernelRoute = ({ method, path }: Route, usual: Method): KernelRoute => ({
  method: method ?? usual,
  ...(path === undefined ? {} : { path: path.replace(/\?.*$/s, "") })
})

/** The platform's method in place of ours. */
const methodOf = ({ methods = {} }: Definition, method: Method): Method =>
  (method !== "HEAD" && Object.hasOwn(methods, method) ? methods[method] : undefined) ?? method

/** Cookies of a configuration without their redaction. */
const plainOf = (cookies: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(Object(cookies)).map(([name, value]) => [name, revealed(value)]))

/** A copy of a value that is right: what is changed in the value afterwards, and a getter that answers something else, change nothing. */
const read = (input: Definition, around: Surroundings): Either.Either<Definition, InputError> =>
  Either.flatMap(Check.definition(input, around), (checked) => Check.definition(named(checked), around))

/** Reads what is said of a platform. Fails with InputError where it breaks a rule. */
export const make = (input: Definition, around: Surroundings): Either.Either<Dialect, InputError> =>
  Either.map(read(input, around), (said) => {
    const definition = around.isPage ? Sessions.inPage(said) : said
    const rules = Rules.make(definition)
    const jar = CookieJar.of(definition, around.isPage)
    const { permissionNames } = definition
    return {
      routeOf: (audience, name, method) =>
        kernelRoute(routeOf(definition, audience, name) ?? {}, methodOf(definition, method)),
      translator: (operation) => Translator.make(definition, rules, around, jar, operation),
      ...Sessions.make(definition),
      isUnchecked: Sessions.isUnchecked(definition),
      completed: (audience, config) => {
        // A configuration may be shared: nobody's client takes the cookies of somebody.
        if (audience === "admin" || audience === "endUser") jar.take(plainOf(own(around.config, "cookies")))
        return Sessions.completed(definition, audience, around.isPage, config)
      },
      present: (session) => jar.present(session),
      keeping: (store, lifetime) => keeping(store, jar, lifetime),
      permissionName: permissionNames,
      chat: Chat.make(definition, rules, around, jar)
    }
  })
