// Clients in several tabs: one signs in and renews for all, and none of them goes on after a sign-out.
import { describe, expect } from "@effect/vitest"
import { effect } from "@quartet/support/effect.js"
import { FakeBrowser } from "@quartet/support/fake-browser.js"
import { jwt } from "@quartet/support/jwt.js"
import { Effect, Fiber, TestClock } from "effect"
import { make } from "../../../../adapters/tabs/tabs.js"
import * as Platform from "./platform.js"

const bob = { email: "bob@example.test" }

/** A platform that ends a session where another is opened, and pages of an app in tabs of one browser. */
const setup = (options: Platform.Options = {}) =>
  Effect.map(Platform.started({ latency: 50, isExclusive: true, ...options }), (platform) => {
    const browser = new FakeBrowser()
    /** A page in a tab of its own, whose client knows the password unless the page has found a session. */
    const open = (config: object = {}) =>
      Effect.gen(function* () {
        const tab = browser.open()
        const tabs = make(tab, { name: "desk" })
        const client = yield* Platform.client(platform, config, tabs.store)
        return { tab, tabs, client, call: Platform.call(client) }
      })
    /** A page that does not know the password, as after a reload: it takes the session that is kept. */
    const reopen = Effect.suspend(() => {
      const session = make(browser.open(), { name: "desk" }).session()
      return open(Platform.given(session?.sessionId, session?.accessToken))
    })
    return { platform, browser, open, reopen }
  })

/** Runs an effect while time passes, and lets messages arrive. */
const during = <A, E>(
  effect: Effect.Effect<A, E>,
  time: Parameters<typeof TestClock.adjust>[0] = "1 seconds"
) => Effect.zipLeft(Platform.during(effect, time), arrived)
const arrived = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

const all = <A, E>(effects: ReadonlyArray<Effect.Effect<A, E>>) =>
  Effect.all(effects, { concurrency: "unbounded" })
const times = <A>(count: number, effect: Effect.Effect<A>) =>
  Effect.all(Array.from({ length: count }, () => effect))

const missing = { _tag: "CredentialsError", reason: "Missing" }

describe("clients in several tabs", () => {
  effect("that begin at once sign in once", function* () {
    const { browser, open, platform } = yield* setup()
    const pages = yield* times(5, open())
    yield* during(all(pages.map(({ call }) => call)))
    expect([platform.signIns(), platform.count("requests.list", 200)]).toEqual([1, 5])
    // A tab says for a second more what it has kept.
    yield* TestClock.adjust("1 seconds")
    yield* arrived
    expect(browser.locks.size).toBe(0)
  })

  effect("sign in once where what one of them keeps comes to the other after its lock", function* () {
    const { open, platform } = yield* setup()
    const [first, second] = [yield* open(), yield* open()]
    second.tab.isFrozen = true
    const calls = yield* Effect.fork(all([first.call, second.call]))
    yield* during(Effect.void, "500 millis")
    expect([platform.signIns(), platform.count("requests.list", 200)]).toEqual([1, 1])
    second.tab.thaw()
    yield* during(Fiber.join(calls))
    expect([platform.signIns(), platform.count("requests.list", 200)]).toEqual([1, 2])
  })

  effect("go on after a second where what one of them keeps never comes", function* () {
    const { open, platform } = yield* setup({ isExclusive: false })
    const [first, second] = [yield* open(), yield* open()]
    second.tab.isFrozen = true
    yield* during(all([first.call, second.call]), "2 seconds")
    expect([platform.signIns(), platform.count("requests.list", 200)]).toEqual([2, 2])
  })

  effect("renew their session once, and no call is refused", function* () {
    const { open, platform } = yield* setup()
    const pages = yield* times(5, open())
    for (let hour = 0; hour < 3; hour++) {
      yield* during(all(pages.map(({ call }) => call)), "56 minutes")
    }
    expect(platform.signIns()).toBe(3)
    expect(platform.count("requests.list", 401)).toBe(0)
  })

  effect("sign in once where the platform refuses the session of all", function* () {
    const { open, platform } = yield* setup()
    const pages = yield* times(5, open())
    yield* during(all(pages.map(({ call }) => call)))
    platform.revoke()
    yield* during(all(pages.map(({ call }) => call)))
    expect([platform.signIns(), platform.count("requests.list", 200)]).toEqual([2, 10])
  })

  effect("sign in where the session that another one has renewed is refused as theirs is", function* () {
    const { open, platform } = yield* setup()
    const [first, second] = [yield* open(), yield* open()]
    yield* during(all([first.call, second.call]))
    yield* during(first.call, "57 minutes")
    yield* during(first.call)
    expect(platform.signIns()).toBe(2)
    platform.revoke()
    yield* during(second.call)
    yield* during(first.call)
    expect([platform.signIns(), platform.count("requests.list", 200)]).toEqual([3, 6])
  })

  effect("sign in where a store has ever other sessions, which are all refused", function* () {
    const { open, platform } = yield* setup()
    const { store } = (yield* open()).tabs
    let turn = 0
    const hostile = {
      ...store,
      load: () => {
        turn += 1
        const accessToken = jwt({ sub: "admin-1", p: { "*": { "*": 9 } }, turn })
        return Effect.succeedSome({ sessionId: `session-${turn}`, accessToken })
      }
    }
    const call = Platform.call(yield* Platform.client(platform, {}, hostile))
    yield* during(call)
    expect(platform.count("requests.list", 401)).toBe(2)
    expect(platform.signIns()).toBe(1)
  })

  effect("of two platforms' names have a session each", function* () {
    const { browser, platform } = yield* setup({ isExclusive: false })
    for (const name of ["desk", "shop"]) {
      const { store } = make(browser.open(), { name })
      yield* during(Platform.call(yield* Platform.client(platform, {}, store)))
    }
    expect(platform.signIns()).toBe(2)
  })

  effect("go on where the browser has no locks: the session that was opened last serves all", function* () {
    const { browser, open, platform } = yield* setup()
    browser.hasLocks = false
    const pages = yield* times(2, open())
    yield* during(all(pages.map(({ call }) => call)))
    yield* during(all(pages.map(({ call }) => call)))
    expect(platform.signIns()).toBe(2)
    expect(platform.count("requests.list", 200)).toBe(4)
  })
})

