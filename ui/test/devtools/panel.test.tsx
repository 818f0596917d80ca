// @vitest-environment happy-dom
// The devtools as components: what they are given reaches their own root, and what the registry does reaches them.

import { Input } from "@quartet/sdk"
import * as Admin from "@quartet/sdk/admin"
import { Effect } from "effect"
import { act, StrictMode } from "react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { makeWire, QuartetDevtools, QuartetDevtoolsPanel } from "../../devtools/index.js"
// Loaded before the tests, so that none of them waits for it.
import "../../devtools/view/mount.js"
import * as Fake from "@quartet/support/fake-transport.js"
import { adminClient, complaints, flush, ok, render, show, token, withRoot } from "@quartet/support/react.js"
import { makeRegistry, QuartetProvider, source } from "../../rx/index.js"
import { makeDevice } from "../outbox/harness.js"

withRoot()
beforeEach(() => localStorage.clear())
afterEach(async () => {
  await show(null)
  await settle()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
  vi.unstubAllGlobals()
  expect(complaints).toEqual([])
})

// The panel reads again at intervals, which pass when a test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] }))

/** Lets the panel be loaded or go, and read again. */
const settle = async () => {
  // What is mounted in one act has its effects, and so its interval, in the next.
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
  await act(async () => {
    vi.advanceTimersByTime(250)
    await flush()
  })
}

const shadows = () => [...document.querySelectorAll("quartet-devtools")].map(({ shadowRoot }) => shadowRoot)
const shadow = (): ShadowRoot => {
  const [shadowRoot] = shadows()
  if (shadowRoot === undefined || shadowRoot === null) throw new Error("there are no devtools")
  return shadowRoot
}
const text = (): string => shadow().textContent ?? ""
const press = async (name: string) => {
  const buttons = [...shadow().querySelectorAll<HTMLElement>("button, summary")]
  const button = buttons.find(
    (candidate) => candidate.textContent?.startsWith(name) || candidate.getAttribute("aria-label") === name
  )
  if (button === undefined) throw new Error(`there is no button ${name} in ${text()}`)
  await act(async () => button.click())
  await settle()
}
/** Opens a line as a browser does. */
const expand = async (name: string) => {
  const line = [...shadow().querySelectorAll("details")].find((details) =>
    details.textContent?.includes(name)
  )
  if (line === undefined) throw new Error(`there is no line ${name} in ${text()}`)
  await act(async () => {
    line.open = true
    line.dispatchEvent(new Event("toggle"))
  })
  await settle()
}

test("they are in the page once, in Strict Mode too, and go with their component", async () => {
  await show(<QuartetDevtools />)
  await settle()
  expect(shadows()).toHaveLength(1)
  expect(text()).toBe("Quartet devtools")
  await show(null)
  await settle()
  expect(shadows()).toEqual([])
})

test("a mutation is shown from its beginning to its end, with its secrets masked, and is no more than text", async () => {
  const { client, fake } = adminClient(["waits", Fake.json(403, {})])
  const registry = makeRegistry()
  await show(<QuartetDevtools registry={registry} initialIsOpen initialSection="mutations" />)
  await settle()
  expect(text()).toContain("Nothing has run since the devtools were mounted.")
  const { mutate } = client.mutation(Admin.requests.update).actions(registry)
  const running = mutate({ id: "r1", payload: Input.raw({ accessToken: "t0ken", note: "hello" }) })
  await settle()
  expect(text()).toContain("pending")
  expect(text()).toContain("hello")
  expect(text()).not.toContain("t0ken")
  await act(async () => fake.exchanges.at(-1)?.settle(ok()))
  await act(async () => {
    await running
    await mutate({ id: "r2", payload: {} })
  })
  await settle()
  await expand("error")
  expect(text()).toContain("PermissionDenied: ")
  await press("Clear")
  expect(text()).toContain("Nothing has run")
})

