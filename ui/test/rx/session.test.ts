// Who is signed in, how that changes, and what they may do as far as the token tells.

import * as Admin from "@quartet/sdk/admin"
import type { Request } from "@quartet/sdk/extend"
import * as Public from "@quartet/sdk/public"
import * as Fake from "@quartet/support/fake-transport.js"
import {
  adminClient,
  adminLayer,
  base,
  endUserLayer,
  flush,
  makeResource,
  makeScreen,
  ok,
  token
} from "@quartet/support/react.js"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, test } from "vitest"
import { Level, makeQueryClient, type PermissionArgs, type QueryClientOptions } from "../../rx/index.js"

const ann = { email: "ann@example.com", password: "right" }
const wrong = { ...ann, password: "wrong" }
const rejected = { _tag: "CredentialsError", reason: "Rejected" }
const logins = [
  Fake.json(200, { accessToken: token({ requests: { "*": 1 } }), user: {} }),
  Fake.json(200, { sessionId: "s1" })
] as const

/** A platform on which anyone signs in whose password is right, and `slow` is never answered. */
const replyOf = ({ body, operation, path }: Request): Fake.Reply => {
  const login = ["auth.login", "auth.legacyLogin"].indexOf(operation)
  if (login < 0) return path.includes("slow") ? "waits" : ok()
  const isRight = body?._tag === "Json" && body.text.includes('"right"')
  return (isRight ? logins[login] : undefined) ?? Fake.json(401, {})
}

const platform: Fake.Script = replyOf

/** A client that nobody is signed in to, and a client that signs in by itself. */
const setup = (script: Fake.Script = platform, resource: Layer.Layer<never> = Layer.empty) => {
  const fake = Fake.make(script)
  const layerFor = (login: typeof ann) =>
    Layer.merge(Layer.provide(Admin.layer({ ...base, ...login }), fake.layer), resource)
  const client = makeQueryClient(layerFor)
  const screen = makeScreen()
  const { can, signIn, signOut } = client.session.actions(screen.registry)
  const get = (id = "r1") => client.query(Admin.requests.get, { id })
  return { ...screen, fake, layerFor, client, can, signIn, signOut, get }
}

describe("who is signed in", () => {
  test("an admin with a session is read from the token, and nothing is sent", async () => {
    const { client, fake, observe } = adminClient([])
    const { last, seen } = await observe(client.session)
    const admin = { _id: "a1", email: "ann@example.com", fullName: "Ann" }
    expect(seen[0]).toEqual({ status: "signing-in" })
    expect(last()).toMatchObject({ status: "signed-in", identity: { audience: "admin", admin } })
    expect(fake.exchanges).toHaveLength(0)
  })

  test("an admin whose permissions are off may have a token that names nobody", async () => {
    const session = { sessionId: "s1", accessToken: "opaque", permissions: "off" } as const
    const fake = Fake.make(platform)
    const client = makeQueryClient(Layer.provide(Admin.layer({ ...base, ...session }), fake.layer))
    const { observe, registry } = makeScreen()
    expect((await observe(client.session)).last()).toMatchObject({
      status: "signed-in",
      identity: { audience: "admin", admin: { _id: "", permissions: {} } }
    })
    expect(client.session.actions(registry).can(Admin.requests.list)).toBe(true)
    expect((await observe(client.query(Admin.requests.get, { id: "r1" }))).last()._tag).toBe("Success")
  })

  test("an admin with a password, there from the start, is signed in to find out", async () => {
    for (const isGiven of [true, false]) {
      const { fake, layerFor, observe } = setup()
      const client = isGiven
        ? makeQueryClient(layerFor, { credentials: ann })
        : makeQueryClient(layerFor(ann))
      expect((await observe<{ status: string }>(client.session)).last().status).toBe("signed-in")
      expect(fake.requests().map(({ operation }) => operation)).toEqual(["auth.login", "auth.legacyLogin"])
    }
  })

  test("an end user is asked for at the platform", async () => {
    const fake = Fake.make([Fake.json(200, { _id: "u1", email: "nino@example.com" })])
    const { last } = await makeScreen().observe(makeQueryClient(endUserLayer(fake)).session)
    expect(last()).toMatchObject({ identity: { audience: "endUser", user: { _id: "u1" } } })
    expect(fake.requests()[0]?.operation).toBe("auth.self")
  })

  test("a visitor is nobody, and may ask for anything", async () => {
    const { observe, registry } = makeScreen()
    const layer = Layer.provide(Public.layer({ ...base, apiKey: "k" }), Fake.make([]).layer)
    const { session } = makeQueryClient(layer)
    expect((await observe(session)).last()).toEqual({ status: "signed-in", identity: { audience: "public" } })
    expect(session.actions(registry).can(Public.items.search)).toBe(true)
  })

  test("a sign-in that fails says why", async () => {
    const { layerFor, observe } = setup()
    const { last } = await observe(makeQueryClient(layerFor(wrong)).session)
    expect(last()).toMatchObject({ status: "signed-out", error: rejected })
  })
})

