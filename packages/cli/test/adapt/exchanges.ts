/** Exchanges for the tests of what is recognised: what matters of each is given, the rest is as any answer has it. */
import type { Exchange } from "../../adapt/recognition/index.js"

const of = (given: Partial<Exchange>): Exchange => ({
  purpose: "other",
  call: "requests.list",
  method: "GET",
  path: "/request-action",
  query: {},
  sent: {},
  status: 200,
  headers: {},
  cookies: {},
  body: undefined,
  ...given
})

/** A list's answer. */
export const list = (body: unknown, given: Partial<Exchange> = {}): Exchange =>
  of({ purpose: "list", body, ...given })

/** The answer to a read of one thing by its id. */
export const thing = (id: string, body: unknown, given: Partial<Exchange> = {}): Exchange =>
  of({ purpose: "thing", call: "requests.get", path: `/request-action/${id}`, id, body, ...given })

/** A refusal. */
export const refusal = (status: number, body: unknown, given: Partial<Exchange> = {}): Exchange =>
  of({ status, body, ...given })

const signingIn =
  (purpose: Exchange["purpose"]) =>
  (body: unknown, given: Partial<Exchange> = {}): Exchange =>
    of({
      purpose,
      call: "auth.login",
      method: "POST",
      path: "/auth/login",
      input: { email: "ada@example.com", password: "the-password" },
      body,
      ...given
    })

export const adminSignIn = signingIn("sign-in of an admin")
export const legacySignIn = signingIn("legacy sign-in of an admin")
export const userSignIn = signingIn("sign-in of an end user")

/** A token whose payload holds these claims. */
export const jwt = (claims: object): string =>
  [{ alg: "HS256" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .concat("c2lnbmF0dXJlLW9mLXRoZS10b2tlbg")
    .join(".")

/** Things with ids of their own, as a platform answers them. */
export const rows = (...ids: ReadonlyArray<string | number>) =>
  ids.map((id) => ({ _id: id, title: `t${id}` }))
