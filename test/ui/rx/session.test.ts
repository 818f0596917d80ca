// Who is signed in, how that changes, and what they may do as far as the token tells.

import { Registry } from "@effect-rx/rx-react"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import * as Public from "../../../clients/public/index.js"
import { Level, makeQueryClient, type PermissionArgs } from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { adminClient, adminLayer, observe, request, token, turn, watch } from "./scripted.js"

const base = { baseUrl: "https://api.example.com", projectId: "p1", policy: { attempts: 1 } }
const ann = { email: "ann@example.com", password: "right" }

/** A platform on which anyone signs in whose password is right. */
const platform: Fake.Script = ({ body, operation }) => {
  const isRight = body?._tag === "Json" && body.text.includes('"right"')
  if (operation === "auth.login")
    return isRight
      ? Fake.json(200, { accessToken: token({ requests: { "*": 1 } }), user: {} })
      : Fake.json(401, {})
  if (operation === "auth.legacyLogin")
    return isRight ? Fake.json(200, { sessionId: "s1" }) : Fake.json(401, {})
  return Fake.json(200, request("r1"))
}

/** A client that nobody is signed in to. */
const openClient = (script: Fake.Script = platform) => {
  const fake = Fake.make(script)
  const layerFor = (login: typeof ann) => Layer.provide(Admin.layer({ ...base, ...login }), fake.layer)
  return { client: makeQueryClient(layerFor), layerFor, fake, registry: Registry.make() }
}

describe("who is signed in", () => {
  test("an admin with a session is read from the token, and nothing is sent", async () => {
    const { fake, client, registry } = adminClient([])
    const { last, seen } = await observe(registry, client.session)
    expect(seen[0]).toEqual({ status: "signing-in" })
    expect(last()).toMatchObject({
      status: "signed-in",
      identity: { audience: "admin", admin: { _id: "a1", email: "ann@example.com", fullName: "Ann" } }
    })
    expect(fake.exchanges).toHaveLength(0)
  })

  test("an admin with a password is signed in to find out", async () => {
    const { fake, layerFor, registry } = openClient()
    const { last } = await observe(registry, makeQueryClient(layerFor(ann)).session)
    expect(last().status).toBe("signed-in")
    expect(fake.requests().map(({ operation }) => operation)).toEqual(["auth.login", "auth.legacyLogin"])
  })

  test("an end user is asked for at the platform", async () => {
    const fake = Fake.make([Fake.json(200, { _id: "u1", email: "nino@example.com" })])
    const endUser = EndUser.layer({ ...base, apiKey: "k", sessionId: "s" })
    const client = makeQueryClient(Layer.provide(endUser, fake.layer))
    const { last } = await observe(Registry.make(), client.session)
    expect(last()).toMatchObject({ identity: { audience: "endUser", user: { _id: "u1" } } })
    expect(fake.requests()[0]?.operation).toBe("auth.self")
  })

  test("a visitor is nobody, and may ask for anything", async () => {
    const registry = Registry.make()
    const client = makeQueryClient(Layer.provide(Public.layer({ ...base, apiKey: "k" }), Fake.make([]).layer))
    const { last } = await observe(registry, client.session)
    expect(last()).toEqual({ status: "signed-in", identity: { audience: "public" } })
    expect(client.session.actions(registry).can(Public.items.search)).toBe(true)
  })

  test("a sign-in that fails says why", async () => {
    const { layerFor, registry } = openClient()
    const { last } = await observe(registry, makeQueryClient(layerFor({ ...ann, password: "wrong" })).session)
    expect(last()).toMatchObject({
      status: "signed-out",
      error: { _tag: "CredentialsError", reason: "Rejected" }
    })
  })
})

