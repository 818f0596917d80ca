/** The client of a page that shows and steers the jobs of a fleet, by its handler. It knows no database. */
export { act, ask, JobsTrouble } from "./client.js"
export { type Action, base, Failure, Failures, Progress, Runs } from "./wire.js"
