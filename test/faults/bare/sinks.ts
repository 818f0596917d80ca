/** Every place where an error of a call is written, by the names that the harness gives them. */

export const logs = ["log, pretty", "log, text", "log, logfmt", "log, JSON", "log, structured"]

export const sinks = [
  "message",
  "stack",
  "String",
  "cause chain",
  "JSON.stringify",
  "util.inspect",
  "Cause.pretty",
  "spans",
  ...logs
]
