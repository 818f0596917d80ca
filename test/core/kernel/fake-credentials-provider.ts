// A credentials provider that makes token after token, a second each, and counts them.
import * as Effect from "effect/Effect"
import type { Credentials, CredentialsProvider } from "../../../core/kernel/dispatch/credentials.js"
import * as SingleFlight from "../../../core/kernel/session/single-flight.js"
import type { Request } from "../../../core/ports/transport.js"

/** A credentials provider that makes token after token, a second each. */
export const renewing = () => {
  const count = { renewals: 0, obtained: 0 }
  const make = (number: number): Credentials => ({
    headers: { authorization: `Bearer token-${number}` },
    grants: { "*": { "*": 9 } }
  })
  let held: Credentials | undefined = make(1)
  let last = 1
  const shared = SingleFlight.make(
    Effect.delay(
      Effect.sync(() => {
        count.renewals += 1
        last += 1
        held = make(last)
        return held
      }),
      "1 second"
    )
  )
  const obtain = Effect.suspend(() => {
    count.obtained += 1
    return held === undefined ? shared : Effect.succeed(held)
  })
  const credentialsProvider: CredentialsProvider = {
    current: () => held,
    getCredentials: () => obtain,
    renew: (old) =>
      Effect.suspend(() => {
        if (held === old) held = undefined
        return obtain
      }),
    accepted: () => undefined,
    secrets: () => []
  }
  return {
    credentialsProvider,
    count,
    forget: () => {
      held = undefined
    }
  }
}

export const tokenOf = ({ headers }: Request): string => (headers.authorization ?? "").replace("Bearer ", "")
