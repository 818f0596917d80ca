/** Marks every pending request as seen, and tells how many there were. */
import { createAdminClient, Errors } from "@quartet/sdk/promise"

const {
  QUARTET_BASE_URL: baseUrl = "http://127.0.0.1:4400",
  QUARTET_PROJECT_ID: projectId = "5eed00000000000000000001",
  QUARTET_EMAIL: email = "admin@quartet.test",
  QUARTET_PASSWORD: password = "admin-password"
} = process.env

const admin = createAdminClient({ baseUrl, projectId, email, password })

let seen = 0
for await (const { _id, seenByAdmin, version = 0 } of admin.requests.list.pages({ statusIn: ["pending"] })) {
  if (version === null || seenByAdmin === version) continue
  try {
    await admin.requests.markSeen({ id: _id, version })
    seen += 1
  } catch (error) {
    // Somebody changed it since the list was read: it is not seen as it is now.
    if (!(error instanceof Errors.Conflict)) throw error
    console.warn(`${_id} has changed`)
  }
}
console.log(`${seen} pending requests are seen now`)
await admin.close()
