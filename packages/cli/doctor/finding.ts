/** What a check has found, and what to do about it. */
import type { codes } from "../exit.js"

export interface Finding {
  /** What was looked at, such as `node` or `credentials of the admin`. */
  readonly check: string
  /** `skipped`: not configured or not installed, and nothing is wrong with that. */
  readonly status: "ok" | "warning" | "failed" | "skipped"
  readonly says: string
  /** What to do; there is one wherever the status is not `ok`. */
  readonly next?: string
  /** The exit code that a failed one leads to; 1 by default. */
  readonly code?: (typeof codes)[keyof typeof codes]
}

export const ok = (check: string, says: string): Finding => ({ check, status: "ok", says })

const findingOf =
  (status: Finding["status"]) =>
  (check: string, says: string, next: string, code?: Finding["code"]): Finding => ({
    check,
    status,
    says,
    next,
    ...(code === undefined ? {} : { code })
  })

export const warning = findingOf("warning")
export const failed = findingOf("failed")
export const skipped = findingOf("skipped")
