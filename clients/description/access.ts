/** Who may make a call. */
import type { Audience, Declared } from "../../core/kernel/operation/operation.js"
import * as Level from "../../core/permissions/level.js"

const levels = Object.entries(Level)

/** The name of a level: `Read`. */
export const levelOf = (level: Declared["requires"]): string | undefined =>
  levels.find(([, weight]) => weight === level)?.[0]

const signedIn: Readonly<Record<Audience, string>> = {
  admin: "Any signed-in admin.",
  public: "The project's API key.",
  private: "The private key: on servers alone.",
  endUser: "A signed-in end user: session and API key."
}

/** Who may make a call, or what their token must grant, in one sentence. */
export const accessOf = (
  audience: Audience,
  { credentials, requires }: Pick<Declared, "credentials" | "requires">,
  name: string
): string => {
  if (credentials === "none") return "None: it sends no credentials."
  const level = levelOf(requires)
  return audience === "admin" && level !== undefined
    ? `The admin's token must grant ${level} on \`${name}\`.`
    : signedIn[audience]
}

/** The same, as a part of a text: `Permission: none; it sends no credentials.` */
export const permissionOf = (...[audience, declared, name]: Parameters<typeof accessOf>): string =>
  `Permission: ${accessOf(audience, declared, name)
    .replace(/^./, (letter) => letter.toLowerCase())
    .replace(/^none: /, "none; ")}`
