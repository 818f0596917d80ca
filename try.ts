import * as Sandbox from "@quartet/sandbox"
import * as Platform from "@quartet/sdk/platform"
import { createAdminClient, createPublicClient, createPrivateClient, signInEndUser } from "@quartet/sdk/promise"
import { definitionOf } from "@quartet/support/platforms.js"
const names = process.argv.slice(2).length ? process.argv.slice(2) : Sandbox.dialectNames
for (const name of names) {
  const say = (...a: unknown[]) => console.log(`[${name}]`, ...a)
  const sandbox = await Sandbox.start({ dialect: name as never })
  const platform = Platform.make(definitionOf(Sandbox.dialectOf(name as never)))
  const drifts: string[] = []
  const o = { platform, logDrift: false, onDrift: (d: any) => { drifts.push(`${d.operation} ${d.path}: ${d.expected} / ${d.came}`) } }
  const step = async (what: string, run: () => Promise<unknown>) => {
    try { const v = await run(); say(what, "ok", JSON.stringify(v)?.slice(0, 160)) } catch (e: any) { say(what, "FAILED", e._tag, e.message, e.cause?.message ?? "") }
  }
  const admin = createAdminClient({ ...sandbox.options.admin, ...Sandbox.accounts.admin, ...o })
  const pub = createPublicClient({ ...sandbox.options.public, ...o })
  const priv = createPrivateClient({ ...sandbox.options.private, ...o })
  let first: any
  await step("admin.requests.list", async () => { const p = await admin.requests.list({ statusIn: ["pending", "confirmed"], limit: 3 }); first = p.items[0]; return { n: p.items.length, total: p.paging.total, first } })
  await step("pages", async () => { let n = 0; const ids = new Set(); for await (const r of admin.users.list.pages({}, { limit: 25 })) { n++; ids.add(r._id) } return { n, ids: ids.size } })
  await step("search pages", async () => { let n = 0; const ids = new Set(); for await (const r of (admin.orders as any).search.pages({}, { limit: 50 })) { n++; ids.add(r._id) } return { n, ids: ids.size } })
  await step("get", () => admin.requests.get({ id: first._id }))
  await step("me", () => admin.onDemand.me())
  await step("404", () => admin.requests.get({ id: "5eed000000000000000000ff" }))
  await step("page 2", async () => (await admin.users.list({ page: 2, limit: 5 })).items.length)
  await step("public", async () => (await pub.items.get as any, (await pub.boxes.list({ limit: 2 })).items.length))
  await step("private", async () => (await priv.project.self()))
  await step("end user", async () => { const u = await signInEndUser({ ...sandbox.options.endUser, ...Sandbox.accounts.endUsers.ana, ...o }); const self = await u.auth.self(); const r = await u.requests.list({}); return [self.email, r.items.length] })
  await step("chat", async () => { const c = await admin.chat.open({}); const conv = (await admin.conversations.list({})).items[0]!; const sent = await c.send({ conversationId: conv._id, text: "hi" }); await c.close(); return sent })
  say("drifts", drifts.slice(0, 12))
  await admin.close(); await sandbox.close()
}
