/** The jobs of a fleet over HTTP: the handler that serves them, and the client that reads them. */
export { beside } from "./beside.js"
export * as Client from "./client.js"
export { told, useWatched } from "./client.js"
export { check, make } from "./handler.js"
export { shownFailure, shownInput } from "./shown.js"
export { JobsTrouble } from "./trouble.js"
export { type Failure, Failures, Progress, Runs, base } from "./wire.js"
