/** The clients of the server: for server components and actions. Key and sessions stay on the server. */
import { createEndUserClient, createPublicClient } from "@quartet/sdk/promise"
import { cookies } from "next/headers"

const baseUrl = process.env.QUARTET_BASE_URL ?? "http://127.0.0.1:4400"
const apiKey = process.env.QUARTET_API_KEY ?? "qk_public_demo"

export const visitor = createPublicClient({ baseUrl, apiKey })

/** The client of whoever sent this request; undefined if nobody is signed in. One a request: it is one person's. */
export const endUser = async () => {
  // Of a cookie that an action has just deleted, Next reads an empty value.
  const sessionId = (await cookies()).get("session")?.value
  return sessionId ? createEndUserClient({ baseUrl, apiKey, sessionId }) : undefined
}
