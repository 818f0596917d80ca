/** An app that makes one call by the admin's client in the form of Promises. */
import * as requests from "../../../clients/admin/requests.js"
import { createAdmin } from "../../../clients/promise/admin.js"

const call = createAdmin({
  baseUrl: "https://api.example.com",
  projectId: "p1",
  email: "admin@example.com",
  password: "password"
})
call(requests.list, { statusIn: ["pending"] }).then(console.log)
