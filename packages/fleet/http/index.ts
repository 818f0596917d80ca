/** The jobs of a fleet over HTTP: the handler that serves them, and the client of a page that shows and steers them. It knows no database. */
export { act, ask } from "./client.js"
export { beside, check, make as handler } from "./handler.js"
export { shownFailure, shownInput } from "./shown.js"
export { JobsTrouble } from "./trouble.js"
export { type Action, base, Failure, Failures, Progress, Runs } from "./wire.js"
