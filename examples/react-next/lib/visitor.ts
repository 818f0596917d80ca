/** The visitor's client of the server: for server components and actions. Its key stays on the server. */
import { createPublicClient } from "@quartet/sdk/promise"

export const visitor = createPublicClient({
  baseUrl: process.env.QUARTET_BASE_URL ?? "http://127.0.0.1:4400",
  apiKey: process.env.QUARTET_API_KEY ?? "qk_public_demo"
})
