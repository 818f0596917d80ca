/**
 * Learns what a platform answers from its traffic, and keeps shapes and counts, never values: of a client's transport, of
 * a HAR, or of what is passed to a recorder.
 */
export { hostOf } from "./calls.js"
export { type Change, describe, drift } from "./drift.js"
export { type HarOptions, type Learnt, learnHar } from "./har.js"
export { module } from "./module.js"
export {
  type Answers,
  empty,
  make,
  merge,
  type Options,
  parse,
  type Recorder,
  type Recording,
  stringify,
  undeclared,
  words
} from "./recording.js"
export type { Shape } from "./shape.js"
export { layer, wrap } from "./transport.js"