describe("signing in and out", () => {
  test("signing out forgets the project that was read on demand, though the client lives on", async () => {
    const fake = Fake.make((request) => (request.operation.startsWith("auth.") ? replyOf(request) : ok()))
    const makeAdmin = Effect.provide(Admin.make({ ...base, ...ann, permissions: "off" }), fake.layer)
    const admin = await Effect.runPromise(makeAdmin)
    const read = () =>
      Effect.runPromise(Effect.provideService(Admin.onDemand.project.get, Admin.Client, admin))
    const { observe, registry } = makeScreen()
    const { session } = makeQueryClient(Layer.succeed(Admin.Client, admin))
    await observe(session)
    const reads = () => fake.requests().filter(({ operation }) => operation === "projects.get").length
    await read()
    await read()
    expect(reads()).toBe(1)
    await session.actions(registry).signOut()
    await read()
    expect(reads()).toBe(2)
  })

  test("nobody is signed in before, may do nothing, and calls say so without being sent", async () => {
    const { can, client, fake, get, observe, watch } = setup()
    const session = watch(client.session)
    const query = await observe(get())
    expect(session.last()).toEqual({ status: "signed-out", error: undefined })
    const error = { _tag: "CredentialsError", reason: "Missing" }
    expect(query.last()).toMatchObject({ _tag: "Failure", cause: { error } })
    expect([can(Admin.requests.list), fake.exchanges.length]).toEqual([false, 0])
  })

  test("signing in tells who it is, and asks for what is on the screen", async () => {
    const { client, get, observe, signIn, watch } = setup()
    const session = watch(client.session)
    const query = await observe(get())
    const identity = { audience: "admin", admin: { _id: "a1" } }
    expect(await signIn(ann)).toMatchObject({ status: "success", data: identity })
    await flush()
    expect(session.seen.map(({ status }) => status)).toEqual(["signed-out", "signing-in", "signed-in"])
    expect(query.last()).toMatchObject({ _tag: "Success", value: { _id: "r1" } })
  })

  test("a refused sign-in is an outcome, and leaves signed in who was, with every answer", async () => {
    const { client, get, observe, signIn, watch } = setup()
    const session = watch(client.session)
    expect(await signIn(wrong)).toMatchObject({ status: "error", error: rejected })
    expect(session.last()).toMatchObject({ status: "signed-out", error: rejected })
    await signIn(ann)
    const query = await observe(get())
    const shown = [...query.seen]
    await signIn(wrong)
    await flush()
    expect(session.last()).toMatchObject({ status: "signed-in" })
    expect(query.seen).toEqual(shown)
  })

  test("a session that the platform no longer takes says why, and signing in again as the same keeps what is shown", async () => {
    let isOver = false
    const { client, get, observe, registry, signIn, watch } = setup((request) =>
      isOver ? Fake.json(401, {}) : replyOf(request)
    )
    await signIn(ann)
    const session = watch(client.session)
    const query = await observe(get())
    isOver = true
    client.invalidate(registry, "requests")
    await flush()
    expect(session.last()).toMatchObject({ status: "signed-in", refusal: rejected })
    isOver = false
    const { length } = query.seen
    await signIn(ann)
    await flush()
    expect(session.last()).toMatchObject({ status: "signed-in", refusal: undefined })
    expect(query.seen.slice(length).map(({ _tag }) => _tag)).not.toContain("Initial")
    expect(query.last()).toMatchObject({ _tag: "Success", value: { _id: "r1" } })
  })

  test("a call that the platform takes again ends the refusal", async () => {
    const { client, observe, registry } = adminClient([Fake.json(401, {}), ok()])
    const session = await observe(client.session)
    const { mutate } = client.mutation(Admin.requests.get).actions(registry)
    await mutate({ id: "r1" })
    expect(session.last()).toMatchObject({ status: "signed-in", refusal: { _tag: "Unauthenticated" } })
    await mutate({ id: "r1" })
    expect(session.last()).toMatchObject({ status: "signed-in", refusal: undefined })
  })

  test("a fault in the layer's function is an outcome, too", async () => {
    const { session } = makeQueryClient((): ReturnType<typeof adminLayer> => {
      throw new TypeError("nope")
    })
    const { registry, watch } = makeScreen()
    const { last } = watch(session)
    const outcome = await session.actions(registry).signIn({})
    expect(outcome).toMatchObject({ status: "defect", defect: { message: "nope" } })
    expect(last()).toEqual({ status: "signed-out", error: undefined })
  })

  test("a sign-in that is refused, or that another one follows, releases what was built for it", async () => {
    const { counts, layer } = makeResource()
    const { registry, signIn } = setup(platform, layer)
    await signIn(wrong)
    await flush()
    expect(counts).toEqual({ built: 1, released: 1 })
    await signIn(ann)
    await signIn(ann)
    await flush()
    expect(counts).toEqual({ built: 3, released: 2 })
    registry.dispose()
    await flush()
    expect(counts).toEqual({ built: 3, released: 3 })
  })

  test("what is under way goes on where the same person signs in again, and the layer is released after it", async () => {
    const { counts, layer } = makeResource()
    const { client, fake, registry, signIn } = setup(platform, layer)
    await signIn(ann)
    const write = client.mutation(Admin.requests.get).actions(registry).mutate({ id: "slow" })
    await flush()
    const exchange = fake.exchanges.at(-1)
    await signIn(ann)
    await flush()
    expect([exchange?.state, counts]).toEqual(["open", { built: 2, released: 0 }])
    exchange?.settle(ok())
    expect(await write).toMatchObject({ status: "success" })
    await flush()
    expect(counts).toEqual({ built: 2, released: 1 })
  })

  test("the later of two sign-ins counts", async () => {
    const { fake, signIn } = setup(["waits"])
    const first = signIn(ann)
    await flush()
    const second = signIn(ann)
    await flush()
    expect(await first).toEqual({ status: "cancelled" })
    expect(fake.exchanges.map(({ state }) => state)).toEqual(["abandoned", "abandoned", "open", "open"])
    for (const [place, login] of logins.entries()) fake.at(2 + place).settle(login)
    expect(await second).toMatchObject({ status: "success" })
  })

  test("signing out forgets every answer, interrupts what is under way, and sends nothing more", async () => {
    const { client, fake, get, observe, signIn, signOut, watch } = setup()
    await signIn(ann)
    const done = watch(get())
    watch(get("slow"))
    const session = await observe(client.session)
    const sent = fake.exchanges.length
    await signOut()
    await flush()
    expect(session.last()).toEqual({ status: "signed-out", error: undefined })
    expect(done.last()).toMatchObject({ _tag: "Failure", previousSuccess: { _tag: "None" } })
    expect([fake.count("abandoned"), fake.exchanges.length]).toEqual([1, sent])
  })

  test("a client that signs in by itself can sign out, and in again", async () => {
    const { layerFor, observe, registry } = setup()
    const { session } = makeQueryClient(layerFor(ann))
    const { last } = await observe(session)
    await session.actions(registry).signOut()
    expect(last().status).toBe("signed-out")
    await session.actions(registry).signIn(undefined)
    expect(last().status).toBe("signed-in")
  })
})

