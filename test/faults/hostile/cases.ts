/** One hostile case: a call with a generated input, and what the far end must have seen if it saw anything. */
import { inspect } from "node:util"
import * as Effect from "effect/Effect"
import type { Random } from "../../../adapters/sandbox/state/random.js"
import * as Admin from "../../../clients/admin/index.js"
import type { Bindable } from "../../../core/kernel/dispatch/dispatcher.js"
import type { CallOptions } from "../../../core/kernel/dispatch/endpoint.js"
import type { Policy } from "../../../core/kernel/dispatch/retry.js"
import type { Audience, Operation } from "../../../core/kernel/operation/operation.js"
import { claims, jwt } from "../../support/jwt.js"
import { over } from "../../support/transports.js"
import { type Outcome, ofExit } from "../account.js"
import { makeVisitor, quiet, type Way } from "../clients.js"
import type * as Recorder from "../far/recorder.js"
import { type Sight, sightOf } from "./sight.js"

/** Addresses of the servers of the far end. */
type Origins = Awaited<ReturnType<typeof Recorder.open>>["addresses"]

/** What a case is made of. */
export interface Ground {
  readonly way: Way
  /** Address of the server that keeps and echoes what it receives. */
  readonly url: string
  /** Host and port of an origin that must never be called. */
  readonly evil: string
  readonly visitor: Bindable
  /** A visitor of the server with the hostile answers. */
  readonly victim: Bindable
  readonly admin: Bindable
  readonly projectId: string
}

/** The ground of the cases over one transport. */
export const groundOf = ({ evil, hostileUrl, url }: Origins, way: Way, policy: Partial<Policy>): Ground => {
  const projectId = "the-project"
  const common = { baseUrl: url, ...quiet, policy }
  const admin = Admin.make({ ...common, projectId, sessionId: "session", accessToken: jwt(claims) })
  return {
    way,
    url,
    evil,
    projectId,
    visitor: makeVisitor(way, url, policy),
    victim: makeVisitor(way, hostileUrl, policy),
    admin: over(way.transport, admin)
  }
}

/** How a case ended. */
export interface Ended {
  readonly outcome: Outcome
  /** What is wrong with it, where something is. */
  readonly complaint: string | undefined
}

/** Makes and runs one case of a family. Two equal sources of chance, so that input and expectation share no object. */
export interface Family {
  readonly name: string
  /** How often it is chosen, relative to the others. */
  readonly weight: number
  readonly run: (ground: Ground, random: Random, twin: Random) => Promise<Ended>
}

/** A call with input that its type forbids. */
export const send = <I, A, Aud extends Audience>(
  { dispatcher }: Bindable,
  operation: Operation<I, A, Aud>,
  input: unknown,
  options?: CallOptions
): Effect.Effect<unknown, unknown> =>
  // Hostile input breaks the types on purpose.
  dispatcher.call<unknown, unknown>(
    operation as unknown as Operation<unknown, unknown, never>,
    input,
    options
  )

/** Runs a case; what was seen is inspected, and what was refused says so by a typed error. */
export const run = async (
  call: Effect.Effect<unknown, unknown>,
  inspect: (sight: Sight) => string | undefined
): Promise<Ended> => {
  let complaint: string | undefined
  const exit = await Effect.runPromiseExit(call)
  const outcome = ofExit(exit, (answer) => {
    const sight = sightOf(answer)
    complaint = sight === undefined ? "the answer does not hold what was seen" : inspect(sight)
    return complaint === undefined
  })
  if (outcome._tag === "Defect") complaint = outcome.text
  return { outcome, complaint }
}

/** Whether a failure says that nothing was sent. */
export const isRefusal = ({ outcome }: Ended): boolean =>
  outcome._tag === "Failure" &&
  (outcome.error._tag === "InputError" ||
    (outcome.error._tag === "CredentialsError" && outcome.error.operation === "client"))

/** A hostile thing in a few words. */
export const shown = (value: unknown): string => {
  const text = typeof value === "string" ? JSON.stringify(value) : inspect(value, { breakLength: Infinity })
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
