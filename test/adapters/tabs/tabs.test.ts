// One session over tabs: what one of them keeps or forgets holds in all, in whatever order they hear of it.

import { FakeBrowser } from "@quartet/support/fake-browser.js"
import { FakeStorage } from "@quartet/support/fake-storage.js"
import { jwt } from "@quartet/support/jwt.js"
import { Effect, FastCheck as FC, Option } from "effect"
import { afterEach, describe, expect, test, vi } from "vitest"
import { browser as page } from "../../../adapters/tabs/browser.js"
import * as Tabs from "../../../adapters/tabs/index.js"
import { make } from "../../../adapters/tabs/tabs.js"

const tokenOf = (person: string, turn = 0): string => jwt({ sub: person, turn })
const sessionOf = (person: string, turn = 0) => ({
  sessionId: `${person}-${turn}`,
  accessToken: tokenOf(person, turn)
})
const ann = sessionOf("ann")
const bob = sessionOf("bob")
const key = "quartet.session.desk"

/** A tab of an app, and what it is told. */
const open = (browser: FakeBrowser, options: Partial<Tabs.TabsOptions> = {}, tab = browser.open()) => {
  const tabs = make(tab, { name: "desk", ...options })
  const notices: Array<readonly [who: string | undefined, isSame: boolean]> = []
  const stop = tabs.subscribe((session, isSame) => notices.push([session?.sessionId, isSame]))
  return { tab, tabs, notices, stop }
}

const setup = (count = 2) => {
  const browser = new FakeBrowser()
  const all = Array.from({ length: count }, () => open(browser))
  return { browser, all, a: all[0] ?? open(browser), b: all[1] ?? open(browser) }
}

