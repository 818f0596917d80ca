/** From what is said of a platform to how it speaks. */
import * as Either from "effect/Either"
import type { Dialect, Surroundings } from "../kernel/dispatch/dialect.js"
import type { InputError } from "../kernel/errors/errors.js"
import { routeOf } from "./calls.js"
import { CookieJar } from "./carriers.js"
import * as Chat from "./chat.js"
import * as Check from "./check.js"
import type { Definition, Route } from "./definition.js"
import * as Rules from "./rules.js"
import * as Sessions from "./sessions.js"
import * as Translator from "./translator.js"

/** A route as the kernel takes it: what stands behind a question mark is added to the query. */
const kernelRoute = (route: Route | undefined): ReturnType<Dialect["routeOf"]> =>
  route && {
    ...(route.method === undefined ? {} : { method: route.method }),
    ...(route.path === undefined ? {} : { path: route.path.replace(/\?.*$/s, "") })
  }

/** Reads what is said of a platform. Fails with InputError where it breaks a rule. */
export const make = (input: Definition, around: Surroundings): Either.Either<Dialect, InputError> =>
  Either.map(Check.definition(input, around), (definition) => {
    const rules = Rules.make(definition)
    const jar = new CookieJar()
    const { permissionNames } = definition
    return {
      routeOf: (audience, name) => kernelRoute(routeOf(definition, audience, name)),
      translator: (operation) => Translator.make(definition, rules, around, jar, operation),
      ...Sessions.make(definition),
      isUnchecked: Sessions.isUnchecked(definition),
      ungiven: (audience) => Sessions.ungivenOf(definition, audience, around.isPage),
      permissionName: permissionNames,
      chat: Chat.make(definition, rules, around, jar)
    }
  })
