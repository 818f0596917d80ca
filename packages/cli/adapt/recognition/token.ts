/** What an access token is, and where its claims say who an admin is and what they may do. */

import { Levels } from "@quartet/sdk/extend"
import { isData } from "../../recording/keys.js"
import { type Exchange, isObject, isScalar, isSuccess, type Json, nodes, valueAt } from "./exchange.js"
import { type Line, nothing, type Recognised } from "./line.js"
import { partAt, partsOf } from "./session.js"

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

const known: ReadonlyArray<unknown> = [Levels.None, Levels.Read, Levels.Write, Levels.Admin]

/** Whether a value says resource by resource, action by action which level there is. */
const isGrants = (value: unknown): value is Json =>
  isObject(value) &&
  Object.keys(value).length > 0 &&
  Object.values(value).every(
    (actions) =>
      isObject(actions) && Object.keys(actions).length > 0 && Object.values(actions).every(isScalar)
  )

const grants = (holder: Json, isOpaque: boolean): Recognised => {
  const found = nodes(holder, 3).find(
    ({ name, path, value }) => path !== "" && !isData(name) && isGrants(value)
  )
  if (found === undefined || !isObject(found.value))
    return {
      ...nothing,
      unseen: [
        `token.permissions: ${isOpaque ? "nothing says" : "no claim says"} by resource and action what the admin may do${isOpaque ? ", so the platform alone decides" : '; without it make clients with permissions: "off"'}`
      ]
    }
  const values = [...new Set(Object.values(found.value).flatMap((actions) => Object.values(Object(actions))))]
  const others = values.filter((value) => !known.includes(value))
  const lines: Array<Line> =
    found.path === "p" && !isOpaque
      ? []
      : [
          {
            at: "token.permissions",
            value: found.path,
            reason: "it says by resource and action what the admin may do"
          }
        ]
  const meant = others.flatMap((value) => {
    const level = typeof value === "string" ? levels[value.toLowerCase().replaceAll(/[-_ ]/g, "")] : undefined
    return level === undefined ? [] : [[String(value), level] as const]
  })
  if (meant.length > 0 && meant.length === others.length)
    lines.push({
      at: "token.levels",
      value: Object.fromEntries(meant),
      reason: "these are its words for levels"
    })
  return {
    lines,
    fits: lines.length === 0 ? ["the token's grants stand in `p`"] : [],
    unseen:
      meant.length === others.length
        ? []
        : [
            "token.levels: the levels of its grants are none that the SDK knows (0, 1, 3 and 9), and their meaning cannot be told"
          ]
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

/** How tokens are read. */
export const token = (exchanges: ReadonlyArray<Exchange>): Recognised => {
  const answer = exchanges.find((each) => each.purpose === "sign-in of an admin" && isSuccess(each))
  if (answer === undefined) return { ...nothing, unseen: ["token: no admin signed in"] }
  const parts = partsOf(answer)
  const text = partAt(answer, parts.accessToken)
  if (text === undefined) return { ...nothing, unseen: ["token: the sign-in does not show one"] }
  const claims = claimsOf(text)
  const isOpaque = claims === undefined
  const place = typeof parts.user === "string" ? valueAt(answer.body, parts.user) : undefined
  const user: Json = isObject(place) ? place : {}
  // A resource of JSON:API has its fields one level down.
  const holder = claims ?? (isObject(user.attributes) ? { ...user.attributes, id: user.id } : user)
  const found = [
    claim(holder, "subject", isOpaque ? ["_id"] : ["sub"], ids, "the admin's id"),
    claim(holder, "email", ["email"], emails, "the admin's e-mail"),
    claim(holder, "name", isOpaque ? ["fullName", "name"] : ["name"], fullNames, "the admin's name"),
    grants(holder, isOpaque)
  ]
  return {
    lines: [
      ...(isOpaque
        ? [
            {
              at: "token.kind",
              value: "opaque",
              reason:
                "the token is no JWT, so that what is known of the admin comes from the user of the sign-in"
            }
          ]
        : []),
      ...found.flatMap(({ lines }) => lines)
    ],
    fits: [...(isOpaque ? [] : ["the access token is a JWT"]), ...found.flatMap(({ fits }) => fits)],
    unseen: found.flatMap(({ unseen }) => unseen)
  }
}
