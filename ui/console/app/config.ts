/** The address of the platform, and what the console knows about its project before anybody signs in. */
import { accounts } from "../../../adapters/sandbox/accounts.js"
import type { Reading } from "../../../core/permissions/grants.js"
import type { Tenants } from "../../../core/tenants/model.js"

/** What the console calls, and how it reads the permissions of a role. */
export interface Settings {
  readonly baseUrl: string
  readonly projectId: string
  readonly apiKey: string
  readonly privateKey: string
  readonly permissions: Reading
}

/** The sandbox that the page came from, or that the page names: the console is part of it. */
const sandbox: Settings = {
  baseUrl:
    document.querySelector<HTMLMetaElement>("meta[name=quartet-base-url]")?.content ?? window.location.origin,
  projectId: accounts.projectId,
  apiKey: accounts.apiKey,
  privateKey: accounts.privateKey,
  permissions: "intended"
}

export const readings = ["intended", "asBuilt", "off"] as const satisfies ReadonlyArray<Reading>

const stored = "quartet.settings"

const chosen = (): Partial<Settings> => {
  try {
    const given: Record<string, unknown> = Object(JSON.parse(sessionStorage.getItem(stored) ?? "{}"))
    const texts = Object.entries(given).filter(([name, text]) => name in sandbox && typeof text === "string")
    const permissions = readings.find((reading) => reading === given.permissions) ?? sandbox.permissions
    return { ...Object.fromEntries(texts), permissions }
  } catch {
    return {}
  }
}

/** What is in use since the page was loaded. */
export const settings: Settings = { ...sandbox, ...chosen() }

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

/** An account for signing in with one click. */
export interface DemoAccount {
  readonly name: string
  readonly about: string
  readonly email: string
  readonly password: string
}

export const admins: ReadonlyArray<DemoAccount> = [
  { name: "Tamar Chikovani", about: "Owner: may do everything", ...accounts.admin },
  { name: "Felix Keller", about: "Viewer: may look, not change", ...accounts.viewer }
]

export const endUsers: ReadonlyArray<DemoAccount> = [
  { name: "Ana Beridze", about: "Resident", ...accounts.endUsers.ana },
  { name: "Beka Kapanadze", about: "Broker", ...accounts.endUsers.beka }
]
