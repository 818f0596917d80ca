/** How a call fails, as responses: the statuses are HTTP's, and what a body holds is assumed. */

import type { Json } from "./json-schemas.js"

const text = (description: string): Json => ({ type: "string", description, "x-assumed": true })

/** What the sandbox refuses a call with. The clients read other bodies, too. */
export const failureSchema: Json = {
  type: "object",
  description:
    "What says why a call failed. The specification gives no shape: this one is assumed, and the clients read a problem (RFC 9457), other usual shapes and plain text, too.",
  "x-assumed": true,
  properties: {
    error: {
      type: "object",
      "x-assumed": true,
      properties: {
        code: text("A word for programs, such as `not_found`."),
        message: text("What went wrong, for people."),
        field: text("The field of the input that breaks a rule, if one does.")
      }
    }
  }
}

/** A way in which a call can fail. */
interface Failure {
  /** A status, or all of a class that no other failure names: `4XX`. */
  readonly status: string
  /** The name of its response. */
  readonly name: string
  readonly description: string
}

/** What every call can be answered with. */
export const failures: ReadonlyArray<Failure> = [
  { status: "401", name: "Unauthenticated", description: "The credentials are missing, wrong or expired." },
  { status: "403", name: "PermissionDenied", description: "The credentials do not allow the call." },
  { status: "404", name: "NotFound", description: "There is nothing with this id or key." },
  { status: "409", name: "Conflict", description: "The state has moved on, or it was done before." },
  { status: "429", name: "RateLimited", description: "There were too many calls." },
  { status: "4XX", name: "Rejected", description: "The call breaks another rule." },
  { status: "5XX", name: "ServerFault", description: "The platform failed." }
]