/** Lets messages arrive. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

afterEach(() => vi.unstubAllGlobals())

describe("a session that one tab keeps", () => {
  test("is that of all: of those that are open, and of those that open later", async () => {
    const { a, b, browser } = setup()
    expect(a.tabs.session()).toBeUndefined()
    a.tabs.keep(ann)
    await settle()
    expect([a.tabs.session(), b.tabs.session()]).toEqual([ann, ann])
    expect([a.notices, b.notices]).toEqual([[], [["ann-0", false]]])
    const later = open(browser)
    await settle()
    expect([later.tabs.session(), later.notices]).toEqual([ann, []])
  })

  test("without a token is an end user's: the token is empty", async () => {
    const { a, b } = setup()
    a.tabs.keep({ sessionId: "s-1" })
    await settle()
    expect(b.tabs.session()).toEqual({ sessionId: "s-1", accessToken: "" })
  })

  test("is told as renewed where it is of the same person, and otherwise as another's", async () => {
    const { a, b } = setup()
    a.tabs.keep(ann)
    a.tabs.keep(sessionOf("ann", 1))
    a.tabs.keep(bob)
    await settle()
    expect(b.notices).toEqual([
      ["ann-0", false],
      ["ann-1", true],
      ["bob-0", false]
    ])
  })

  test("knows an end user by what the platform said of them", async () => {
    const { a, b } = setup()
    for (const [sessionId, _id] of [
      ["s-1", "u1"],
      ["s-2", "u1"],
      ["s-3", "u2"]
    ] as const)
      a.tabs.keep({ sessionId, user: { _id } })
    await settle()
    expect(b.notices.map(([, isSame]) => isSame)).toEqual([false, true, false])
  })

  test("is no other project's on the same origin", async () => {
    const browser = new FakeBrowser()
    const [firstTab, secondTab] = [open(browser), open(browser, { name: "shop" })]
    firstTab.tabs.keep(ann)
    await settle()
    expect([secondTab.tabs.session(), secondTab.notices]).toEqual([undefined, []])
    secondTab.tabs.forget()
    await settle()
    expect([firstTab.tabs.session(), firstTab.notices]).toEqual([ann, []])
  })

  test("is not told to who does not listen any more", async () => {
    const { a, b } = setup()
    b.stop()
    a.tabs.keep(ann)
    await settle()
    expect([b.notices, b.tab.listening]).toEqual([[], 0])
  })

  test("is told to the others where one listener throws", async () => {
    const { a, b } = setup()
    const faults: Array<unknown> = []
    const hear = (fault: unknown) => faults.push(fault)
    process.prependOnceListener("uncaughtException", hear)
    const others = process.listeners("uncaughtException").filter((listener) => listener !== hear)
    process.removeAllListeners("uncaughtException").once("uncaughtException", hear)
    b.tabs.subscribe(() => {
      throw new Error("mine")
    })
    const seen = vi.fn()
    b.tabs.subscribe(seen)
    a.tabs.keep(ann)
    await settle()
    for (const handler of others) process.on("uncaughtException", handler)
    expect(faults).toMatchObject([{ message: "mine" }])
    expect(seen).toHaveBeenCalledExactlyOnceWith(ann, false)
  })
})

describe("a sign-out in one tab", () => {
  test("is one in all, and leaves no secret behind", async () => {
    const { a, all, b, browser } = setup(3)
    a.tabs.keep({ ...ann, user: { email: "ann@example.test" } })
    await settle()
    b.tabs.forget()
    await settle()
    expect(all.map(({ tabs }) => tabs.session())).toEqual([undefined, undefined, undefined])
    expect(all.map(({ notices }) => notices.at(-1))).toEqual([
      [undefined, false],
      ["ann-0", false],
      [undefined, false]
    ])
    expect(browser.kept()).not.toMatch(/ann/)
  })

  test("is told once, however often one signs out", async () => {
    const { a, b } = setup()
    a.tabs.keep(ann)
    for (const { tabs } of [a, b, a]) tabs.forget()
    await settle()
    expect([a.notices.length, b.notices.length]).toEqual([0, 2])
  })

  test("is heard by a tab that was frozen, and by one that comes back from the cache of pages", async () => {
    const { a, all } = setup(3)
    a.tabs.keep(ann)
    await settle()
    for (const { tab } of all.slice(1)) tab.isFrozen = true
    a.tabs.forget()
    await settle()
    expect(all.slice(1).map(({ notices }) => notices.length)).toEqual([1, 1])
    all[1]?.tab.thaw()
    all[2]?.tab.restore()
    await settle()
    expect(all.slice(1).map(({ notices }) => notices.at(-1))).toEqual([
      [undefined, false],
      [undefined, false]
    ])
  })

  test("is what it is where a person clears the data of the site; a later sign-in holds in all again", async () => {
    const { a, b, browser } = setup()
    for (let turn = 0; turn < 4; turn++) a.tabs.keep(sessionOf("ann", turn))
    await settle()
    browser.clear()
    await settle()
    for (const { notices } of [a, b]) expect(notices.at(-1)).toEqual([undefined, false])
    const later = open(browser)
    later.tabs.keep(bob)
    await settle()
    expect([a, b].map(({ notices }) => notices.at(-1))).toEqual([
      ["bob-0", false],
      ["bob-0", false]
    ])
  })
})

describe("tabs that write at once", () => {
  /** What may happen in a tab: it hears of what was written or sent, keeps a session, or forgets it. */
  const acts = ["hearWritten", "hearSent", "forget", "close", "ann", "bob", "eve"] as const
  const steps = FC.array(FC.record({ tab: FC.nat(2), act: FC.constantFrom(...acts) }), { maxLength: 16 })

  test("agree in the end on one session, which is also the one that is kept", () => {
    FC.assert(
      FC.property(steps, (steps) => {
        const browser = new FakeBrowser()
        const views = Array.from({ length: 3 }, () => open(browser))
        for (const { tab } of views) tab.isFrozen = true
        for (const [turn, { act, tab: place }] of steps.entries()) {
          const { tab, tabs } = views[place] ?? expect.unreachable()
          if (!browser.tabs.has(tab)) continue
          if (act === "hearWritten" || act === "hearSent") tab[act]()
          else if (act === "forget") tabs.forget()
          else if (act === "close") browser.close(tab)
          else tabs.keep(sessionOf(act, turn))
        }
        for (let round = 0; round < 9; round++) for (const tab of browser.tabs) tab.hearAll()
        const left = views.filter(({ tab }) => browser.tabs.has(tab))
        const ids = [...left, open(browser)].map(({ tabs }) => tabs.session()?.sessionId)
        expect(new Set(ids).size).toBe(1)
      }),
      { numRuns: 500 }
    )
  })

  /** Two tabs with one session, neither of which hears what the other one does. */
  const apart = async () => {
    const { a, b, browser } = setup()
    a.tabs.keep(ann)
    await settle()
    for (const { tab } of [a, b]) tab.isFrozen = true
    const meet = async () => {
      for (const { tab } of [a, b]) tab.thaw()
      await settle()
      return [a, b, open(browser)].map(({ tabs }) => tabs.session()?.sessionId)
    }
    return { a, b, browser, meet }
  }

  test.each([true, false])(
    "a sign-out is not undone by a renewal that knew nothing of it (written last: %s)",
    async (isLast) => {
      const { a, b, browser, meet } = await apart()
      const acts = [() => a.tabs.forget(), () => b.tabs.keep(sessionOf("ann", 1))]
      for (const act of isLast ? acts : acts.reverse()) act()
      expect(await meet()).toEqual([undefined, undefined, undefined])
      expect(b.notices.at(-1)).toEqual([undefined, false])
      expect(browser.kept()).not.toMatch(/ann/)
    }
  )

  test.each([true, false])("of two sign-ins one stays, in all tabs the same (%s)", async (isLast) => {
    const { a, b, meet } = await apart()
    const acts = [() => a.tabs.keep(bob), () => b.tabs.keep(sessionOf("eve"))]
    for (const act of isLast ? acts : acts.reverse()) act()
    expect(await meet()).toEqual(["eve-0", "eve-0", "eve-0"])
  })
})