test("a write of an outbox is a run that is queued, may come to rest, and ends as the outbox does", async () => {
  const tab = makeDevice().open()
  await show(
    <QuartetDevtools registry={tab.registry} outbox={tab.outbox} initialIsOpen initialSection="mutations" />
  )
  await settle()
  const badges = () => [...shadow().querySelectorAll(".badge")].map(({ textContent }) => textContent)
  const shows = async (...expected: ReadonlyArray<string>) => {
    await settle()
    expect(badges()).toEqual(expected)
  }
  await act(() => tab.write("r1"))
  await shows("queued")
  expect(text()).toContain("requests.markSeen")
  expect(text()).toContain("…")
  await press("Clear")
  await act(() => tab.settle(Fake.json(409, {})))
  await shows("error")
  await expand("markSeen")
  expect(text()).toContain("Conflict: ")
  const [first] = tab.entries()
  await act(() => tab.actions.retry(first?.id ?? ""))
  await shows("queued")
  await act(() => tab.settle(Fake.failed("Reset")))
  await shows("unknown")
  await press("Outbox")
  await expand("markSeen")
  await press("Send again")
  expect(shadow().querySelector("[role=status]")?.textContent).toBe("Queued. It will be sent in turn.")
  await press("Mutations")
  await act(() => tab.settle(ok()))
  await shows("success")
  await act(() => tab.write(""))
  await shows("error", "success")
  await act(() => tab.write("r2"))
  await act(() => tab.settle(Fake.json(409, {})))
  await press("Outbox")
  await expand("markSeen")
  await press("Discard")
  expect(shadow().querySelector("[role=status]")?.textContent).toBe("Discarded.")
  await press("Mutations")
  await shows("discarded", "error", "success")
  await press("Clear")
  await shows()
})

test("what has gone meanwhile is neither sent again nor discarded, and that is said", async () => {
  const tab = makeDevice().open()
  const gone = Object.assign(tab.outbox, {
    actions: () => ({
      retry: () => Promise.resolve({ status: "refused" } as const),
      discard: () => Promise.resolve({ status: "error", error: new Error("no room") } as const)
    })
  })
  await act(() => tab.write("r1"))
  await act(() => tab.settle(Fake.json(409, {})))
  await show(<QuartetDevtools registry={tab.registry} outbox={gone} initialIsOpen initialSection="outbox" />)
  await settle()
  await expand("markSeen")
  await press("Send again")
  expect(shadow().querySelector("[role=status]")?.textContent).toMatch(/^Nothing was done/)
  await press("Discard")
  expect(shadow().querySelector("[role=status]")?.textContent).toBe("no room")
})

test("texts of lines that are open at once are no landmarks, which would need names of their own", async () => {
  const { client, registry } = adminClient([])
  for (const name of ["one.get", "other.get"])
    registry.subscribe(client.query(source(name, () => Effect.succeed(name))), () => undefined, {
      immediate: true
    })
  await show(<QuartetDevtools registry={registry} initialIsOpen />)
  await settle()
  await expand("one.get")
  await expand("other.get")
  expect(shadow().querySelectorAll("[aria-label=Data]")).toHaveLength(2)
  expect(shadow().querySelectorAll("section, [role=region]")).toHaveLength(0)
})

test("a secret of its input is shown nowhere in a run and a query that repeat it", async () => {
  const password = "hunter2-hunter2"
  const { client } = adminClient([])
  const registry = makeRegistry()
  const echo = (ok: boolean) => (input: { readonly password: string }) =>
    ok
      ? Effect.succeed({ said: input.password })
      : Effect.fail({ _tag: "Weak", message: `weak: ${input.password}` })
  await show(<QuartetDevtools registry={registry} initialIsOpen initialSection="mutations" />)
  await settle()
  for (const ok of [true, false])
    await act(() =>
      client
        .mutation(source(`set.${ok}`, echo(ok)))
        .actions(registry)
        .mutate({ password })
    )
  await settle()
  await expand("success")
  await expand("error")
  expect(text()).toContain('"said": "•••"')
  expect(text()).toContain("Weak: weak: •••")
  for (const ok of [true, false])
    registry.subscribe(
      client.query(
        source(`get.${ok}`, ({ code }: { readonly code: string }) => echo(ok)({ password: code })),
        { code: password }
      ),
      () => undefined,
      { immediate: true }
    )
  await press("Queries")
  await expand("get.true")
  await expand("get.false")
  expect(text()).toContain('"said": "•••"')
  expect(text()).toContain("Weak: weak: •••")
  expect(text()).not.toContain("hunter2")
})

