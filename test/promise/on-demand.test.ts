// What Promise clients read when it is asked for, and keep: who the admin or user is, and the project.
import { describe, expect, test } from "vitest"
import { onDemand } from "../../clients/admin/index.js"
import { createAdmin, run, signOut } from "../../clients/promise/admin.js"
import { createAdminClient } from "../../clients/promise/index.js"
import { tokenOf } from "../wire/platform.js"
import { ada, playAdmin, serve } from "./served.js"

const { admin, endUser, server, targets, visitor } = await serve()

describe("on demand", () => {
  // Spec 1.7
  test("the admin is read from the token, after a sign-in where there was none", async () => {
    server.play(playAdmin)
    expect(await admin().onDemand.me()).toMatchObject({ _id: "admin-1", permissions: { "*": { "*": 9 } } })
    expect([...targets()].sort()).toEqual(["POST /auth/admin/login", "POST /auth/login"])
  })

  // Spec 4.7
  test("the user whom the sign-in described is kept with its session: asking again sends nothing", async () => {
    server.play(playAdmin)
    const { user } = admin().onDemand
    expect(await user()).toEqual({ ...ada, since: new Date(ada.since) })
    expect(await user()).toEqual({ ...ada, since: new Date(ada.since) })
    expect([...targets()].sort()).toEqual(["POST /auth/admin/login", "POST /auth/login"])
  })

  // Spec 4.6
  test("where a session was given, the user is read from the token alone, and nothing is sent", async () => {
    server.play(playAdmin)
    const session = { sessionId: "session-1", accessToken: tokenOf("admin-1") }
    const { me, user } = createAdminClient({ baseUrl: server.url, projectId: "p1", ...session }).onDemand
    expect(await me()).toMatchObject({ _id: "admin-1" })
    expect(await user()).toBeUndefined()
    expect(targets()).toEqual([])
  })

  // Spec 1.7
  test("the project is read once, however many ask, until it is invalidated", async () => {
    server.play(playAdmin)
    const { project } = visitor().onDemand
    const [first, second] = await Promise.all([project.get(), project.get()])
    expect(first).toEqual({ _id: "p1", name: "House" })
    expect(second).toBe(first)
    expect(await project.get()).toBe(first)
    expect(targets()).toEqual(["GET /project/self"])
    await project.invalidate()
    await project.get()
    expect(targets()).toHaveLength(2)
  })

  test("the project that an admin has read is forgotten when they sign out, in both kinds of clients", async () => {
    server.play(playAdmin)
    const config = {
      baseUrl: server.url,
      projectId: "p1",
      email: "ada@example.com",
      password: "correct horse"
    }
    const reads = () => targets().filter((target) => target.startsWith("GET ")).length
    const whole = createAdminClient(config)
    const { project } = whole.onDemand
    await project.get()
    await project.get()
    expect(reads()).toBe(1)
    await whole.session.signOut()
    await project.get()
    expect(reads()).toBe(2)
    const call = createAdmin(config)
    await run(call, onDemand.project.get)
    await signOut(call)
    await run(call, onDemand.project.get)
    expect(reads()).toBe(4)
    await Promise.all([whole.close(), call.close()])
  })

  test("one who asks may leave by a signal; the others get the value", async () => {
    server.play(() => undefined)
    const { me } = endUser().onDemand
    const controller = new AbortController()
    const first = me.get({ signal: controller.signal })
    const second = me.get()
    const exchange = await server.exchange(0)
    controller.abort(new Error("not needed"))
    await expect(first).rejects.toThrow("not needed")
    exchange.json({ _id: "u1" })
    expect(await second).toEqual({ _id: "u1" })
    expect(targets()).toHaveLength(1)
  })
})
