// The credentials of Quartet's clients.

const segment = (value) => Buffer.from(JSON.stringify(value)).toString("base64url")

/** A session whose token allows everything and expires in the year 2100: the permission check is switched on. */
export const session = {
  projectId: "p1",
  sessionId: "s",
  accessToken: [
    segment({ alg: "HS256", typ: "JWT" }),
    segment({ sub: "admin", exp: 4_102_444_800, p: { "*": { "*": 9 } } }),
    "signature"
  ].join(".")
}