describe("a session of one tab alone", () => {
  const alone = () => {
    const browser = new FakeBrowser()
    const choice = { isShared: false }
    const options = { isShared: () => choice.isShared }
    const [a, b] = [open(browser, options), open(browser)]
    return { a, b, browser, choice, options }
  }

  test("is no other tab's, outlives the page, and does not follow the others", async () => {
    const { a, b, browser, options } = alone()
    a.tabs.keep(ann)
    b.tabs.keep(bob)
    await settle()
    expect([a.tabs.session(), a.tabs.isShared(), a.notices]).toEqual([ann, false, []])
    expect([b.tabs.session(), b.tabs.isShared(), b.notices]).toEqual([bob, true, []])
    const reloaded = open(browser, options, a.tab)
    b.tabs.forget()
    await settle()
    expect([reloaded.tabs.session(), reloaded.notices]).toEqual([ann, []])
  })

  test("is forgotten alone, and its tab follows the others from then on", async () => {
    const { a, b } = alone()
    b.tabs.keep(bob)
    a.tabs.keep(ann)
    a.tabs.forget()
    await settle()
    expect(b.tabs.session()).toEqual(bob)
    b.tabs.keep(sessionOf("eve"))
    await settle()
    expect(a.notices.at(-1)).toEqual(["eve-0", false])
  })

  test("becomes that of all where one signs in again for all", async () => {
    const { a, b, choice } = alone()
    a.tabs.keep(ann)
    choice.isShared = true
    a.tabs.keep(bob)
    await settle()
    expect([a.tabs.session(), a.tabs.isShared(), b.tabs.session()]).toEqual([bob, true, bob])
  })
})

describe("what stands in a storage", () => {
  test.each([
    "",
    "null",
    "[]",
    "{",
    '{"sessionId":"canary","accessToken":"x"}',
    '{"version":"7","session":{"sessionId":"canary"}}',
    '{"version":1e300,"session":{"sessionId":"canary"}}',
    '{"version":0,"session":{"sessionId":"canary"}}',
    '{"version":-1,"session":{"sessionId":"canary"}}',
    '{"version":0.5,"session":{"sessionId":"canary"}}',
    '{"version":null,"session":{"sessionId":"canary"}}',
    '{"version":4294967296,"session":{"sessionId":"canary"}}',
    '{"version":9007199254740990,"session":{"sessionId":"canary"}}',
    '{"version":9007199254740991}',
    '{"version":7,"session":"canary"}',
    '{"version":7,"session":null}',
    '{"version":7,"session":{"sessionId":""}}',
    '{"version":7,"session":{"sessionId":7}}'
  ])("or is sent, and is no session, is none: %j", async (text) => {
    const { a, b, browser } = setup()
    /** Writes it, sends it, and finds in a tab that opens then, and in two that are open, who is signed in. */
    const after = async () => {
      browser.write(key, text)
      const opened = make(browser.open(), { name: "desk" })
      const first = opened.session()
      a.tab.send(key, text)
      await settle()
      return [first, opened.session(), a.tabs.session(), b.tabs.session()]
    }
    expect([await after(), b.notices]).toEqual([Array(4).fill(undefined), []])
    a.tabs.keep(ann)
    await settle()
    expect([b.tabs.session(), open(browser).tabs.session(), b.notices]).toEqual([
      ann,
      ann,
      [["ann-0", false]]
    ])
    expect((await after()).slice(1)).toEqual([ann, ann, ann])
    expect([browser.kept(), b.notices.length]).toEqual([expect.stringContaining("ann-0"), 1])
  })

  test.each([2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1])(
    "may be counted to %d: sign-ins and sign-outs hold on",
    async (version) => {
      const { a, b, browser } = setup()
      browser.write(key, JSON.stringify({ version, session: bob }))
      const late = open(browser)
      await settle()
      for (const turn of [0, 1, 2]) {
        late.tabs.keep(sessionOf("ann", turn))
        await settle()
        const tabs = [a, b, late, open(browser)]
        expect(tabs.map(({ tabs }) => tabs.session()?.sessionId)).toEqual(Array(4).fill(`ann-${turn}`))
        a.tabs.forget()
        await settle()
        expect(tabs.map(({ tabs }) => tabs.session())).toEqual(Array(4).fill(undefined))
      }
    }
  )
})

