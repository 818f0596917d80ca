/** After which failures a call may be made again. */
import type { CallError } from "./errors.js"

/** Whether a failure says that something took too long: repetitions then cost more. */
export const isTimeout = (error: CallError): boolean =>
  (error._tag === "NetworkError" && (error.reason === "Timeout" || error.reason === "ConnectTimeout")) ||
  error.status === 408 ||
  error.status === 504

/** Whether another attempt may help; that it can do no harm is the caller's to know. */
export const mayHelp = (error: CallError): boolean =>
  (error._tag === "NetworkError" && error.retryable) ||
  error._tag === "RateLimited" ||
  (error._tag === "ServerFault" && error.status !== 501) ||
  error.status === 408
