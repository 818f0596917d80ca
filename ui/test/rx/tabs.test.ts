// One session over tabs, as a query client shows it: a sign-in and a sign-out elsewhere hold here.

import type { TabSession, TabsOptions } from "@quartet/sdk/adapters/tabs"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import { type ChatError, type Message, make, type Request, type State } from "@quartet/sdk/extend"
import * as Public from "@quartet/sdk/public"
import { FakeBrowser } from "@quartet/support/fake-browser.js"
import * as Fake from "@quartet/support/fake-transport.js"
import { jwt } from "@quartet/support/jwt.js"
import { base, flush, makeResource, makeScreen, makeSignal, ok } from "@quartet/support/react.js"
import { Effect, Layer, Mailbox, Stream, Subscribable } from "effect"
import { describe, expect, test } from "vitest"
import { type ChatSource, makeQueryClient } from "../../rx/index.js"

type Account = { readonly email: string; readonly password: string }
const ann: Account = { email: "ann@example.com", password: "right" }
const bob: Account = { email: "bob@example.com", password: "right" }

/** A platform with two people; each of their sign-ins ends the session before. */
const makePlatform = () => {
  const state = { signIns: 0, isDown: false }
  const sessions = new Map<string, string>()
  const personIn = ({ body }: Request): string | undefined => {
    const { email, password } = body?._tag === "Json" ? JSON.parse(body.text) : {}
    return password === "right" ? String(email).slice(0, 3) : undefined
  }
  const open = (person: string): string => {
    state.signIns += 1
    for (const [id, owner] of sessions) if (owner === person) sessions.delete(id)
    const id = `${person}-${state.signIns}`
    sessions.set(id, person)
    return id
  }
  const tokenOf = (id: string): string => jwt({ sub: id.slice(0, 3), jti: id, p: { "*": { "*": 9 } } })
  const script: Fake.Script = (request) => {
    const { headers, operation, path } = request
    const person = personIn(request)
    const isSignIn = operation === "auth.login" || operation === "auth.legacyLogin"
    if (isSignIn && person === undefined) return Fake.json(401, {})
    if (operation === "auth.legacyLogin") return Fake.json(200, { sessionId: "legacy" })
    if (operation === "auth.login") {
      const id = open(person ?? "")
      return Fake.json(200, { accessToken: tokenOf(id), sessionId: id, user: {} })
    }
    const owner = [...sessions].find(([id]) =>
      [`Bearer ${tokenOf(id)}`, id].some((secret) => Object.values(headers).includes(secret))
    )
    if (owner === undefined) return Fake.json(401, {})
    if (path.includes("slow")) return "waits"
    return operation === "auth.self" ? Fake.json(200, { _id: owner[1] }) : ok({ type: owner[1] })
  }
  return { state, script, revoke: () => sessions.clear() }
}

/** A browser, and a way to open the app in a tab of it. */
const setup = () => {
  const platform = makePlatform()
  const browser = new FakeBrowser()
  const open = async (options: Partial<TabsOptions> = {}, tab = browser.open()) => {
    const fake = Fake.make(platform.script)
    const tabs = make(tab, { name: "desk", ...options })
    const focus = makeSignal()
    const client = makeQueryClient(
      (credentials: Admin.AdminCredentials) =>
        Layer.provide(Admin.layer({ ...base, ...credentials }), [fake.layer, tabs.layer]),
      { tabs, focus: focus.signal, staleTime: 0 }
    )
    const screen = makeScreen()
    const session = await screen.observe(client.session)
    const query = await screen.observe(client.query(Admin.requests.get, { id: "r1" }))
    const { signIn, signOut } = client.session.actions(screen.registry)
    const type = () => {
      const shown = query.last()
      return shown._tag === "Success" ? shown.value.type : shown._tag
    }
    const flushing = async <A>(act: Promise<A>): Promise<A> => {
      const done = await act
      await flush()
      return done
    }
    return {
      ...screen,
      tab,
      tabs,
      fake,
      client,
      focus,
      session,
      query,
      type,
      signIn: (account: Account) => flushing(signIn(account)),
      signOut: () => flushing(signOut())
    }
  }
  return { platform, browser, open }
}

const statusOf = ({ session }: { readonly session: { readonly last: () => { readonly status: string } } }) =>
  session.last().status