describe("a page and a server", () => {
  const start = (globals: Readonly<Record<string, unknown>>) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
    return Tabs.make({ name: "desk" })
  }
  const forbidden = new Proxy(new FakeStorage(), {
    get: () => {
      throw new DOMException("no", "SecurityError")
    }
  })
  const window = new EventTarget()
  const inPage = { document: new EventTarget(), window, sessionStorage: new FakeStorage() }

  test("a server keeps nothing of the people whom it serves, though it has a storage, locks and channels", () => {
    const storage = new FakeStorage()
    const BroadcastChannel = vi.fn()
    const tabs = start({ document: undefined, localStorage: storage, BroadcastChannel })
    const stop = tabs.subscribe(() => undefined)
    tabs.keep(ann)
    expect(tabs.session()).toBeUndefined()
    expect([storage.length, BroadcastChannel.mock.calls.length, page.locks]).toEqual([0, 0, undefined])
    stop()
  })

  test("a page whose storage is forbidden has a session as long as it is open", () => {
    const tabs = start({ ...inPage, localStorage: forbidden, sessionStorage: forbidden })
    tabs.keep(ann)
    expect(tabs.session()).toEqual(ann)
    tabs.forget()
    expect(tabs.session()).toBeUndefined()
  })

  test("a storage that takes no more keeps no older session", () => {
    const storage = new FakeStorage()
    const tabs = start({ ...inPage, localStorage: storage, BroadcastChannel: undefined })
    tabs.keep(ann)
    storage.setItem = (key, value) => {
      if (value.includes("sessionId")) throw new DOMException("no room", "QuotaExceededError")
      storage.items.set(key, value)
    }
    tabs.keep(bob)
    expect([tabs.session(), [...storage.items.values()].join()]).toEqual([
      bob,
      expect.not.stringMatching(/ann|bob/)
    ])
  })

  test("without channels, tabs hear of each other by what the storage tells", async () => {
    const storage = new FakeStorage()
    const tabs = start({ ...inPage, localStorage: storage, BroadcastChannel: undefined })
    const listener = vi.fn()
    const stop = tabs.subscribe(listener)
    const elsewhere = open(new FakeBrowser())
    elsewhere.tabs.keep(ann)
    const newValue = elsewhere.tab.get(true, key)
    window.dispatchEvent(Object.assign(new Event("storage"), { key, newValue, storageArea: storage }))
    await settle()
    expect(listener).toHaveBeenCalledExactlyOnceWith(ann, false)
    stop()
    window.dispatchEvent(Object.assign(new Event("storage"), { key, newValue: null, storageArea: storage }))
    await settle()
    expect(listener).toHaveBeenCalledTimes(1)
  })
})

