/** From what is said of a platform to how it speaks. */
import * as Either from "effect/Either"
import type { Dialect, Surroundings } from "../kernel/dispatch/dialect.js"
import type { InputError } from "../kernel/errors/errors.js"
import type { Definition } from "./definition.js"

/** Reads what is said of a platform. Fails with InputError where it breaks a rule. */
export const make = (definition: Definition, _around: Surroundings): Either.Either<Dialect, InputError> =>
  Either.right({
    routes: {},
    translator: () => (transport) => transport,
    hasOneSignIn: definition.signIn?.legacy === false,
    refresh: undefined,
    readToken: () =>
      Either.right({
        _id: "",
        email: undefined,
        fullName: undefined,
        permissions: {},
        issuedAt: undefined,
        expiresAt: undefined
      }),
    isUnchecked: false,
    unsent: [],
    permissionName: undefined,
    chat: undefined
  })
