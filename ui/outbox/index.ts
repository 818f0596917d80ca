/** An outbox for React apps: writes are kept on the device until the platform has done them, and are never done twice. */
export { OutboxError } from "./error.js"
export { useOutbox } from "./hooks.js"
export type {
  ActionOutcome,
  Entry,
  EntryState,
  Outbox,
  OutboxActions,
  OutboxOptions,
  OutboxState
} from "./model.js"
export { makeOutbox, reaches } from "./outbox.js"
