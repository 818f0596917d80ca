/**
 * Refused connections, dealt out by the same plan as the other faults. The request is sent to a port where nobody
 * listens, over the transport under torture: what is seen of it are the refusals themselves.
 */
import type { AnyRequest, Service } from "../../core/ports/transport.js"
import { nobody } from "../support/servers.js"
import { applies, callIn, calm, type Entry, logged, type Plan, strikeOf } from "./proxy/plan.js"

/** Where a request may carry the id of its call. */
const textOf = ({ body, headers, path }: AnyRequest): string => {
  const carried =
    body?._tag === "Json"
      ? [body.text]
      : (body?.parts ?? []).map((part) => ("text" in part ? part.text : part.fileName))
  return [path, headers["idempotency-key"], ...carried].join(" ")
}

/** Refuses connections of a transport, by a plan that is calm to begin with. */
export const refusing = async (inner: Service) => {
  const origin = await nobody()
  let plan = calm
  const entries: Array<Entry> = []
  /** Where a request is sent to: its own origin, or nobody's. */
  const originOf = (request: AnyRequest): string => {
    const { attempt, method, path } = request
    const call = callIn(textOf(request))
    const isRefused =
      call !== undefined &&
      applies(plan, `${method} ${path} HTTP/1.1`) &&
      strikeOf(plan, call, attempt)?.kind === "refuse"
    if (!isRefused) return request.origin
    entries.push(logged(call, attempt, "refuse"))
    return origin
  }
  const { start, stream } = inner
  const transport: Service = {
    start: (request, settle) => start({ ...request, origin: originOf(request) }, settle),
    ...(stream && {
      stream: (request, settle) => stream({ ...request, origin: originOf(request) }, settle)
    })
  }
  const setPlan = (next: Plan): void => {
    plan = next
  }
  /** The attempts that were refused since it was asked last. */
  const take = (): ReadonlyArray<Entry> => entries.splice(0)
  return { transport, setPlan, take }
}
