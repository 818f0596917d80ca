/** The address of the platform, and what the console knows about its project before anybody signs in. */
import { accounts } from "../../../adapters/sandbox/accounts.js"
import type { Tenants } from "../../../core/tenants/model.js"

/** The address of the platform: where the page came from, unless the page says another. */
export const baseUrl: string =
  document.querySelector<HTMLMetaElement>("meta[name=quartet-base-url]")?.content ?? window.location.origin

/** The sandbox's project and keys: the console is part of the sandbox. */
export const { apiKey, privateKey, projectId } = accounts

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
