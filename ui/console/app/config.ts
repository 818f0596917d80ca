/** The address of the platform, and what the console knows about its project before anybody signs in. */
import { accounts as seeded } from "@quartet/sandbox"
import { withoutEnd, type Reading } from "@quartet/sdk/extend"
import type { Tenants } from "@quartet/sdk/models/tenants"
import { parse } from "./stored.js"

/** An address in the one form in which two are compared. */
export const addressOf = (text: string): string => withoutEnd(new URL(text).href, "/")

/** The sandbox that the page came from, or that the page names: the console is part of it. */
const sandbox = {
  baseUrl: addressOf(
    document.querySelector<HTMLMetaElement>("meta[name=quartet-base-url]")?.content ?? window.location.origin
  ),
  projectId: seeded.projectId as string,
  apiKey: seeded.apiKey as string,
  privateKey: seeded.privateKey as string,
  permissions: "intended" as Reading
}

/** What the console calls, and how it reads the permissions of a role. */
export type Settings = Readonly<typeof sandbox>

export const readings = ["intended", "asBuilt", "off"] as const satisfies ReadonlyArray<Reading>

const stored = "quartet.settings"

/** What is in use since the page was loaded: this page alone writes what is stored. */
export const settings: Settings = { ...sandbox, ...parse(sessionStorage.getItem(stored)) }

/** Whether the platform is the sandbox: of any other, nothing is known but what the specification says. */
export const isSandbox: boolean = settings.baseUrl === sandbox.baseUrl

/** Keeps other settings in this tab, as keys are among them, or goes back to the sandbox's, and loads the page again. */
export const applySettings = (next: Settings | undefined): void => {
  if (next === undefined) sessionStorage.removeItem(stored)
  else sessionStorage.setItem(stored, JSON.stringify(next))
  window.location.assign("/")
}

export const { apiKey, baseUrl, permissions, privateKey, projectId } = settings

/** The seeded project is the one with conversation topics, and the first of the two with action categories. */
export const tenants: Tenants = {
  topicsProjectId: projectId,
  categoriesProjectIds: [projectId, "5eed00000000000000000002"]
}

/** The sandbox's accounts, for signing in with one click. */
export const accounts = {
  admin: [
    { name: "Tamar Chikovani", about: "Owner: may do everything", ...seeded.admin },
    { name: "Felix Keller", about: "Viewer: may look, not change", ...seeded.viewer }
  ],
  endUser: [
    { name: "Ana Beridze", about: "Resident", ...seeded.endUsers.ana },
    { name: "Beka Kapanadze", about: "Broker", ...seeded.endUsers.beka }
  ]
} as const satisfies Record<Person, ReadonlyArray<object>>

/** Who signs in with a password. */
export const persons = ["admin", "endUser"] as const
export type Person = (typeof persons)[number]
