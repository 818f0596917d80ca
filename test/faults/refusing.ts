/**
 * Refused connections, dealt out by the same schedule as the other faults. The request is sent to a port where nobody
 * listens, over the transport under torture: what is seen of it are the refusals themselves.
 */

import { nobody } from "@quartet/support/servers.js"
import type { AnyRequest, Service } from "../../core/ports/transport.js"
import {
  applies,
  callIn,
  calm,
  type FaultSchedule,
  faultOf,
  type LoggedRequest,
  logged
} from "./proxy/schedule.js"

/** Where a request may carry the id of its call. */
const textOf = ({ body, headers, path }: AnyRequest): string => {
  const carried =
    body?._tag === "Json"
      ? [body.text]
      : (body?.parts ?? []).map((part) => ("text" in part ? part.text : part.fileName))
  return [path, headers["idempotency-key"], ...carried].join(" ")
}

export const refusing = async (inner: Service) => {
  const origin = await nobody()
  let schedule = calm
  const entries: Array<LoggedRequest> = []
  const originOf = (request: AnyRequest): string => {
    const { attempt, method, path } = request
    const call = callIn(textOf(request))
    const isRefused =
      call !== undefined &&
      applies(schedule, `${method} ${path} HTTP/1.1`) &&
      faultOf(schedule, call, attempt)?.kind === "refuse"
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
  const setSchedule = (next: FaultSchedule): void => {
    schedule = next
  }
  const take = (): ReadonlyArray<LoggedRequest> => entries.splice(0)
  return { transport, setSchedule, take }
}
