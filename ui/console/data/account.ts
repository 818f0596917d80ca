/** What the forms of those who sign in have in common: an email address that may be taken, and a first password. */
import { type Ended, FieldProblem } from "./form.js"

/** Puts what a platform says of an email address that is taken beside its field. */
export const atEmail = <A extends Ended>(ended: A, isEmailSent = true): A | Ended =>
  ended.status === "error" && isEmailSent && Object(ended.error)._tag === "Conflict"
    ? {
        status: "error",
        error: new FieldProblem({ field: "email", problem: "Someone else has this email address." })
      }
    : ended

/** Signs that are told apart when they are read out or typed. */
const signs = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789"

/** A password that nobody has to think of. */
export const madePassword = (): string =>
  [...crypto.getRandomValues(new Uint32Array(16))].map((value) => signs[value % signs.length]).join("")
