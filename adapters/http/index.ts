/** What servers on Node have in common: who may ask them, how they begin and how they end. For packages that extend the SDK. */
export * as Guard from "./guard.js"
export { guard, readHost, readOrigin } from "./guard.js"
export { drain, listen, ServeError } from "./listen.js"
export { codeOf } from "./node-errors.js"