describe("a sign-in in one tab", () => {
  test("is one in all that are open, and in those that open later, and is sent once", async () => {
    const { open, platform } = setup()
    const [a, b] = [await open(), await open()]
    expect([statusOf(a), statusOf(b), b.type()]).toEqual(["signed-out", "signed-out", "Failure"])
    await a.signIn(ann)
    const c = await open()
    for (const tab of [a, b, c]) {
      expect(tab.session.last()).toMatchObject({ status: "signed-in", identity: { admin: { _id: "ann" } } })
      expect(tab.type()).toBe("ann")
    }
    expect(c.session.seen.map(({ status }) => status)).not.toContain("signed-out")
    expect(platform.state.signIns).toBe(1)
  })

  test("asks the platform although a session is kept: a wrong password is refused", async () => {
    const { open, platform } = setup()
    const [a, b] = [await open(), await open()]
    await a.signIn(ann)
    const wrong = { ...ann, password: "wrong" }
    expect(await b.signIn(wrong)).toMatchObject({ status: "error", error: { reason: "Rejected" } })
    expect(b.type()).toBe("ann")
    expect(await a.signIn(wrong)).toMatchObject({ status: "error", error: { reason: "Rejected" } })
    expect(await a.signIn(ann)).toMatchObject({ status: "success" })
    expect(platform.state.signIns).toBe(2)
  })

  test("of somebody else is one in all, and shows nobody what the first one saw", async () => {
    const { open } = setup()
    const [a, b] = [await open(), await open()]
    await a.signIn(ann)
    const { length } = b.query.seen
    await a.signIn(bob)
    expect(b.session.last()).toMatchObject({ identity: { admin: { _id: "bob" } } })
    const shown = b.query.seen.slice(length)
    expect(b.type()).toBe("bob")
    expect(JSON.stringify(shown)).not.toContain('"ann"')
  })

  test("ends as it does for the platform in each tab in which somebody signs in, whatever the others do meanwhile", async () => {
    const { open, platform } = setup()
    const [a, b, c] = [await open(), await open(), await open()]
    const outcomes = await Promise.all([
      a.signIn(ann),
      b.signIn(ann),
      c.signIn({ email: ann.email, password: "wrong" })
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(["success", "success", "error"])
    // The one who was refused has what the others have signed in to.
    for (const tab of [a, b, c]) expect([statusOf(tab), tab.type()]).toEqual(["signed-in", "ann"])
    // Those who know the password renew.
    platform.revoke()
    for (const tab of [b, a]) {
      await tab.focus.give()
      expect([statusOf(tab), tab.type()]).toEqual(["signed-in", "ann"])
    }
  })

  test("is none in a tab that has a session of its own", async () => {
    const { open } = setup()
    const [a, b] = [await open({ isShared: () => false }), await open()]
    await a.signIn(ann)
    expect(statusOf(b)).toBe("signed-out")
    await b.signIn(bob)
    await b.signOut()
    expect([a.type(), statusOf(a)]).toEqual(["ann", "signed-in"])
    const reloaded = await open({}, a.tab)
    expect([reloaded.type(), statusOf(reloaded)]).toEqual(["ann", "signed-in"])
  })
})

describe("a sign-out in one tab", () => {
  test("is one in all: answers are forgotten, and nothing more is sent", async () => {
    const { open } = setup()
    const [a, b] = [await open(), await open()]
    await a.signIn(ann)
    await b.observe(b.client.query(Admin.requests.get, { id: "slow" }))
    const sent = b.fake.exchanges.length
    await a.signOut()
    for (const tab of [a, b]) {
      expect(tab.session.last()).toMatchObject({ status: "signed-out", error: undefined })
      expect(tab.query.last()).toMatchObject({ _tag: "Failure", previousSuccess: { _tag: "None" } })
    }
    expect([b.fake.count("abandoned"), b.fake.exchanges.length]).toEqual([1, sent])
    const later = await open()
    expect(statusOf(later)).toBe("signed-out")
  })

  test("is one in a tab where nothing shows the session", async () => {
    const { open } = setup()
    const [a, b] = [await open(), await open()]
    await a.signIn(ann)
    await b.session.leave()
    await a.signOut()
    expect(b.type()).toBe("Failure")
  })

  test("in a tab that was reloaded, and does not know the password, is one in all", async () => {
    const { browser, open } = setup()
    const a = await open()
    await a.signIn(ann)
    const reloaded = await open({}, browser.open())
    await reloaded.signOut()
    expect([statusOf(a), statusOf(reloaded)]).toEqual(["signed-out", "signed-out"])
    expect(browser.kept()).not.toMatch(/legacy|ey/)
  })

  test("closes the chat, and what was said in it is gone", async () => {
    const { open } = setup()
    const [a, b] = [await open(), await open()]
    await a.signIn(ann)
    const { acquire, counts } = makeResource()
    const said = Mailbox.make<ReadonlyArray<Message>, ChatError>()
    const history = Effect.runSync(said)
    history.unsafeOffer([{ _id: "m1", text: "secret" }])
    const state = Subscribable.make<State, never, never>({
      get: Effect.succeed({ status: "connected" }),
      changes: Stream.never
    })
    const source: ChatSource = {
      events: Stream.never,
      history: Mailbox.toStream(history),
      state,
      send: () => Effect.never
    }
    const chat = await b.observe(b.client.chat(Effect.as(acquire, source)))
    expect(chat.last().messages).toMatchObject([{ text: "secret" }])
    await a.signOut()
    expect(counts).toEqual({ built: 1, released: 1 })
    expect(chat.last().messages).toEqual([])
  })

  test("does not undo a sign-in that comes right after it", async () => {
    const { open, platform } = setup()
    const [a, b] = [await open(), await open()]
    await a.signIn(ann)
    b.tab.isFrozen = true
    await a.signOut()
    await a.signIn(ann)
    b.tab.thaw()
    await flush()
    for (const tab of [a, b]) expect([statusOf(tab), tab.type()]).toEqual(["signed-in", "ann"])
    expect(platform.state.signIns).toBe(2)
  })

  test("is not heard of by a registry that is gone", async () => {
    const { open } = setup()
    const [a, b] = [await open(), await open()]
    await a.signIn(ann)
    b.registry.dispose()
    await flush()
    expect(b.tab.listening).toBe(0)
  })
})

describe("a renewal in one tab", () => {
  test("interrupts nothing in the others, which take the session up when theirs is refused", async () => {
    const { open, platform } = setup()
    const [a, b] = [await open(), await open()]
    await a.signIn(ann)
    const slow = b.watch(b.client.query(Admin.requests.get, { id: "slow" }))
    await flush()
    const sent = b.fake.exchanges.length
    a.client.invalidate(a.registry, "requests")
    platform.revoke()
    a.client.invalidate(a.registry, "requests")
    await flush()
    expect(platform.state.signIns).toBe(2)
    expect([b.fake.count("abandoned"), b.fake.exchanges.length, slow.last()._tag]).toEqual([
      0,
      sent,
      "Initial"
    ])
    const { length } = b.session.seen
    b.client.invalidate(b.registry, "requests")
    await flush()
    expect(b.type()).toBe("ann")
    expect(b.session.seen.slice(length)).toEqual([])
    expect(platform.state.signIns).toBe(2)
  })

  test("ends the refusal that the others show, and what they show stays meanwhile", async () => {
    const { open, platform } = setup()
    const a = await open()
    await a.signIn(ann)
    const [b, c] = [await open(), await open()]
    a.registry.dispose()
    platform.revoke()
    for (const tab of [b, c]) tab.client.invalidate(tab.registry, "requests")
    await flush()
    for (const tab of [b, c])
      expect(tab.session.last()).toMatchObject({ status: "signed-in", refusal: { _tag: "Unauthenticated" } })
    const { length } = c.query.seen
    await b.signIn(ann)
    for (const tab of [b, c])
      expect(tab.session.last()).toMatchObject({ status: "signed-in", refusal: undefined })
    expect(c.query.seen.slice(length).map(({ _tag }) => _tag)).not.toContain("Initial")
    expect(c.type()).toBe("ann")
  })
})

describe("an end user's session", () => {
  const openUser = async (platform: ReturnType<typeof makePlatform>, browser: FakeBrowser) => {
    const fake = Fake.make(platform.script)
    const tabs = make(browser.open(), { name: "shop" })
    const config = { ...base, apiKey: "k" }
    const client = makeQueryClient(
      (credentials: TabSession | Account) => {
        const layerOf = (sessionId: string | number) => EndUser.layer({ ...config, sessionId })
        if ("sessionId" in credentials) return Layer.provide(layerOf(credentials.sessionId), fake.layer)
        const signedIn = Effect.map(Public.auth.login(credentials), (answer) => {
          const sessionId = answer.sessionId ?? ""
          tabs.keep({ sessionId })
          return layerOf(sessionId)
        })
        const signedInLayer = Layer.unwrapEffect(Effect.provide(signedIn, Public.layer(config)))
        return Layer.provide(signedInLayer, fake.layer)
      },
      { tabs }
    )
    const screen = makeScreen()
    const session = await screen.observe(client.session)
    return { session, ...client.session.actions(screen.registry) }
  }

  test("is shared too: a sign-in, somebody else's, and a sign-out", async () => {
    const platform = makePlatform()
    const browser = new FakeBrowser()
    const [a, b] = [await openUser(platform, browser), await openUser(platform, browser)]
    for (const account of [ann, bob]) {
      await a.signIn(account)
      await flush()
      const _id = account.email.slice(0, 3)
      for (const { session } of [a, b]) expect(session.last()).toMatchObject({ identity: { user: { _id } } })
    }
    expect(platform.state.signIns).toBe(2)
    await b.signOut()
    await flush()
    expect([statusOf(a), statusOf(b)]).toEqual(["signed-out", "signed-out"])
    expect(browser.kept()).not.toMatch(/ann|bob/)
  })
})