describe("a tab that signs in for all", () => {
  effect("and is closed meanwhile leaves it to the next", function* () {
    const { browser, open, platform } = yield* setup({ latency: 5_000 })
    const [first, next] = [yield* open(), yield* open()]
    yield* Effect.fork(first.call)
    yield* TestClock.adjust("1 seconds")
    const call = yield* Effect.fork(next.call)
    yield* TestClock.adjust("1 seconds")
    expect(platform.inFlight).toBe(2)
    browser.close(first.tab)
    yield* during(Fiber.join(call), "20 seconds")
    expect(platform.count("requests.list", 200)).toBeGreaterThanOrEqual(1)
  })

  effect("and hangs holds the others up for ten seconds", function* () {
    const { browser, open, platform } = yield* setup()
    const hanging = browser.open()
    const { signal } = new AbortController()
    void hanging.locks?.request("quartet.session.desk", { signal }, () => new Promise(() => undefined))
    const { call } = yield* open()
    const waiting = yield* Effect.fork(call)
    yield* TestClock.adjust("9 seconds")
    expect(platform.signIns()).toBe(0)
    yield* during(Fiber.join(waiting), "2 seconds")
    expect(platform.count("requests.list", 200)).toBe(1)
    yield* during(call)
    expect(platform.signIns()).toBe(1)
    browser.close(hanging)
    expect(browser.locks.size).toBe(0)
  })

  effect("and whose callers leave lets the next one sign in at once", function* () {
    const { browser, open, platform } = yield* setup({ latency: 5_000 })
    const [first, next] = [yield* open(), yield* open()]
    const call = yield* Effect.fork(first.call)
    yield* TestClock.adjust("1 seconds")
    yield* Fiber.interrupt(call)
    yield* arrived
    expect(browser.locks.size).toBe(0)
    yield* during(next.call, "11 seconds")
    expect(platform.count("requests.list", 200)).toBe(1)
  })

  effect("and a caller that leaves while it waits leave nothing behind", function* () {
    const { browser, open, platform } = yield* setup({ latency: 5_000 })
    const [first, next] = [yield* open(), yield* open()]
    const call = yield* Effect.fork(first.call)
    yield* TestClock.adjust("1 seconds")
    const waiting = yield* Effect.fork(next.call)
    yield* TestClock.adjust("1 seconds")
    yield* Fiber.interrupt(waiting)
    yield* during(Fiber.join(call), "20 seconds")
    expect([platform.signIns(), browser.locks.size]).toEqual([1, 0])
  })

  effect("works where the page may have no locks", function* () {
    const { browser, platform } = yield* setup()
    const tab = browser.open()
    const refused = Object.defineProperty(Object.create(tab), "locks", {
      value: { request: () => Promise.reject(new DOMException("no", "SecurityError")) }
    })
    const client = yield* Platform.client(platform, {}, make(refused, { name: "desk" }).store)
    yield* during(Platform.call(client))
    expect(platform.count("requests.list", 200)).toBe(1)
  })
})

