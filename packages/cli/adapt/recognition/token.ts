/** What an access token is, and where its claims say who an admin is and what they may do. */

import { Levels } from "@quartet/sdk/extend"
import { isData } from "../../recording/keys.js"
import { idIn } from "./entities.js"
import {
  type Exchange,
  isObject,
  isScalar,
  isSuccess,
  type Json,
  nodes,
  valueAt,
  wordOf
} from "./exchange.js"
import { join, nothing, type Recognised } from "./line.js"
import { maybeTokens, partAt, partsOf } from "./parts.js"

/** The claims of a JWT; undefined where it is none. */
export const claimsOf = (token: string): Json | undefined => {
  const parts = token.split(".")
  if (parts.length !== 3) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(parts[1] ?? "", "base64url").toString("utf8"))
    return isObject(claims) ? claims : undefined
  } catch {
    return undefined
  }
}

/** Words for levels that leave no doubt. */
const levels: Readonly<Record<string, Levels.Level>> = {
  none: Levels.None,
  deny: Levels.None,
  denied: Levels.None,
  read: Levels.Read,
  view: Levels.Read,
  viewer: Levels.Read,
  readonly: Levels.Read,
  write: Levels.Write,
  edit: Levels.Write,
  editor: Levels.Write,
  readwrite: Levels.Write,
  admin: Levels.Admin,
  full: Levels.Admin,
  owner: Levels.Admin,
  all: Levels.Admin
}

/** The words that stand beside each other most often. */
const usual: Readonly<Record<string, Levels.Level>> = {
  none: Levels.None,
  read: Levels.Read,
  write: Levels.Write,
  admin: Levels.Admin
}

const known: ReadonlyArray<unknown> = [Levels.None, Levels.Read, Levels.Write, Levels.Admin]

/** Whether a value says resource by resource, action by action which level there is. */
const isGrants = (value: unknown): value is Json =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.values(value).every(
    (actions) =>
      isObject(actions) && Object.keys(actions).length > 0 && Object.values(actions).every(isScalar)
  )

/** Grants as words, such as `orders:list:read`, of which a claim has many. */
const wordsOfGrants = (value: unknown): ReadonlyArray<string> => {
  const words = typeof value === "string" ? value.split(/[\s,]+/) : Array.isArray(value) ? value : []
  return words.length > 0 &&
    words.every((word) => typeof word === "string" && /^[a-z*][\w.*-]*:[a-z*][\w.*-]*:[\w-]+$/i.test(word))
    ? words
    : []
}

/** Code that makes a map of such words. */
const fromWords = (path: string, isText: boolean): string => {
  const words = `claims.${path.replaceAll(".", "?.")}`
  return `(claims) => {
      const grants = {}
      for (const word of ${isText ? `String(${words} ?? "").split(/[\\s,]+/)` : `${words} ?? []`}) {
        const [resource, action, level] = word.split(":")
        if (level !== undefined) grants[resource] = { ...grants[resource], [action]: level }
      }
      return grants
    }`
}

const grantsInWords = (holder: Json): Recognised | undefined => {
  const found = nodes(holder, 2).find(({ value }) => wordsOfGrants(value).length > 0)
  if (found === undefined) return undefined
  const { lines, unseen } = levelsOf(wordsOfGrants(found.value).map((word) => word.split(":")[2]))
  return {
    fits: [],
    unseen,
    lines: [
      {
        at: "token.permissions",
        value: { code: fromWords(found.path, typeof found.value === "string") },
        reason: `\`${found.path}\` says in words of resource, action and level what the admin may do`
      },
      ...lines
    ]
  }
}

/** What the levels of grants mean, where they are not the SDK's. */
const levelsOf = (values: ReadonlyArray<unknown>): Recognised => {
  const others = [...new Set(values)].filter((value) => !known.includes(value))
  const meant = others.flatMap((value) => {
    const level = typeof value === "string" ? levels[value.toLowerCase().replaceAll(/[-_ ]/g, "")] : undefined
    return level === undefined ? [] : [[String(value), level] as const]
  })
  if (others.length === 0) return nothing
  // A token shows the levels of one admin: the other words of this set are its likely neighbours.
  if (others.every((value) => Object.hasOwn(usual, String(value))))
    return {
      ...nothing,
      lines: [
        {
          at: "token.levels",
          value: usual,
          reason: `its words for levels are such as ${others.map((value) => `"${String(value)}"`).join(", ")}; those of the others are guessed`
        }
      ]
    }
  return meant.length === others.length
    ? {
        ...nothing,
        lines: [
          { at: "token.levels", value: Object.fromEntries(meant), reason: "these are its words for levels" }
        ]
      }
    : {
        ...nothing,
        unseen: [
          "token.levels: the levels of its grants are none that the SDK knows (0, 1, 3 and 9), and their meaning cannot be told"
        ]
      }
}