describe("signing in and out", () => {
  test("nobody is signed in before, and calls say so without being sent", async () => {
    const { fake, client, registry } = openClient()
    const session = watch(registry, client.session)
    const query = await observe(registry, client.query(Admin.requests.get, { id: "r1" }))
    expect(session.last()).toEqual({ status: "signed-out", error: undefined })
    expect(query.last()).toMatchObject({
      _tag: "Failure",
      cause: { error: { _tag: "CredentialsError", reason: "Missing" } }
    })
    expect(fake.exchanges).toHaveLength(0)
  })

  test("signing in tells who it is, and asks for what is on the screen", async () => {
    const { client, registry } = openClient()
    const session = watch(registry, client.session)
    const query = await observe(registry, client.query(Admin.requests.get, { id: "r1" }))
    const outcome = await client.session.actions(registry).signIn(ann)
    await turn()
    expect(outcome).toMatchObject({ status: "success", data: { audience: "admin", admin: { _id: "a1" } } })
    expect(session.seen.map(({ status }) => status)).toEqual(["signed-out", "signing-in", "signed-in"])
    expect(query.last()).toMatchObject({ _tag: "Success", value: { _id: "r1" } })
  })

  test("a refused sign-in is an outcome, and leaves nobody signed in", async () => {
    const { client, registry } = openClient()
    const session = watch(registry, client.session)
    const outcome = await client.session.actions(registry).signIn({ ...ann, password: "wrong" })
    expect(outcome).toMatchObject({
      status: "error",
      error: { _tag: "CredentialsError", reason: "Rejected" }
    })
    expect(session.last()).toMatchObject({ status: "signed-out", error: { reason: "Rejected" } })
  })

  test("a refused sign-in releases what was built for it", async () => {
    let built = 0
    let released = 0
    const resource = Layer.scopedDiscard(
      Effect.acquireRelease(
        Effect.sync(() => {
          built += 1
        }),
        () =>
          Effect.sync(() => {
            released += 1
          })
      )
    )
    const { layerFor, registry } = openClient()
    const client = makeQueryClient((login: typeof ann) => Layer.merge(layerFor(login), resource))
    await client.session.actions(registry).signIn({ ...ann, password: "wrong" })
    await turn()
    expect([built, released]).toEqual([1, 1])
    await client.session.actions(registry).signIn(ann)
    await client.session.actions(registry).signIn(ann)
    await turn()
    expect([built, released]).toEqual([3, 2])
    registry.dispose()
    await turn()
    expect([built, released]).toEqual([3, 3])
  })

  test("a refused sign-in of another one leaves the present one signed in", async () => {
    const { client, registry } = openClient()
    const session = watch(registry, client.session)
    await client.session.actions(registry).signIn(ann)
    await client.session.actions(registry).signIn({ ...ann, password: "wrong" })
    expect(session.last()).toMatchObject({ status: "signed-in" })
  })

  test("the later of two sign-ins counts", async () => {
    const { fake, client, registry } = openClient(["waits"])
    const first = client.session.actions(registry).signIn(ann)
    await turn()
    const second = client.session.actions(registry).signIn(ann)
    await turn()
    expect(await first).toEqual({ status: "cancelled" })
    expect(fake.exchanges.map(({ state }) => state)).toEqual(["abandoned", "abandoned", "open", "open"])
    fake.at(2).settle(Fake.json(200, { accessToken: token(), user: {} }))
    fake.at(3).settle(Fake.json(200, { sessionId: "s1" }))
    expect(await second).toMatchObject({ status: "success" })
  })

  test("signing out forgets every answer, interrupts what is under way, and sends nothing more", async () => {
    const { fake, client, registry } = openClient((asked, place) =>
      asked.path.includes("slow") || typeof platform !== "function" ? "waits" : platform(asked, place)
    )
    await client.session.actions(registry).signIn(ann)
    const done = watch(registry, client.query(Admin.requests.get, { id: "r1" }))
    watch(registry, client.query(Admin.requests.get, { id: "slow" }))
    const session = await observe(registry, client.session)
    const sent = fake.exchanges.length
    await client.session.actions(registry).signOut()
    await turn()
    expect(session.last()).toEqual({ status: "signed-out", error: undefined })
    expect(done.last()).toMatchObject({ _tag: "Failure", previousSuccess: { _tag: "None" } })
    expect(fake.count("abandoned")).toBe(1)
    expect(fake.exchanges).toHaveLength(sent)
  })

  test("a client that signs in by itself can sign out, and in again", async () => {
    const { layerFor, registry } = openClient()
    const client = makeQueryClient(layerFor(ann))
    const session = await observe(registry, client.session)
    await client.session.actions(registry).signOut()
    expect(session.last().status).toBe("signed-out")
    await client.session.actions(registry).signIn(undefined)
    expect(session.last().status).toBe("signed-in")
  })

  test("credentials that are there from the start are used from the start", async () => {
    const { layerFor, registry } = openClient()
    const client = makeQueryClient(layerFor, { credentials: ann })
    const { last } = await observe(registry, client.session)
    expect(last().status).toBe("signed-in")
  })
})

describe("permissions", () => {
  const canWith = async (permissions: unknown, options: Parameters<typeof makeQueryClient>[1] = {}) => {
    const client = makeQueryClient(adminLayer(Fake.make([]), token(permissions)), options)
    const registry = Registry.make()
    await observe(registry, client.session)
    return client.session.actions(registry).can
  }

  const granted = { requests: { "*": 1, markSeen: 3 } }

  const wishes: ReadonlyArray<readonly [says: string, args: PermissionArgs, is: boolean]> = [
    ["a call whose level is granted", [Admin.requests.list], true],
    ["a call that has a grant of its own", [Admin.requests.markSeen], true],
    ["a call that needs more", [Admin.requests.update], false],
    ["a call of another slice", [Admin.items.list], false],
    ["a name, at Write", ["requests", "markSeen"], true],
    ["a name that has less than Write", ["requests", "list"], false],
    ["a name at a given level", ["requests", "list", Level.Read], true]
  ]
  test.each(wishes)("is known for %s", async (_, args, is) => {
    expect((await canWith(granted))(...args)).toBe(is)
  })

  test("by names, the level is the call's own where the query client knows the calls", async () => {
    const can = await canWith({ requests: { "*": 1 } }, { calls: Admin })
    expect([can("requests", "list"), can("requests", "markSeen"), can("constructor", "name")]).toEqual([
      true,
      false,
      false
    ])
  })

  test("the client's own names and reading count", async () => {
    const fake = Fake.make([])
    const config = { ...base, sessionId: "s", accessToken: token({ "request-action": { "*": 1 } }) }
    const layer = Admin.layer({
      ...config,
      permissions: "asBuilt",
      permissionNames: { requests: "request-action" }
    })
    const client = makeQueryClient(Layer.provide(layer, fake.layer))
    const registry = Registry.make()
    await observe(registry, client.session)
    expect(client.session.actions(registry).can(Admin.requests.markSeen)).toBe(true)
    expect(client.session.actions(registry).can(Admin.items.list)).toBe(false)
  })

  test("nothing is permitted while nobody is signed in", () => {
    const client = makeQueryClient((accessToken: string) => adminLayer(Fake.make([]), accessToken))
    const registry = Registry.make()
    expect(client.session.actions(registry).can(Admin.requests.list)).toBe(false)
  })
})
