/** The errors of calls, and what carries them out of a realm and back: `Errors` of the package. */
export * from "./kernel/errors/errors.js"
export { type ErrorClass, ForeignError, fromPlain } from "./kernel/errors/plain.js"
export {
  type FailureOf,
  failures,
  type ReadError,
  type SignInError,
  type WriteError
} from "./kernel/operation/failures.js"
export { type PlainError, toPlain } from "./ports/tagged-error.js"
