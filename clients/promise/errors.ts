/** The errors of the Promise clients, as classes: `error instanceof Errors.NotFound`. */
export { ChatError } from "../../core/chat/errors.js"
export * from "../../core/errors.js"
export { UnknownId } from "../../core/onboarding/actions.js"