describe("a sign-out in one tab", () => {
  effect("is one in all: none of them signs in again by itself, and nothing is sent", function* () {
    const { open, platform } = yield* setup()
    const [first, second] = [yield* open(), yield* open()]
    yield* during(all([first.call, second.call]))
    const before = platform.log.length
    yield* first.client.session.signOut
    yield* arrived
    expect(yield* Effect.flip(second.call)).toMatchObject(missing)
    expect(platform.log.length).toBe(before)
  })

  effect("ends what belongs to the session in all of them", function* () {
    const { open } = yield* setup()
    const [first, second] = [yield* open(), yield* open()]
    yield* during(all([first.call, second.call]))
    let ends = 0
    second.client.session.onEnd(() =>
      Effect.sync(() => {
        ends += 1
      })
    )
    yield* first.client.session.signOut
    yield* arrived
    expect(ends).toBe(1)
  })

  effect("while another one renews is not undone by the renewal", function* () {
    const { open, platform } = yield* setup()
    const [first, second] = [yield* open(), yield* open()]
    yield* during(all([first.call, second.call]), "57 minutes")
    yield* Effect.fork(second.call)
    yield* TestClock.adjust(20)
    expect(platform.inFlight).toBe(3)
    yield* first.client.session.signOut
    yield* TestClock.adjust("1 seconds")
    yield* arrived
    expect(platform.signIns()).toBe(1)
    expect([first.tabs.session(), second.tabs.session()]).toEqual([undefined, undefined])
    expect(yield* Effect.flip(second.call)).toMatchObject(missing)
  })

  effect("while another one renews and does not hear of it is not undone either", function* () {
    const { open, platform } = yield* setup()
    const [first, second] = [yield* open(), yield* open()]
    yield* during(all([first.call, second.call]), "57 minutes")
    yield* Effect.fork(second.call)
    yield* TestClock.adjust(20)
    second.tab.isFrozen = true
    yield* first.client.session.signOut
    yield* TestClock.adjust("1 seconds")
    expect(platform.signIns()).toBe(2)
    second.tab.thaw()
    yield* arrived
    expect([first.tabs.session(), second.tabs.session()]).toEqual([undefined, undefined])
    expect(yield* Effect.flip(second.call)).toMatchObject(missing)
  })

  effect("is over where one signs in again: all go on with the new session", function* () {
    const { open, platform } = yield* setup()
    const [first, second] = [yield* open(), yield* open()]
    yield* during(all([first.call, second.call]))
    yield* first.client.session.signOut
    yield* arrived
    yield* during(first.call)
    yield* during(second.call)
    expect(platform.signIns()).toBe(2)
    expect(platform.count("requests.list", 200)).toBe(4)
  })

  effect("is not heard by a client that is closed, and is by the last one that is not", function* () {
    const { browser, open } = yield* setup()
    const { tab } = yield* Effect.scoped(
      Effect.tap(open(), ({ client }) => Effect.addFinalizer(() => client.dispatcher.lifetime.close))
    )
    expect(tab.listening).toBe(0)
    const { client } = yield* open()
    expect([...browser.tabs].map(({ listening }) => listening)).toEqual([0, 1])
    yield* client.session.signOut
  })
})

describe("somebody else who signs in in one tab", () => {
  effect("ends the session of the first in all: their calls are not sent as the other's", function* () {
    const { open, platform, reopen } = yield* setup({ isExclusive: false })
    const [one, first] = [yield* open(), yield* open()]
    yield* during(all([one.call, first.call]))
    const given = yield* reopen
    yield* during(given.call)
    const other = yield* open(bob)
    yield* during(other.call)
    const before = platform.log.length
    for (const { call } of [one, first, given]) expect(yield* Effect.flip(call)).toMatchObject(missing)
    expect(platform.log.length).toBe(before)
    yield* during(other.call)
    expect(platform.signIns()).toBe(2)
  })
})

describe("a page without the password", () => {
  const renewed = Effect.gen(function* () {
    const given = yield* setup()
    const first = yield* given.open()
    yield* during(first.call)
    const page = yield* given.reopen
    yield* during(page.call)
    return { ...given, first, page }
  })

  effect(
    "has the session that another tab has renewed, with one refused attempt and no sign-in",
    function* () {
      const { first, page, platform } = yield* renewed
      yield* TestClock.adjust("57 minutes")
      yield* during(first.call)
      yield* during(page.call)
      yield* during(page.call)
      expect([platform.signIns(), platform.count("requests.list", 401)]).toEqual([2, 1])
      expect(platform.count("requests.list", 200)).toBe(5)
    }
  )

  effect("waits for the one that is about to be there", function* () {
    const { first, page, platform } = yield* renewed
    platform.revoke()
    const call = yield* Effect.fork(first.call)
    yield* TestClock.adjust(60)
    yield* during(all([page.call, page.call, Fiber.join(call)]))
    expect([platform.signIns(), platform.count("requests.list", 200)]).toEqual([2, 5])
  })

  effect("is refused as it would be alone where nobody renews it, time and again", function* () {
    const { browser, first, page, platform } = yield* renewed
    browser.close(first.tab)
    platform.revoke()
    for (let turn = 0; turn < 2; turn++) {
      const [error] = yield* during(all([Effect.flip(page.call)]))
      expect(error).toMatchObject({ _tag: "Unauthenticated", operation: "requests.list", status: 401 })
    }
    expect(platform.count("requests.list", 401)).toBe(2)
  })

  effect("signs out in all tabs, and is signed out by them", function* () {
    const { first, page } = yield* renewed
    yield* page.client.session.signOut
    yield* arrived
    expect(yield* Effect.flip(first.call)).toMatchObject(missing)
    expect(first.tabs.session()).toBeUndefined()
    expect(yield* Effect.flip(page.call)).toMatchObject(missing)
  })
})
