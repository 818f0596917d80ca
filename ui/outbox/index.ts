/** An outbox for React apps: writes are kept on the device until the platform has done them, and are never done twice. */
export type { EntryState } from "./entry.js"
export { OutboxError } from "./error.js"
export { useOutbox } from "./hooks.js"
export type { ActionOutcome, Entry, OutboxActions, OutboxState } from "./model.js"
export { makeOutbox, type Outbox, type OutboxOptions, reaches } from "./outbox.js"
