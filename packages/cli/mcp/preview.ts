/** What a call would send, and to whom: what a person reads before they agree. */

import {
  concealed,
  Encoder,
  mask,
  type Operation,
  body as shownBody,
  path as shownPath,
  sliceOf
} from "@quartet/sdk/extend"
import type { Described } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Clients, entryOf, type Risk, secretsOf } from "./calls.js"
import type { Input } from "./input.js"

const meanings: Readonly<Record<Risk, string>> = {
  access: "It changes what other people may see and do.",
  deletion: "It deletes, and cannot be undone.",
  message: "It reaches people at once, and cannot be taken back.",
  money: "It is about money, and cannot be undone."
}

/** Method, address and body, secrets masked. */
const requestOf = ({ audience, declared, name }: Described, clients: Clients, input: Input): string => {
  const settings = clients[audience]?.dispatcher.settings
  if (settings === undefined) return ""
  const { projectId, routes, ...hosts } = settings
  const { origin, prefix } = hosts[declared.host ?? "api"]
  const isAuthorised = declared.credentials !== "none"
  const projectInQuery = audience === "admin" && isAuthorised && declared.host !== "legacy"
  const routed = { ...declared, ...routes[name] }
  const secrets = secretsOf(clients)
  const hide = (text: string): string => mask(text, secrets)
  return Either.match(Encoder.make(routed, { prefix, projectId, projectInQuery })(input), {
    onLeft: ({ field, rule }) => `${name}: the field "${field}" ${rule}`,
    onRight: ({ body, path }) =>
      `${routed.method} ${origin}${shownPath(path, hide)}\n${shownBody(body, hide)}`.trim()
  })
}

const isPlain = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value)

/** The first plain facts of a thing: enough to recognise it. Each stays on its line, whatever its writer put into it. */
const facts = (thing: unknown, secrets: ReadonlyArray<string>): string =>
  Object.entries(Object(concealed(thing, secrets)))
    .filter(([name, value]) => isPlain(value) && name !== "_id")
    .slice(0, 8)
    .map(([name, value]) => `${name}: ${JSON.stringify(value).slice(0, 120)}`)
    .join(", ")

/** What the call is about, as it is now, where the client has a call that reads it by its id. */
const present = ({ audience, name }: Described, clients: Clients, input: Input): Effect.Effect<string> => {
  const reading = entryOf(`${audience}.${sliceOf(name)}.get`)
  const dispatcher = clients[audience]?.dispatcher
  if (dispatcher === undefined || reading === undefined || input.id === undefined) return Effect.succeed("")
  // Its input is an id, which the platform judges as it judges any other.
  const operation = reading.operation as Operation<Input, unknown, never>
  return Effect.orElseSucceed(
    Effect.map(
      dispatcher.call(operation, { id: input.id }),
      (thing) => `\nNow: ${facts(thing, secretsOf(clients))}`
    ),
    () => ""
  )
}

/** All of it as a text of a few lines. */
export const previewOf = (
  entry: Described,
  clients: Clients,
  input: Input,
  risk: Risk
): Effect.Effect<string> =>
  Effect.map(
    present(entry, clients, input),
    (now) => `${entry.key}: ${entry.summary}\n${requestOf(entry, clients, input)}${now}\n${meanings[risk]}`
  )
