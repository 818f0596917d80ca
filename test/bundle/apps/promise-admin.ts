/** An app that makes one call through the Promise client of administrators, which has all their calls. */
import { createAdminClient } from "@quartet/sdk/promise"

const admin = createAdminClient({
  baseUrl: "https://api.example.com",
  projectId: "p1",
  email: "admin@example.com",
  password: "password"
})
admin.requests.list({ statusIn: ["pending"] }).then(console.log)
