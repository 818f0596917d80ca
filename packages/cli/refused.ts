/** What is said of a server that could not start. */
import { codeOf } from "@quartet/sdk/extend/http"
import { Problem } from "./exit.js"

/** Why the server of a command could not start. */
export const refused = (
  command: string,
  error: { readonly message: string; readonly cause?: unknown },
  port: number
): Problem => {
  const other = port === 65_535 ? 4400 : port + 1
  switch (codeOf(error.cause)) {
    case "EADDRINUSE":
      return new Problem({
        message: `port ${port} is in use. Try another: quartet ${command} --port ${other} (or --port 0 for any free one)`
      })
    case "EACCES":
      return new Problem({
        message: `port ${port} may not be used by this user. Try one above 1023: quartet ${command} --port 4400`
      })
    default:
      return new Problem({ message: error.cause instanceof Error ? error.cause.message : error.message })
  }
}
