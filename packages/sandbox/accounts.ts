/** The accounts of a fresh sandbox, for any seed. */

/**
 * The project of a fresh sandbox, its keys, and the accounts of admins and end users, for any seed. They are no
 * secrets.
 *
 * @example
 * ```ts
 * import { accounts } from "@quartet/sandbox"
 * import { createAdminClient } from "@quartet/sdk/promise"
 *
 * const client = createAdminClient({ baseUrl: "http://127.0.0.1:4400", projectId: accounts.projectId, ...accounts.admin })
 * ```
 * @category constants
 */
export const accounts = Object.freeze({
  projectId: "5eed00000000000000000001",
  apiKey: "qk_public_demo",
  privateKey: "qk_private_demo",
  /** May do everything: `{ "*": { "*": 9 } }`. */
  admin: Object.freeze({ email: "admin@quartet.test", password: "admin-password" } as const),
  /** May read everything and change nothing: `{ "*": { "*": 1 } }`. */
  viewer: Object.freeze({ email: "viewer@quartet.test", password: "viewer-password" } as const),
  endUsers: Object.freeze({
    ana: Object.freeze({ email: "ana@quartet.test", password: "user-password" } as const),
    beka: Object.freeze({ email: "beka@quartet.test", password: "user-password" } as const)
  } as const)
} as const)