test("of many queries a hundred are shown, then more, and the focus goes on with the first of these", async () => {
  const { client, registry } = adminClient([])
  const get = source("one.get", ({ place }: { readonly place: number }) => Effect.succeed(place))
  for (let place = 0; place < 250; place += 1)
    registry.subscribe(client.query(get, { place }), () => undefined, { immediate: true })
  await show(<QuartetDevtools registry={registry} initialIsOpen />)
  await settle()
  const lines = () => shadow().querySelectorAll("li")
  expect(text()).toContain("Queries 250")
  expect(lines()).toHaveLength(100)
  expect(text()).toContain("100 of 250 are shown.")
  await press("Show more")
  expect(lines()).toHaveLength(200)
  expect(shadow().activeElement).toBe(lines()[100]?.querySelector("summary"))
  await press("Show more")
  expect(lines()).toHaveLength(250)
  expect(text()).not.toContain("are shown.")
})

const key = (target: Element | null | undefined, name: string, more: KeyboardEventInit = {}) =>
  act(async () => {
    target?.dispatchEvent(
      new KeyboardEvent("keydown", { key: name, bubbles: true, composed: true, cancelable: true, ...more })
    )
  })

test("Escape empties a search before it closes the panel, and does neither to a character that is composed", async () => {
  await show(<QuartetDevtools initialIsOpen />)
  await settle()
  const field = () => shadow().querySelector("input")
  await act(async () => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? {}
    set?.call(field(), "nothing like this")
    field()?.dispatchEvent(new Event("input", { bubbles: true }))
  })
  expect(field()?.value).toBe("nothing like this")
  await key(field(), "Escape", { isComposing: true })
  expect(field()?.value).toBe("nothing like this")
  await key(field(), "Escape")
  expect(field()?.value).toBe("")
  await key(field(), "Escape", { isComposing: true })
  expect(field()).not.toBeNull()
  await key(field(), "Escape")
  expect(field()).toBeNull()
})

test("the panel is never higher than nine tenths of the window, and is as it was drawn once the window is again", async () => {
  const resize = (height: number) =>
    act(async () => {
      vi.stubGlobal("innerHeight", height)
      window.dispatchEvent(new Event("resize"))
    })
  await resize(1_000)
  localStorage.setItem("quartet-devtools", '{"height":2000,"isOpen":true}')
  await show(<QuartetDevtools />)
  await settle()
  const grip = () => shadow().querySelector("[role=separator]")
  const heights = () => [
    shadow().host.getAttribute("style"),
    ...["valuemin", "valuenow", "valuemax"].map((name) => grip()?.getAttribute(`aria-${name}`))
  ]
  expect(heights()).toEqual(["--height: 900px;", "160", "900", "900"])
  await key(grip(), "ArrowDown")
  expect(heights()).toEqual(["--height: 860px;", "160", "860", "900"])
  await resize(400)
  expect(heights()).toEqual(["--height: 360px;", "160", "360", "360"])
  await key(grip(), "ArrowUp")
  expect(heights()).toEqual(["--height: 360px;", "160", "360", "360"])
  await resize(100)
  expect(heights()).toEqual(["--height: 90px;", "90", "90", "90"])
  await resize(1_000)
  expect(heights()[2]).toBe("360")
})

test("a change that throws is shown as the fault that it is", async () => {
  const { client } = adminClient([])
  const registry = makeRegistry()
  await show(<QuartetDevtools registry={registry} initialIsOpen initialSection="mutations" />)
  await settle()
  const broken = client.mutation(Admin.requests.markSeen, {
    optimistic: () => {
      throw new RangeError("no such place")
    }
  })
  await act(() => broken.actions(registry).mutate({ id: "r1", version: 1 }))
  await settle()
  await expand("defect")
  expect(text()).toContain("RangeError: no such place")
})

