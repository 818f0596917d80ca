/** Marks every pending request as seen, and tells how many there were. */
import { type AdminClient, createAdminClient, Errors } from "@quartet/sdk/promise"

const {
  QUARTET_BASE_URL: baseUrl = "http://127.0.0.1:4400",
  QUARTET_PROJECT_ID: projectId = "5eed00000000000000000001",
  QUARTET_EMAIL: email = "admin@quartet.test",
  QUARTET_PASSWORD: password = "admin-password"
} = process.env

const markAllSeen = async (admin: AdminClient): Promise<number> => {
  let seen = 0
  for await (const request of admin.requests.list.pages({ statusIn: ["pending"] })) {
    const { _id, seenByAdmin, version = 0 } = request
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
  return seen
}

try {
  const admin = createAdminClient({ baseUrl, projectId, email, password })
  try {
    console.log(`${await markAllSeen(admin)} pending requests are seen now`)
  } finally {
    await admin.close()
  }
} catch (error) {
  // What the platform, the network or the configuration is to blame for is told in a line; anything else is a bug of this script.
  if (!Errors.isCallError(error)) throw error
  console.error(error.message)
  process.exitCode = 1
}
