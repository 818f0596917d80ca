/** Every call of every client, under the name by which a model asks for it, and whether it may be made. */

import {
  type Audience,
  type Bindable,
  type CallError,
  callOf,
  Levels as Level,
  sliceOf
} from "@quartet/sdk/extend"
import { type Described, described, riskOf as irrevocable } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"

/** The clients that there are credentials for. */
export type Clients = { readonly [A in Audience]?: Bindable }

/** What no answer may show: the credentials of all clients and the cookies of their platform, whichever call repeats them. */
export const secretsOf = (clients: Clients): ReadonlyArray<string> =>
  Object.values(clients).flatMap(({ dispatcher: { settings } }) => [
    ...settings.credentialsProvider.secrets(),
    ...(settings.dialect?.chat?.secrets() ?? [])
  ])

/** All calls but those that sign in, which the clients do by themselves: their answers are credentials. */
export const entries: ReadonlyArray<Described> = described.filter(
  ({ name }) => !/^auth\.(legacyL|l)ogin$/.test(name)
)

const byKey: ReadonlyMap<string, Described> = new Map(entries.map((entry) => [entry.key, entry]))

export const entryOf = (key: string): Described | undefined => byKey.get(key)

/** Why a person is asked before a call is made: what it does cannot be undone, or gives others power. */
export type Risk = "access" | "deletion" | "message" | "money"

/**
 * The risk of a call; undefined where nobody has to be asked. A model is asked more often than a person who writes the call:
 * it may have been talked into a message or into a role.
 */
export const riskOf = (entry: Described): Risk | undefined => {
  const { declared, isRead, name } = entry
  if (isRead) return undefined
  if (/^notifications\.(send|push)/.test(name)) return "message"
  const risk = irrevocable(entry, {})
  if (risk === "money" || risk === "deletion") return risk
  return declared.requires === Level.Admin ? "access" : undefined
}

/** Why a call cannot be made; undefined where nothing is known against it. */
export type Obstacle =
  | { readonly _tag: "NoCredentials" }
  | { readonly _tag: "NotPermitted"; readonly grant: string }
  | { readonly _tag: "SignInFailed"; readonly error: CallError }

const levels = Object.entries(Level)

/** What the admin's token must grant for a call, such as `requests.markSeen at level Write (3)`. */
export const needs = ({ audience, declared, name }: Described, clients: Clients): string | undefined => {
  if (audience !== "admin" || declared.requires === undefined) return undefined
  const authorization = clients.admin?.dispatcher.settings.authorization
  const { action, resource } = authorization?.requirement(name) ?? {
    resource: sliceOf(name),
    action: callOf(name)
  }
  const level = declared.requires
  const [word] = levels.find(([, weight]) => weight === level) ?? []
  return `${resource}.${action} at level ${word} (${level})`
}

/** Tells for each call what stands against it. An admin signs in for that, where there is no session yet. */
export const judge = (clients: Clients): Effect.Effect<(entry: Described) => Obstacle | undefined> => {
  const { admin } = clients
  if (admin === undefined) return Effect.succeed((entry) => obstacleOf(entry, clients, undefined))
  const { credentialsProvider } = admin.dispatcher.settings
  return Effect.map(Effect.either(Effect.clockWith(credentialsProvider.getCredentials)), (credentials) => {
    if (credentials._tag === "Left") {
      const failed = { _tag: "SignInFailed", error: credentials.left } as const
      return (entry) => (entry.audience === "admin" ? failed : obstacleOf(entry, clients, undefined))
    }
    return (entry) => obstacleOf(entry, clients, credentials.right.grants)
  })
}

const obstacleOf = (entry: Described, clients: Clients, grants: unknown): Obstacle | undefined => {
  const { audience, declared, name } = entry
  const client = clients[audience]
  if (client === undefined) return { _tag: "NoCredentials" }
  if (audience !== "admin" || declared.requires === undefined) return undefined
  const verdict = client.dispatcher.settings.authorization?.verdict(name, declared.requires, grants)
  if (verdict === undefined || verdict.allowed) return undefined
  return {
    _tag: "NotPermitted",
    grant: verdict.grant === undefined ? "no grant" : `${verdict.grant} = ${verdict.level}`
  }
}