test("without devtools nothing of a run is looked at", async () => {
  const { client, registry } = adminClient(() => ok())
  const read = vi.fn(() => "r1")
  const input = {
    version: 1,
    id: "r1",
    get note() {
      return read()
    }
  }
  const before = vi.fn()
  const mutation = client.mutation(
    source("a.b", (mutationInput: typeof input) => Effect.sync(() => before(mutationInput.id)))
  )
  await mutation.actions(registry).mutate(input)
  expect(before).toHaveBeenCalledWith("r1")
  expect(read).not.toHaveBeenCalled()
})

test("a query that nobody observes can be made outdated, and a reset forgets its answer", async () => {
  const { clock, fake, get, registry } = adminClient(() => ok())
  const stop = registry.subscribe(get(), () => undefined, { immediate: true })
  await flush()
  stop()
  clock.pass(90_000)
  await show(<QuartetDevtools registry={registry} initialIsOpen />)
  await settle()
  expect(text()).toMatch(/answered.*requests\.get.*not observed, 1 min old/)
  await expand("requests.get")
  await press("Mark as stale")
  expect(shadow().querySelector(".badge")?.textContent).toBe("outdated")
  await press("Reset")
  expect(text()).toContain("not asked")
  expect(fake.requests()).toHaveLength(1)
})

test("the panel in the page shows its actions of the wire, tells what they answer and throw, and closes by its app", async () => {
  const wire = makeWire()
  const { registry } = adminClient([])
  const layer = wire.tap("desk")
  const call = Effect.provide(
    Admin.requests.get({ id: "r1" }),
    Admin.layer({
      baseUrl: "https://api.example.com",
      projectId: "p1",
      sessionId: "s",
      accessToken: token()
    })
  )
  await Effect.runPromise(
    Effect.provide(Effect.exit(call), layer).pipe(Effect.provide(Fake.make(() => ok()).layer))
  )
  const close = vi.fn()
  await render(
    <StrictMode>
      <QuartetProvider registry={registry}>
        <QuartetDevtoolsPanel
          wire={wire}
          initialSection="wire"
          onClose={close}
          wireActions={[
            { label: "Greet", run: ({ operation }) => Promise.resolve(`Hello ${operation}`) },
            { label: "Fail", run: () => Promise.reject(new Error("not now")) },
            {
              label: "Hide",
              run: () => Promise.resolve(undefined),
              isOffered: ({ method }) => method !== "GET"
            }
          ]}
        />
      </QuartetProvider>
    </StrictMode>
  )
  await settle()
  expect(shadows()).toHaveLength(1)
  await expand("requests.get")
  await press("Greet")
  expect(shadow().querySelector("[role=status]")?.textContent).toBe("Hello requests.get")
  await press("Fail")
  expect(shadow().querySelector("[role=status]")?.textContent).toBe("Error: not now")
  expect(text()).not.toContain("Hide")
  await press("Close the devtools")
  expect(close).toHaveBeenCalledTimes(1)
})

test("storage that is forbidden, or holds anything, keeps nothing from being shown", async () => {
  localStorage.setItem("quartet-devtools", '{"height":"tall","section":"nowhere","isOpen":true}')
  await show(<QuartetDevtools />)
  await settle()
  expect(text()).toContain("No queries yet.")
  const refused = vi.fn(() => {
    throw new DOMException("no", "SecurityError")
  })
  vi.stubGlobal("localStorage", { getItem: refused, setItem: refused })
  await press("Close the devtools")
  expect(text()).toBe("Quartet devtools")
  expect(refused).toHaveBeenCalled()
})

test("of several devtools the open one lies over the buttons of the others", async () => {
  await show(
    <>
      <QuartetDevtools />
      <QuartetDevtools position="bottom-left" />
    </>
  )
  await settle()
  const opened = () => shadows().map((shadowRoot) => shadowRoot?.host.hasAttribute("data-open"))
  expect(opened()).toEqual([false, false])
  await press("Quartet devtools")
  expect(opened()).toEqual([true, false])
  await press("Close the devtools")
  expect(opened()).toEqual([false, false])
})
