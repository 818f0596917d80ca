/** Checks of an address: whether a server answers there, and whether its clock agrees with this machine's. */

import { readHttpDate, Settings } from "@quartet/sdk/extend"
import { codeOf } from "@quartet/sdk/extend/http"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { codes } from "../exit.js"
import { type Finding, failed, ok, warning } from "./finding.js"

/** Milliseconds until an address is given up. */
const patience = 10_000

/** Seconds that clocks may differ. */
const tolerance = 30

/** What a Date header says of the server's clock, by when the request left and when the answer came. */
const clockFinding = (check: string, date: string | null, before: number, after: number): Finding => {
  const theirs = readHttpDate(date ?? undefined, after)
  if (theirs === undefined)
    return warning(
      check,
      "the server's answer has no Date header that can be read",
      "Compare the clocks yourself."
    )
  // A Date header has whole seconds: the middle of that one, compared with the middle of the request.
  const ahead = Math.round((theirs + 500 - (before + after) / 2) / 1000)
  if (Math.abs(ahead) <= tolerance) return ok(check, "agrees with this machine's")
  return warning(
    check,
    `is ${Math.abs(ahead)} s ${ahead > 0 ? "ahead of" : "behind"} this machine's`,
    "Let this machine take its time from the network (NTP): else sessions seem to end too early or too late."
  )
}

const unreached = (cause: unknown): string =>
  cause instanceof Error && cause.name === "TimeoutError"
    ? `no answer within ${patience / 1000} s`
    : codeOf(cause) || "the connection failed"

const probe = async (name: string, url: string): Promise<ReadonlyArray<Finding>> => {
  const before = Date.now()
  try {
    const signal = AbortSignal.timeout(patience)
    const { headers, status } = await fetch(url, { method: "HEAD", redirect: "manual", signal })
    const after = Date.now()
    if ([502, 503, 504].includes(status))
      return [
        failed(
          name,
          `${url} answers HTTP ${status}, as a gateway does that reaches no server`,
          "Wait, or ask whoever runs the platform."
        )
      ]
    return [
      ok(name, `${url} answers in ${after - before} ms`),
      clockFinding(`clock of ${name}`, headers.get("date"), before, after)
    ]
  } catch (cause) {
    const next = "Check the address, the network and the proxy."
    return [failed(name, `${url} does not answer: ${unreached(cause)}`, next)]
  }
}

/** Asks an address for its head, without credentials. Any answer will do, except that of a gateway with nobody behind it. */
export const address = (name: string, variable: string, url: string): Effect.Effect<ReadonlyArray<Finding>> =>
  Either.match(Settings.address(variable, url), {
    // The address itself is not shown: it may hold a password.
    onLeft: ({ rule }) =>
      Effect.succeed([
        failed(name, `${variable} ${rule}`, "Write it as https://api.example.com.", codes.usage)
      ]),
    onRight: ({ origin, prefix }) => Effect.promise(() => probe(name, `${origin}${prefix}`))
  })
