/** A page's side of the handler: asks it, at the page's own origin. */
import { TaggedError } from "@quartet/sdk/extend"
import * as Schema from "effect/Schema"
import * as Wire from "./wire.js"

/** What a page shows where it could not see or steer a run. @category errors */
export class JobsTrouble extends TaggedError("JobsTrouble")<{
  readonly title: string
  /** What to do about it. */
  readonly advice: string
  /** Whether the page's server serves no jobs at all. */
  readonly isNone?: true
}> {
  override get message(): string {
    return `${this.title}: ${this.advice}`
  }
}

const away = {
  title: "The jobs cannot be reached",
  advice: "Their server is not answering. They keep running, and this page checks again by itself."
}

const none = {
  title: "No jobs are served here",
  advice: "To serve the jobs of a store, run quartet job serve --store file:fleet.db",
  isNone: true
} as const

/** What is said of a refusal, by its reason. */
const titles: Readonly<Record<string, string>> = {
  Unknown: "This run does not exist",
  State: "The state of the run does not allow this",
  Store: "The store of the jobs is not answering"
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Asks at a path of the handler. Rejects with JobsTrouble. @category operations */
export const ask = async <A, I>(schema: Schema.Schema<A, I>, path: string, init: RequestInit): Promise<A> => {
  const answer = await fetch(Wire.base + path, { cache: "no-store", ...init }).catch(() => undefined)
  if (answer === undefined || (answer.status >= 502 && answer.status <= 504 && !isJson(answer)))
    throw new JobsTrouble(away)
  // A server without a fleet has the console's page for every address.
  if (!isJson(answer)) throw new JobsTrouble(none)
  const json: unknown = await answer.json().catch(() => undefined)
  if (answer.ok && Schema.is(Schema.encodedSchema(schema))(json)) return Schema.decodeSync(schema)(json)
  if (!Schema.is(Wire.Refusal)(json)) throw new JobsTrouble(away)
  const { message, reason } = json
  throw new JobsTrouble({ title: titles[reason] ?? "This was not done", advice: sentence(message) })
}

const isJson = ({ headers }: Response): boolean => /json/.test(headers.get("content-type") ?? "")

/** Does something with a run, and answers once it is done. A pause waits for the runners. Rejects with JobsTrouble. @category operations */
export const act = <A extends Wire.Action>(
  run: string,
  action: A,
  input: Schema.Schema.Encoded<(typeof Wire.actions)[A]>
) =>
  ask(Wire.Done, `/${run}/${action}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(input)
  })
