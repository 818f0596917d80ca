/** What an outbox can fail with: nothing is lost silently. */
import { TaggedError } from "@quartet/sdk/extend"

const advice = {
  Unsupported: "this browser has no IndexedDB or no Web Locks here, or the page is not served over https",
  Forbidden: "the browser refuses to keep anything for this page, as in some private windows",
  Newer: "a newer version of this page has upgraded what is kept: reload the page",
  Quota: "there is no room left on this device",
  Full: "it holds as many entries as it may",
  Storage: "the browser's database failed",
  Blocked:
    "the browser's database does not answer: another tab of this site stands still, or what it keeps is being deleted; close the other tabs",
  Deleted:
    "something else than the outbox removed what it kept on this device, such as who cleared the site's data: look at what was not done",
  Probe: "its probe failed instead of answering true or false, so nothing is sent"
} as const

/**
 * The outbox cannot keep or read anything: what was to be kept is not, and was not sent. Or, with `Probe`, it cannot send what
 * it keeps. @category errors
 */
export class OutboxError extends /*#__PURE__*/ TaggedError("OutboxError")<{
  /**
   * `Unsupported`: no IndexedDB or no Web Locks, which pages without https do not have. `Forbidden`: the browser refuses, as
   * in some private windows. `Newer`: a newer version of the app has upgraded the database. `Quota`: no room on the device.
   * `Full`: as many entries as `capacity`. `Storage`: the database failed, see `cause`. `Blocked`: it has not answered for 10 seconds.
   * `Deleted`: entries are gone, and no tab has ended them; only shown by the outbox. `Probe`: the app's `probe` threw or
   * rejected, see `cause`; all entries wait.
   */
  readonly reason: keyof typeof advice
  /** The name of the outbox. */
  readonly outbox: string
  readonly cause?: unknown
}> {
  override get message(): string {
    return `the outbox "${this.outbox}": ${advice[this.reason]}`
  }
}

/** What failed, as an error of an outbox: its own stays, all else is the store's. */
export const outboxErrorOf = (outbox: string, cause: unknown): OutboxError =>
  cause instanceof OutboxError ? cause : new OutboxError({ outbox, reason: "Storage", cause })
