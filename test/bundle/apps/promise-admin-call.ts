/** An app that makes one call by the admin's client in the form of Promises. */
import * as requests from "@quartet/sdk/admin/requests"
import { createAdmin } from "@quartet/sdk/promise/admin"

const call = createAdmin({
  baseUrl: "https://api.example.com",
  projectId: "p1",
  email: "admin@example.com",
  password: "password"
})
call(requests.list, { statusIn: ["pending"] }).then(console.log)
