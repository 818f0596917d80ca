/** Signs in, so that the answers show what a session is: an admin with both services, and an end user. */

import { described } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import { codes, Problem } from "../exit.js"
import { note } from "../output.js"
import type { Asker } from "./ask.js"
import { type Exchange, isSuccess, type Purpose } from "./recognition/exchange.js"
import type { Secrets } from "./recognition/index.js"
import { partAt, partsOf } from "./recognition/parts.js"
import { type Carried, hostOf, isRefused, type Manner, nothing } from "./way.js"

/** Who signs in. */
export interface Account {
  readonly email: string
  readonly password: string
}

/** Who signs in where, and what is known of that. */
export interface Accounts {
  readonly admin: Account | undefined
  readonly endUser: Account | undefined
  readonly secrets: Secrets
  /** What carries credentials and the project, where that is known; it is tried first. */
  readonly manner: Manner
}

/** The names of a sign-in's fields by what its refusal mentions; undefined where it mentions no other. */
const namesIn = ({ body }: Exchange, names: Account): Account | undefined => {
  const text = JSON.stringify(body ?? "")
  const mentioned = (words: RegExp, name: string): string =>
    [...text.matchAll(words)].map(([word]) => word).find((word) => word !== name) ?? name
  const email = mentioned(
    /\b(user_?name|login_?name|login|identifier|user_?id|mail|e-?mail_?address)\b/gi,
    names.email
  )
  const password = mentioned(/\b(pass|passwd|pwd|secret|pass_?phrase|pass_?word)\b/g, names.password)
  return email === names.email && password === names.password ? undefined : { email, password }
}

/** What a refused sign-in may come from. */
export const afterRefusal =
  "Check QUARTET_EMAIL and QUARTET_PASSWORD in the environment or in the file. If they are right, the sign-in takes fields of other names: say them in signIn.fields of the module, and run it again."

/** Makes the sign-ins that there are accounts for; `key` is what carries the API key. */
export const signIn = (asker: Asker, { admin, endUser, manner, secrets }: Accounts, key: Carried) =>
  Effect.gen(function* () {
    let names: Account = { email: "email", password: "password", ...manner.fields }
    /** A sign-in that wants other names is made once more with those that its refusal mentions. */
    const signInAs = (
      purpose: Purpose,
      key: string,
      { email, password }: Account,
      { headers, query }: Carried = nothing
    ) =>
      Effect.gen(function* () {
        const call = described.find((each) => each.key === key)
        if (call === undefined) return undefined
        const host = call.audience === "admin" ? hostOf(manner, secrets.project) : undefined
        for (let attempt = 0; ; attempt++) {
          const input = { [names.email]: email, [names.password]: password }
          const answer = yield* asker.signIn({ headers, query, prefix: "", host }, call, purpose, input)
          const wanted =
            answer === undefined || !(answer.isStatusGuessed || [400, 422].includes(answer.status))
              ? undefined
              : namesIn(answer, names)
          if (wanted === undefined || attempt === 2) return answer
          names = wanted
        }
      })
    if (admin !== undefined) {
      const own = yield* signInAs("sign-in of an admin", "admin.auth.login", admin)
      const refused = own !== undefined && isRefused(own) ? own : undefined
      if (refused !== undefined) {
        const status = refused.wireStatus ?? refused.status
        const message = `the platform refuses the sign-in of the admin (HTTP ${status})`
        if (![secrets.accessToken, secrets.apiKey, secrets.privateKey].some((other) => other !== undefined))
          return yield* new Problem({ message, next: afterRefusal, code: codes.credentials })
        yield* note(`${message}, so that the other credentials show what they can. ${afterRefusal}`)
      }
      // A session that the first sign-in gives is that of both services.
      const hasOther =
        manner.hasLegacySignIn ??
        (own === undefined || !isSuccess(own) || partsOf(own).sessionId === undefined)
      if (hasOther && refused === undefined)
        yield* signInAs("legacy sign-in of an admin", "admin.auth.legacyLogin", admin)
    }
    if (endUser !== undefined && secrets.apiKey !== undefined)
      yield* signInAs("sign-in of an end user", "public.auth.login", endUser, key)
  })

/** The session of an end user, by what they signed in with. */
export const userSession = (exchanges: ReadonlyArray<Exchange>): string | undefined => {
  const answer = exchanges.find((each) => each.purpose === "sign-in of an end user" && isSuccess(each))
  if (answer === undefined) return undefined
  const { accessToken, sessionId } = partsOf(answer)
  return answer.holds?.sessionId ?? partAt(answer, sessionId) ?? partAt(answer, accessToken)
}
