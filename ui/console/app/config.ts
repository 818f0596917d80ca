/** The platform that the console calls, as far as the page's server has said or a person has entered. */
import { type Reading, withoutEnd } from "@quartet/sdk/extend"
import type { Tenants } from "@quartet/sdk/extend/models/tenants"
import { type Configuration, name } from "../configuration.js"

/** Reads what the browser's storage keeps as JSON: an object without fields where that is nothing, or none of ours. */
export const parse = (text: string | null): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(text ?? "{}"))
  } catch {
    return {}
  }
}

/** An address in the one form in which two are compared. A path is one of the page's own server. */
export const addressOf = (text: string): string => withoutEnd(new URL(text, window.location.origin).href, "/")

/** What the page was served with. */
const served: Configuration = parse(
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? null
)

const initial = {
  baseUrl: addressOf(served.baseUrl ?? "/"),
  projectId: served.projectId ?? "",
  apiKey: served.apiKey ?? "",
  privateKey: served.privateKey ?? "",
  permissions: served.permissions ?? ("default" as Reading | "default")
}

/** What the console calls, and how it reads the permissions of a role. */
export type Settings = Readonly<typeof initial>

/** By default `intended`, and `off` where a platform's tokens say nothing of permissions. */
export const readings = ["default", "intended", "asBuilt", "off"] as const satisfies ReadonlyArray<
  Reading | "default"
>

const stored = "quartet.settings"

/** What is in use since the page was loaded: this page alone writes what is stored. */
export const settings: Settings = { ...initial, ...parse(sessionStorage.getItem(stored)) }

/** Keeps other settings in this tab, as keys are among them, or goes back to the server's, and loads the page again. */
export const applySettings = (next: Settings | undefined): void => {
  if (next === undefined) sessionStorage.removeItem(stored)
  else sessionStorage.setItem(stored, JSON.stringify(next))
  window.location.assign("/")
}

export const { apiKey, baseUrl, permissions, privateKey, projectId } = settings

/** What is known of the very platform that the page was served for, and of no other. */
const known: Configuration = baseUrl === initial.baseUrl ? served : {}

export const { accounts, isAsAssumed = false, kinds = [], platformModule, projectName } = known

/** What the platform is called. */
export const platform: string = known.platform ?? baseUrl

export const tenants: Tenants = known.tenants ?? {
  topicsProjectId: projectId,
  categoriesProjectIds: [projectId, ""]
}

/** Who signs in with a password. */
export const persons = ["admin", "endUser"] as const
export type Person = (typeof persons)[number]