describe("permissions", () => {
  const canOver = async (layer: ReturnType<typeof adminLayer>, options: QueryClientOptions = {}) => {
    const { session } = makeQueryClient(layer, options)
    const { observe, registry } = makeScreen()
    await observe(session)
    return session.actions(registry).can
  }

  const known = { calls: Admin }
  const wishes: ReadonlyArray<
    readonly [says: string, args: PermissionArgs, is: boolean, options: QueryClientOptions]
  > = [
    ["a call whose level is granted", [Admin.requests.list], true, {}],
    ["a call that has a grant of its own", [Admin.requests.markSeen], true, {}],
    ["a call that needs more", [Admin.requests.update], false, {}],
    ["a call of another slice", [Admin.items.list], false, {}],
    ["a name, at Write", ["requests", "markSeen"], true, {}],
    ["a name that has less than Write", ["requests", "list"], false, {}],
    ["a name at a given level", ["requests", "list", Level.Read], true, {}],
    ["a name of a known call, at the call's own level", ["requests", "list"], true, known],
    ["a name of a known call that needs more", ["requests", "update"], false, known],
    ["a name that every object has", ["constructor", "name"], false, known]
  ]
  test.each(wishes)("are known for %s", async (_, args, is, options) => {
    const layer = adminLayer(Fake.make([]), token({ requests: { "*": 1, markSeen: 3 } }))
    expect((await canOver(layer, options))(...args)).toBe(is)
  })

  test("count under the client's own names and reading", async () => {
    const accessToken = token({ "request-action": { "*": 1 } })
    const permissionNames = { requests: "request-action" }
    const config = { ...base, sessionId: "s", accessToken, permissions: "asBuilt", permissionNames } as const
    const can = await canOver(Layer.provide(Admin.layer(config), Fake.make([]).layer))
    expect([can(Admin.requests.markSeen), can(Admin.items.list)]).toEqual([true, false])
  })
})
