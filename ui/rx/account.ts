/** Who is signed in, and what they may do, as far as a client knows. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Admin from "../../clients/admin/client.js"
import * as EndUser from "../../clients/end-user/client.js"
import * as Private from "../../clients/private/client.js"
import * as Public from "../../clients/public/client.js"
import type { User } from "../../core/auth/model.js"
import * as Auth from "../../core/auth/operations.js"
import { requirement } from "../../core/kernel/dispatch/endpoint.js"
import type { CallError } from "../../core/kernel/errors/errors.js"
import type { AdminIdentity } from "../../core/kernel/session/token.js"
import * as Token from "../../core/kernel/session/token.js"
import { check } from "../../core/permissions/grants.js"
import type { Level } from "../../core/permissions/level.js"

/** Whose client a client runs on. */
export type Identity =
  | { readonly audience: "admin"; readonly admin: AdminIdentity }
  | { readonly audience: "endUser"; readonly user: User }
  | { readonly audience: "public" | "private" | "none" }

/** Somebody, and what their client knows of their rights. */
export interface Account {
  readonly identity: Identity
  /**
   * Whether the level is granted on `<slice>.<call>`. Only admins' tokens tell; for all others the platform alone
   * decides, and the answer is yes.
   */
  readonly may: (name: string, level: Level) => boolean
}

const unlimited = (identity: Identity): Account => ({ identity, may: () => true })

const admin = ({ dispatcher, headerNames, session }: Admin.Service): Effect.Effect<Account, CallError> =>
  Effect.gen(function* () {
    const credentials = yield* session.obtain
    const bearer = credentials.headers[headerNames.authorization] ?? ""
    const identity = yield* Token.read(bearer.replace(/^Bearer /, ""))
    const { permissionNames, permissions } = dispatcher.settings
    return {
      identity: { audience: "admin", admin: identity },
      may: (name, required) => {
        const { action, level, resource } = requirement(name, required, permissionNames)
        return check(credentials.grants, resource, action, level, permissions).allowed
      }
    }
  })

/**
 * Reads whose client there is: an admin from the token, signing in where that is still to be done, and an end user
 * from the platform. Where a layer holds several clients, the first of admin, end user, private and public counts.
 */
export const account: Effect.Effect<Account, CallError> = /*#__PURE__*/ Effect.gen(function* () {
  const anAdmin = yield* Effect.serviceOption(Admin.Client)
  if (Option.isSome(anAdmin)) return yield* admin(anAdmin.value)
  const anEndUser = yield* Effect.serviceOption(EndUser.Client)
  if (Option.isSome(anEndUser)) {
    const user = yield* anEndUser.value.dispatcher.call(Auth.self, {})
    return unlimited({ audience: "endUser", user })
  }
  if (Option.isSome(yield* Effect.serviceOption(Private.Client))) return unlimited({ audience: "private" })
  if (Option.isSome(yield* Effect.serviceOption(Public.Client))) return unlimited({ audience: "public" })
  return unlimited({ audience: "none" })
})

/** Forgets an admin's session, also where it is kept between runs. All other clients have none of their own. */
export const forget: Effect.Effect<void> = /*#__PURE__*/ Effect.flatMap(
  /*#__PURE__*/ Effect.serviceOption(Admin.Client),
  Option.match({ onNone: () => Effect.void, onSome: ({ session }) => session.signOut })
)
