/** From what is said of a platform to how it speaks. */
import * as Either from "effect/Either"
import type { Dialect, Route as KernelRoute, Surroundings } from "../kernel/dispatch/dialect.js"
import type { InputError } from "../kernel/errors/errors.js"
import type { Method } from "../kernel/operation/operation.js"
import { routeOf } from "./calls.js"
import { CookieJar } from "./carriers.js"
import * as Chat from "./chat.js"
import * as Check from "./check.js"
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

/** A copy of a value that is right: what is changed in the value afterwards, and a getter that answers something else, change nothing. */
const read = (input: Definition, around: Surroundings): Either.Either<Definition, InputError> =>
  Either.flatMap(Check.definition(input, around), (checked) => Check.definition(named(checked), around))

/** Reads what is said of a platform. Fails with InputError where it breaks a rule. */
export const make = (input: Definition, around: Surroundings): Either.Either<Dialect, InputError> =>
  Either.map(read(input, around), (said) => {
    const definition = around.isPage ? Sessions.inPage(said) : said
    const rules = Rules.make(definition)
    const jar = CookieJar.of(definition)
    const { permissionNames } = definition
    return {
      routeOf: (audience, name, method) =>
        kernelRoute(routeOf(definition, audience, name) ?? {}, methodOf(definition, method)),
      translator: (operation) => Translator.make(definition, rules, around, jar, operation),
      ...Sessions.make(definition),
      isUnchecked: Sessions.isUnchecked(definition),
      completed: (audience, config) => Sessions.completed(definition, audience, around.isPage, config),
      permissionName: permissionNames,
      chat: Chat.make(definition, rules, around, jar)
    }
  })
