/**
 * Consent to a call that cannot be undone: a person's, through the client that can ask them; else the model's own, in two
 * steps, for which the host has to ask the person.
 */

import type { Described } from "@quartet/sdk/extend/description"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Risk } from "./calls.js"
import { Failure } from "./failure.js"
import type { Input } from "./input.js"

/** Who may agree: `person` refuses where the client cannot ask one; `auto` then takes a confirmation in two steps. */
export type Rule = "auto" | "person"

/** What was shown, and until when it may be confirmed. */
interface Offer {
  readonly call: string
  readonly until: number
}

/** How long a confirmation is good for, in milliseconds: long enough to read what would happen. */
const lifetime = 10 * 60_000
const mostOffers = 100

const actions: Readonly<Record<Risk, string>> = {
  access: "Yes, change it",
  deletion: "Yes, delete it",
  message: "Yes, send it",
  money: "Yes, do it"
}

export interface Request {
  readonly entry: Described
  readonly input: Input
  readonly risk: Risk
  /** What would happen. */
  readonly preview: string
  /** The confirmation that the model gives. */
  readonly confirmation: string | undefined
}

/** Goes on if there is consent; else fails with what to do. */
export type Confirm = (request: Request, exchange: Exchange) => Effect.Effect<void, Failure>

/** Makes the confirmations of one server. `makeId` gives an id that nobody can guess. */
export const make = (rule: Rule, makeId: () => string): Confirm => {
  const offers = new Map<string, Offer>()

  const offered = (
    { entry, confirmation, input, preview }: Request,
    now: number
  ): Effect.Effect<void, Failure> => {
    // Keys in the order in which they were written: another order is another text, which only asks again.
    const call = `${entry.key} ${JSON.stringify(input)}`
    const offer = confirmation === undefined ? undefined : offers.get(confirmation)
    // Each is good once, for exactly what was shown.
    if (confirmation !== undefined) offers.delete(confirmation)
    if (offer !== undefined && offer.call === call && now < offer.until) return Effect.void
    const id = makeId()
    for (const [old, { until }] of offers) if (now >= until || offers.size >= mostOffers) offers.delete(old)
    offers.set(id, { call, until: now + lifetime })
    const why =
      confirmation === undefined
        ? ""
        : "The confirmation is not for this call, was used before or is too old. "
    return new Failure({
      message: `${why}Nothing was sent yet. This would happen:\n\n${preview}`,
      advice:
        `Show exactly this to the user and wait for their answer. Only if they agree, call \`write\` again with the same ` +
        `operation and input, and "confirmation": "${id}". Never agree on their behalf.`
    })
  }

  return (request, { ask }) => {
    if (ask !== undefined)
      return Effect.flatMap(ask(request.preview, actions[request.risk]), (said) => {
        if (said === "yes") return Effect.void
        return said === "no"
          ? new Failure({
              message: "The user did not agree. Nothing was sent.",
              advice: "Do not try it again or in another way, unless the user asks for it."
            })
          : new Failure({
              message: "The user could not be asked, or did not answer. Nothing was sent.",
              advice: "Tell the user what waits for their answer."
            })
      })
    if (rule === "person")
      return new Failure({
        message: `${request.entry.key} needs a person's consent, and this client cannot ask for it. Nothing was sent.`,
        advice: "Tell the user to do it by themselves, or to use a client that supports elicitation."
      })
    return Effect.flatMap(Clock.currentTimeMillis, (now) => offered(request, now))
  }
}

/** What a person said to a question. `unasked`: they could not be asked. */
export type Consent = "yes" | "no" | "unasked"

export interface Exchange {
  /** Tells how far the work is, where the client wants to know. */
  readonly progress: (done: number, total: number | undefined, message: string) => Effect.Effect<void>
  /** Asks the person who uses the client; undefined where the client cannot ask. */
  readonly ask: ((question: string, action: string) => Effect.Effect<Consent>) | undefined
}
