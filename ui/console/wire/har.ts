/** The calls of the wire as a HAR, the archive that the network panels of browsers read. Secrets stay masked. */
import type { Exchange } from "../../../adapters/tap/index.js"

const fields = (all: Iterable<readonly [name: string, value: string]>) =>
  [...all].map(([name, value]) => ({ name, value }))

/** What a HAR asks of each message, and the wire does not know. */
const unknown = { httpVersion: "", cookies: [], headersSize: -1, bodySize: -1 }

const entry = ({ at, body, duration = 0, ending, headers, method, operation, origin, path }: Exchange) => {
  const answered = ending?._tag === "Answered" ? ending : undefined
  const type = headers["content-type"] ?? "multipart/form-data"
  return {
    startedDateTime: new Date(at).toISOString(),
    time: duration,
    request: {
      ...unknown,
      method,
      url: origin + path,
      headers: fields(Object.entries(headers)),
      queryString: fields(new URLSearchParams(path.split("?", 2)[1])),
      ...(body === "" ? {} : { postData: { mimeType: type, text: body } })
    },
    response: {
      ...unknown,
      status: ending !== undefined && "status" in ending ? ending.status : 0,
      statusText: ending?._tag ?? "",
      headers: [],
      content: { size: answered?.bytes ?? -1, mimeType: "application/json", text: answered?.body ?? "" },
      redirectURL: ""
    },
    cache: {},
    timings: { send: -1, wait: duration, receive: -1 },
    comment: operation
  }
}

/** The calls, newest first as the wire keeps them, as a HAR 1.2, oldest first. */
export const harOf = (calls: ReadonlyArray<Exchange>): string => {
  const creator = { name: "Quartet console", version: "1" }
  return JSON.stringify({ log: { version: "1.2", creator, entries: [...calls].reverse().map(entry) } })
}
