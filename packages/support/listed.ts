/** Holds each request of a client to the platform's own list of calls, which knows nothing of the sources. */
import type { Request, TransportService as Service } from "@quartet/sdk/extend"
import { type Client, isSignIn, partsOf, type Row, rows } from "./wire-rows.js"

/** The names of the credentials that each client sends, by which the platform knows it. */
const credentials: Readonly<Record<Client, ReadonlyArray<string>>> = {
  admin: ["authorization", "x-session-id"],
  private: ["x-private-key"],
  endUser: ["x-api-key", "x-session-id"],
  public: ["x-api-key"]
}

const known = [...new Set(Object.values(credentials).flat())].sort()

const sentNames = ({ headers }: Request): string => known.filter((name) => name in headers).join()

/** The row of a request: its client is the one whose credentials it carries; one that signs in has none. */
const rowOf = (request: Request): Row | undefined =>
  rows.find((row) => {
    const { call, client, slice } = partsOf(row.id)
    const expected = isSignIn(row) ? "" : [...credentials[client]].sort().join()
    return `${slice}.${call}` === request.operation && expected === sentNames(request)
  })

/** What a query's names must be: those of the row, and the project where the path does not name it. */
const strayIn = (row: Row, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const namesProject =
    partsOf(row.id).client === "admin" &&
    row.service === "api" &&
    !isSignIn(row) &&
    !row.path.includes("{projectId}")
  if (names.includes("projectId") !== namesProject) return ["projectId"]
  if (row.query.includes("…any")) return []
  const isListed = (name: string): boolean =>
    row.query.some((item) => {
      const listed = item.replace(/[*].*|=.*/, "")
      return listed.endsWith(".<key>") ? name.startsWith(listed.slice(0, -5)) : name === listed
    })
  return names.filter((name) => name !== "projectId" && !isListed(name))
}

/** The fields of a body that the row does not name. */
const strayFields = ({ body }: Row, request: Request): ReadonlyArray<string> =>
  Array.isArray(body) && request.body?._tag === "Json"
    ? Object.keys(Object(JSON.parse(request.body.text))).filter((name) => !body.includes(name))
    : []

/** What is wrong with a request, as one line that begins with the row of its call; undefined where it is as listed. */
const complaintOf = (request: Request): string | undefined => {
  const row = rowOf(request)
  const sent = `${request.method} ${request.path}`
  if (row === undefined)
    return `${request.operation}: ${sent}: no call with the credentials ${sentNames(request) || "none"}`
  const url = new URL(request.path, request.origin)
  const template = new RegExp(`^/${row.path.replace(/\{[^}]+\}/g, "[^/]+")}$`)
  const problems = [
    ...(request.method === row.method && template.test(url.pathname)
      ? []
      : [`not ${row.method} ${row.path}`]),
    ...strayIn(row, [...url.searchParams.keys()]).map((name) => `query ${name}`),
    ...strayFields(row, request).map((name) => `field ${name}`)
  ]
  return problems.length === 0 ? undefined : `${row.id}: ${sent}: ${problems.join(", ")}`
}

/** A transport that notes what is not on the list. */
export const listening = (transport: Service, complaints: Array<string>): Service => ({
  ...transport,
  start: (request, settle) => {
    const complaint = complaintOf(request)
    if (complaint !== undefined) complaints.push(complaint)
    return transport.start(request, settle)
  }
})
