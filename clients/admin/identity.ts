/** Who an admin client acts for (specification, points 3 and 4). */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Credentials } from "../../core/kernel/dispatch/credentials.js"
import type { CallError, CredentialsError } from "../../core/kernel/errors/errors.js"
import * as Token from "../../core/kernel/session/token.js"
import type { Service } from "./client.js"

/** The access token of credentials, read. @category getters */
export const readToken = (
  headerNames: Service["headerNames"],
  { headers, identity }: Pick<Credentials, "headers" | "identity">
): Either.Either<Token.AdminIdentity, CredentialsError> =>
  identity ?? Token.read((headers[headerNames.authorization] ?? "").replace(/^Bearer /, ""))

/**
 * The admin of the present session, after a sign-in if there is none: read from the access token or, if that cannot be
 * read, as the sign-in described them.
 * @category getters
 */
export const identityOf = ({
  headerNames,
  session
}: Pick<Service, "headerNames" | "session">): Effect.Effect<Token.AdminIdentity, CallError> =>
  Effect.flatMap(Effect.clockWith(session.getCredentials), (credentials) => {
    const read = readToken(headerNames, credentials)
    if (Either.isRight(read)) return read
    return Effect.flatMap(session.user, (user) => Token.described(user) ?? read)
  })
