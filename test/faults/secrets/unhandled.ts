/** A program that leaves its rejections unhandled: what Node prints of them is read by the one who started it. */
import { createAdminClient, createEndUserClient, createPublicClient } from "../../../clients/promise/index.js"
import { canary, token } from "./canaries.js"

const [baseUrl = "", ...numbers] = process.argv.slice(2)
const policy = { attempts: 1, deadline: 500 }
const admin = createAdminClient({
  baseUrl,
  policy,
  projectId: "the-project",
  sessionId: canary("sessionId").text,
  accessToken: token("accessToken").text
})
const visitor = createPublicClient({ baseUrl, policy, apiKey: canary("apiKey").text })
const endUser = createEndUserClient({
  baseUrl,
  policy,
  apiKey: canary("apiKey").text,
  sessionId: canary("sessionId").text
})
for (const number of numbers) {
  const id = `qt-leak-${number}`
  void admin.requests.get({ id })
  void visitor.boxes.get({ id })
  void endUser.boxes.update({ id, payload: { a: 1 } })
}
