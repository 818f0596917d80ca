/** Tokens as a platform would issue them. Their signature is never checked by a client, and so is none. */

/** Base64url of text, or of JSON. */
export const base64url = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")

/** A token with these claims. */
export const jwt = (claims: unknown, header: unknown = { alg: "HS256", typ: "JWT" }): string =>
  `${base64url(header)}.${base64url(claims)}.signature`

/** The claims of an admin who may do everything. */
export const claims = { sub: "admin-1", email: "ada@example.test", name: "Ada", p: { "*": { "*": 9 } } }
