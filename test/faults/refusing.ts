/**
 * Refused connections, dealt out by the same plan as the other faults. The request is sent to a port where nobody
 * listens, over the transport under torture: what is seen of it are the refusals themselves.
 */
import { createServer } from "node:net"
import type { AnyRequest, Service } from "../../core/ports/transport.js"
import { applies, callIn, calm, type Plan, strikeOf } from "./proxy/plan.js"
import type { Entry } from "./proxy/proxy.js"

export interface Refusing {
  /** The transport, some of whose connections are refused. */
  readonly service: Service
  readonly setPlan: (plan: Plan) => void
  /** The attempts that were refused since it was asked last. */
  readonly take: () => ReadonlyArray<Entry>
}

/** The address of a port that was free a moment ago. */
const nobody = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      server.close(() => resolve(`http://127.0.0.1:${port}`))
    })
  })

/** Where a request may carry the id of its call. */
const textOf = ({ body, headers, path }: AnyRequest): string => {
  const carried =
    body?._tag === "Json"
      ? [body.text]
      : (body?.parts ?? []).map((part) => ("text" in part ? part.text : part.fileName))
  return [path, headers["idempotency-key"], ...carried].join(" ")
}

/** Refuses connections of a transport, by a plan that is calm to begin with. */
export const refusing = async (service: Service): Promise<Refusing> => {
  const origin = await nobody()
  let plan = calm
  let entries: Array<Entry> = []
  /** Where a request is sent to: its own origin, or nobody's. */
  const originOf = (request: AnyRequest): string => {
    const { attempt, method, path } = request
    const call = callIn(textOf(request))
    const isRefused =
      call !== undefined &&
      applies(plan, `${method} ${path} HTTP/1.1`) &&
      strikeOf(plan, call, attempt)?.kind === "refuse"
    if (!isRefused) return request.origin
    entries.push({
      call,
      attempt,
      kind: "refuse",
      retryAfter: undefined,
      forwarded: false,
      status: undefined,
      delivered: false,
      abandoned: false,
      isTainted: false
    })
    return origin
  }
  const { start, stream } = service
  return {
    service: {
      start: (request, settle) => start({ ...request, origin: originOf(request) }, settle),
      ...(stream && {
        stream: (request, settle) => stream({ ...request, origin: originOf(request) }, settle)
      })
    },
    setPlan: (next) => {
      plan = next
    },
    take: () => {
      const taken = entries
      entries = []
      return taken
    }
  }
}
