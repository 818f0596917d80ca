/** The calls of the wire as a HAR, the archive that the network panels of browsers read. Secrets stay masked. */
import type { Exchange } from "../../../adapters/tap/index.js"

const fields = (all: Iterable<readonly [name: string, value: string]>) =>
  [...all].map(([name, value]) => ({ name, value }))

const entry = ({ at, body, duration = 0, ending, headers, method, operation, origin, path }: Exchange) => {
  const status = ending !== undefined && "status" in ending ? ending.status : 0
  const text = ending?._tag === "Answered" ? ending.body : ""
  const type = headers["content-type"] ?? "multipart/form-data"
  return {
    startedDateTime: new Date(at).toISOString(),
    time: duration,
    request: {
      method,
      url: origin + path,
      httpVersion: "",
      cookies: [],
      headers: fields(Object.entries(headers)),
      queryString: fields(new URLSearchParams(path.split("?", 2)[1])),
      ...(body === "" ? {} : { postData: { mimeType: type, text: body } }),
      headersSize: -1,
      bodySize: -1
    },
    response: {
      status,
      statusText: ending?._tag ?? "",
      httpVersion: "",
      cookies: [],
      headers: [],
      content: { size: ending?._tag === "Answered" ? ending.bytes : -1, mimeType: "application/json", text },
      redirectURL: "",
      headersSize: -1,
      bodySize: -1
    },
    cache: {},
    timings: { send: -1, wait: duration, receive: -1 },
    comment: operation
  }
}

/** The calls, newest first as the wire keeps them, as a HAR 1.2, oldest first. */
export const harOf = (calls: ReadonlyArray<Exchange>): string =>
  JSON.stringify({
    log: {
      version: "1.2",
      creator: { name: "Quartet console", version: "1" },
      entries: [...calls].reverse().map(entry)
    }
  })
