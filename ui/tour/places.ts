/** The address and the accounts of the tour: the sandbox's seeded ones, or those in the environment. */
import { accounts } from "../../adapters/sandbox/index.js"

export interface Places {
  readonly baseUrl: string
  readonly projectId: string
  readonly apiKey: string
  readonly privateKey: string
  readonly admin: { readonly email: string; readonly password: string }
  readonly user: { readonly email: string; readonly password: string }
}

export const places = (
  baseUrl: string,
  environment: Readonly<Record<string, string | undefined>>
): Places => {
  const read = (name: string, otherwise: string): string => environment[`QUARTET_${name}`] || otherwise
  const { ana } = accounts.endUsers
  return {
    baseUrl,
    projectId: read("PROJECT_ID", accounts.projectId),
    apiKey: read("API_KEY", accounts.apiKey),
    privateKey: read("PRIVATE_KEY", accounts.privateKey),
    admin: {
      email: read("ADMIN_EMAIL", accounts.admin.email),
      password: read("ADMIN_PASSWORD", accounts.admin.password)
    },
    user: { email: read("USER_EMAIL", ana.email), password: read("USER_PASSWORD", ana.password) }
  }
}
