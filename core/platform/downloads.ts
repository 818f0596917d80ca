/** Downloads that redirect to a storage of the platform's: followed to the hosts that are named, without credentials. */
import { urlOf } from "../kernel/operation/url.js"
import { pairsIn } from "../kernel/redaction/sent-secrets.js"
import type { Abandon, Outcome, Request, Service as Transport } from "../ports/transport.js"
import * as Utf8 from "../ports/utf8.js"

/** The most redirects of one download. */
const most = 3

/** Whether a host is one of those that are named: `files.example.com`, or with `*.` any below. A port counts where it is named. */
const isNamed = ({ host, hostname }: URL, hosts: ReadonlyArray<string>): boolean =>
  hosts.some((named) => {
    const name = named.toLowerCase()
    const asked = /:\d+$/.test(name) ? host : hostname
    return name.startsWith("*.") ? asked.endsWith(name.slice(1)) : asked === name
  })

/** The request that a redirect leads to, where that may be followed. No secret that was sent goes with it. */
const next = (request: Request, outcome: Outcome, hosts: ReadonlyArray<string>): Request | undefined => {
  if (!("status" in outcome) || ![301, 302, 303, 307, 308].includes(outcome.status)) return undefined
  const location = outcome.header("location")
  const target = location === undefined ? undefined : urlOf(location, request.origin + request.path)
  if (target === undefined || target.username !== "" || target.password !== "") return undefined
  // Nothing that was encrypted goes on in the open.
  const isSafe = target.protocol === "https:" || request.origin.startsWith("http:")
  if (!isSafe || !/^https?:$/.test(target.protocol) || !isNamed(target, hosts)) return undefined
  const signed = pairsIn(target.search.slice(1)).map(([, text]) => text)
  return {
    ...request,
    // What signs an address has no name that all storages agree on.
    secrets: () => [...(request.secrets?.() ?? []), ...signed],
    method: "GET",
    origin: target.origin,
    path: target.pathname + target.search,
    headers: { accept: request.headers.accept ?? "*/*" },
    body: undefined,
    credentials: undefined
  }
}

/** What a storage that does not give the file answers, as a fault of the platform: it says nothing of the credentials, which it never saw. */
const failed = (outcome: Outcome, host: string): Outcome => {
  if ("status" in outcome && outcome.status >= 200 && outcome.status < 400) return outcome
  const said = "status" in outcome ? `answered ${outcome.status}` : "gave no answer"
  return {
    _tag: "Answered",
    status: 502,
    header: () => undefined,
    body: Utf8.encode(
      JSON.stringify({ message: `the storage ${host}, to which the platform redirects, ${said}` })
    )
  }
}

/** A transport that follows the redirects of downloads. */
export const following = (transport: Transport, hosts: ReadonlyArray<string>): Transport => ({
  start: (first, settle) => {
    let abandon: Abandon | undefined
    let isAbandoned = false
    const send = (request: Request, left: number): void => {
      abandon = transport.start(request, (outcome) => {
        const target = left > 0 && !isAbandoned ? next(request, outcome, hosts) : undefined
        if (target !== undefined) send(target, left - 1)
        else settle(request === first ? outcome : failed(outcome, urlOf(request.origin)?.host ?? ""))
      })
    }
    send(first, most)
    return () => {
      isAbandoned = true
      return abandon?.() !== false
    }
  }
})
