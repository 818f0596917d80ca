/** Which of the administrators is signed in. */
import type { SessionState } from "@quartet/react"

export interface Account {
  readonly _id?: unknown
  readonly email?: unknown
}

/** By their e-mail too: the subject of a platform's token may be no id of an administrator. */
export const isOneself = (session: SessionState<unknown>, { _id, email }: Account): boolean => {
  if (session.status !== "signed-in" || session.identity.audience !== "admin") return false
  const { admin } = session.identity
  const isSame = typeof email === "string" && email !== "" && email === admin.email
  return isSame || _id === admin._id
}