describe("what is no session", () => {
  test.each<readonly [session: unknown, field: string]>([
    [undefined, "sessionId"],
    [null, "sessionId"],
    ["s-1", "sessionId"],
    [{}, "sessionId"],
    [{ sessionId: "" }, "sessionId"],
    [{ sessionId: true }, "sessionId"],
    [{ sessionId: "s-1", accessToken: 7 }, "accessToken"]
  ])("is not kept, and signs nobody out: %j", async (session, field) => {
    const { a, b, browser } = setup()
    a.tabs.keep(ann)
    await settle()
    expect(() => b.tabs.keep(session as typeof ann)).toThrow(
      expect.objectContaining({ _tag: "InputError", operation: "Tabs.keep", field })
    )
    await settle()
    expect([a, b, open(browser)].map(({ tabs }) => tabs.session())).toEqual([ann, ann, ann])
  })
})

describe("options", () => {
  test.each<readonly [options: object, field: string]>([
    [{}, "name"],
    [{ name: "" }, "name"],
    [{ name: 7 }, "name"],
    [{ name: "desk", isShared: true }, "isShared"],
    [{ name: "desk", shared: true }, "shared"]
  ])("%j are refused with an InputError that names %s", (options, field) => {
    expect(() => Tabs.make(options as Tabs.TabsOptions)).toThrow(
      expect.objectContaining({ _tag: "InputError", operation: "Tabs.make", field })
    )
  })
})

describe("the store of tabs", () => {
  const key = "quartet.admin.https://api.example.com.p1.ann@example.com"
  const run = Effect.runSync

  /** Two tabs as stores. */
  const stores = () => {
    const { a, b, browser } = setup()
    return { a, b, browser, ownStore: a.tabs.store, otherStore: b.tabs.store }
  }
  const stored = Option.some(ann)

  test("gives a session to the client of its key, and to one that has another session of the same person", async () => {
    const { ownStore, otherStore } = stores()
    run(ownStore.save(key, ann))
    await settle()
    expect(run(otherStore.load(key))).toEqual(stored)
    expect(run(otherStore.load("given", sessionOf("ann", 1)))).toEqual(stored)
    for (const replaced of [undefined, bob, { sessionId: "s" }])
      expect(run(otherStore.load(`${key}.au`, replaced))).toEqual(Option.none())
  })

  test("is cleared by the client of its key, and by one of the same person; nobody else signs them out", async () => {
    const { a, ownStore, otherStore } = stores()
    const after = async (act: Effect.Effect<unknown, unknown>) => {
      run(act)
      await settle()
      return a.tabs.session()
    }
    expect(await after(ownStore.save(key, ann))).toEqual(ann)
    expect(await after(otherStore.clear("given", bob))).toEqual(ann)
    expect(await after(otherStore.clear("given"))).toEqual(ann)
    expect(await after(otherStore.clear("given", sessionOf("ann", 1)))).toBeUndefined()
    expect(await after(ownStore.save(key, ann))).toEqual(ann)
    expect(await after(otherStore.clear(key))).toBeUndefined()
  })

  test("does not save what began before a sign-out that it hears of only now", async () => {
    const { a, b, otherStore } = stores()
    run(otherStore.save(key, ann))
    const signOut = vi.fn()
    otherStore.onSignOut?.(signOut)
    await settle()
    b.tab.isFrozen = true
    a.tabs.forget()
    b.tab.look()
    run(otherStore.save(key, sessionOf("ann", 1)))
    expect([a.tabs.session(), b.tabs.session()]).toEqual([undefined, undefined])
    expect(signOut).toHaveBeenCalledTimes(1)
  })

  test("saves after a sign-out that it knows: somebody signs in again", async () => {
    const { b, ownStore, otherStore } = stores()
    run(ownStore.save(key, ann))
    run(ownStore.clear(key))
    await settle()
    run(otherStore.save(key, sessionOf("ann", 1)))
    expect(b.tabs.session()).toEqual(sessionOf("ann", 1))
  })

  test("signs a client out where somebody else signs in, and not where nobody was signed in before", async () => {
    const { a, otherStore } = stores()
    const signOut = vi.fn()
    const leave = otherStore.onSignOut?.(signOut)
    a.tabs.keep(ann)
    a.tabs.keep(sessionOf("ann", 1))
    await settle()
    expect(signOut).not.toHaveBeenCalled()
    a.tabs.keep(bob)
    await settle()
    expect(signOut).toHaveBeenCalledTimes(1)
    leave?.()
    a.tabs.forget()
    await settle()
    expect(signOut).toHaveBeenCalledTimes(1)
  })
})