const grants = (holder: Json, isOpaque: boolean): Recognised => {
  const found = nodes(holder, 3).find(
    ({ name, path, value }) => path !== "" && !isData(name) && isGrants(value)
  )
  if (found === undefined || !isObject(found.value)) {
    const words = grantsInWords(holder)
    if (words !== undefined) return words
    return {
      ...nothing,
      unseen: [
        isOpaque
          ? "token.permissions: nothing says by resource and action what the admin may do, so the platform alone decides"
          : 'token.permissions: no claim says by resource and action what the admin may do; without it make clients with permissions: "off"'
      ]
    }
  }
  const own = levelsOf(Object.values(found.value).flatMap((actions) => Object.values(Object(actions))))
  const isDefault = found.path === "p" && !isOpaque
  return {
    lines: [
      ...(isDefault
        ? []
        : [
            {
              at: "token.permissions",
              value: found.path,
              reason: "it says by resource and action what the admin may do"
            }
          ]),
      ...own.lines
    ],
    fits: isDefault ? ["the token's grants stand in `p`"] : [],
    unseen: own.unseen
  }
}

const claim = (
  holder: Json,
  at: string,
  defaults: ReadonlyArray<string>,
  names: ReadonlyArray<string>,
  what: string
): Recognised => {
  if (defaults.some((name) => isScalar(holder[name]))) return nothing
  const path = nodes(holder, 2).find(({ name, value }) => names.includes(name) && isScalar(value))?.path
  return path === undefined
    ? { ...nothing, unseen: [`token.${at}: nothing holds ${what}`] }
    : { ...nothing, lines: [{ at: `token.${at}`, value: path, reason: `it holds ${what}` }] }
}

const ids = ["sub", "_id", "id", "uid", "user_id", "userId", "uuid", "adminId", "admin_id"]
const emails = [
  "email",
  "mail",
  "e_mail",
  "emailAddress",
  "email_address",
  "username",
  "preferred_username",
  "upn"
]
const fullNames = ["name", "fullName", "full_name", "displayName", "display_name"]

/** How tokens are read. What the sign-in says of the user has the SDK's names by the time that it is looked at. */
export const token = (exchanges: ReadonlyArray<Exchange>): Recognised => {
  const answer = exchanges.find((each) => each.purpose === "sign-in of an admin" && isSuccess(each))
  if (answer === undefined) return { ...nothing, unseen: ["token: no admin signed in"] }
  const parts = partsOf(answer)
  const text = partAt(answer, parts.accessToken)
  const claims = text === undefined ? undefined : claimsOf(text)
  if (claims !== undefined) {
    const found = join([
      claim(claims, "subject", ["sub"], ids, "the admin's id"),
      claim(claims, "email", ["email"], emails, "the admin's e-mail"),
      claim(claims, "name", ["name"], fullNames, "the admin's name"),
      grants(claims, false)
    ])
    return { ...found, fits: ["the access token is a JWT", ...found.fits] }
  }
  const candidates = maybeTokens(answer)
  if (text === undefined && candidates.length > 0)
    return {
      ...nothing,
      unseen: ["token: what it is, since the sign-in does not show which of its texts is the access token"]
    }
  const place = typeof parts.user === "string" ? valueAt(answer.body, parts.user) : undefined
  if (!isObject(place))
    return { ...nothing, unseen: ["token: the sign-in shows neither a JWT nor who signed in"] }
  // A resource of JSON:API has its fields one level down.
  const user = ours(isObject(place.attributes) ? { ...place.attributes, id: place.id } : place)
  const found = join([
    claim(user, "subject", ["_id"], ids, "the admin's id"),
    claim(user, "email", ["email"], emails, "the admin's e-mail"),
    claim(user, "name", ["fullName", "name"], fullNames, "the admin's name"),
    grants(user, true)
  ])
  return {
    ...found,
    lines: [
      {
        at: "token.kind",
        value: "opaque",
        reason: `${text === undefined ? "the sign-in answered no token" : "the token is no JWT"}, so that the user of the sign-in says who the admin is`
      },
      ...found.lines
    ]
  }
}

/** A user by the names that the SDK has for the id and the full name. */
const ours = (user: Json): Json => {
  const id = idIn([user])
  return Object.fromEntries(
    Object.entries(user).map(([name, value]) => [
      name === id ? "_id" : wordOf(name) === "fullname" ? "fullName" : name,
      value
    ])
  )
}
