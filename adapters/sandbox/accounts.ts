/** The accounts of a fresh sandbox, for any seed. */

/** The project, its keys, and the accounts of admins and end users. @category constants */
export const accounts = {
  projectId: "5eed00000000000000000001",
  apiKey: "qk_public_demo",
  privateKey: "qk_private_demo",
  /** May do everything: `{ "*": { "*": 9 } }`. */
  admin: { email: "admin@quartet.test", password: "admin-password" },
  /** May read everything and change nothing: `{ "*": { "*": 1 } }`. */
  viewer: { email: "viewer@quartet.test", password: "viewer-password" },
  endUsers: {
    ana: { email: "ana@quartet.test", password: "user-password" },
    beka: { email: "beka@quartet.test", password: "user-password" }
  }
} as const
