// @vitest-environment happy-dom
// Components that an Activity hides: React renders them all the same, and they ask for nothing until they are shown.

import * as Admin from "@quartet/sdk/admin"
import * as Fake from "@quartet/support/fake-transport.js"
import {
  adminLayer,
  Button,
  complaints,
  during,
  press,
  request,
  show,
  text,
  token,
  withRoot
} from "@quartet/support/react.js"
import { Effect } from "effect"
import {
  Activity,
  type ComponentType,
  type ReactNode,
  Suspense,
  useEffect,
  useLayoutEffect,
  useState
} from "react"
import { afterEach, describe, expect, test, vi } from "vitest"
import {
  type ChatSource,
  live,
  makeQueryClient,
  useChat,
  useInfiniteQuery,
  useLive,
  useMutation,
  useQuery,
  useSession,
  useSuspenseInfiniteQuery,
  useSuspenseQuery
} from "../../rx/index.js"

withRoot()
afterEach(() => expect(complaints).toEqual([]))

/** Two people, each with a transport of their own, and queries whose answers say whose they are. */
const setup = () => {
  const people = new Map(
    ["ann", "bob"].map((name) => {
      let version = 0
      const fake = Fake.make(({ method, path }) => {
        version += Number(method === "GET")
        const item = request("r1", { version, type: name })
        return Fake.json(
          200,
          path.includes("r1") ? item : { items: [item], pagination: { hasNextPage: false } }
        )
      })
      return [name, fake] as const
    })
  )
  const fakeOf = (name: string): Fake.Fake => people.get(name) ?? Fake.make([])
  const client = makeQueryClient(
    (name: string) => adminLayer(fakeOf(name), token({ "*": { "*": 9 } }, name)),
    { credentials: "ann", staleTime: 60_000 }
  )
  const requestQuery = client.query(Admin.requests.get, { id: "r1" })
  const list = client.infiniteQuery(Admin.requests.list, {})
  const markSeen = client.mutation(Admin.requests.markSeen)
  const said = (shown: { readonly type?: unknown; readonly version?: unknown } | undefined) =>
    shown === undefined ? "nothing" : `${shown.type} ${shown.version}`
  const shown = {
    useQuery: () => said(useQuery(requestQuery).data),
    useSuspenseQuery: () => said(useSuspenseQuery(requestQuery).data),
    useInfiniteQuery: () => said(useInfiniteQuery(list).items[0]),
    useSuspenseInfiniteQuery: () => said(useSuspenseInfiniteQuery(list).items[0])
  }
  /** A page that renders again with each step of the session and of the mutation, and what it hides with it. */
  const Page = ({ Content, isShown }: { readonly Content: ComponentType; readonly isShown: boolean }) => {
    const { signIn } = useSession(client.session)
    const { mutate } = useMutation(markSeen)
    return (
      <>
        <Activity mode={isShown ? "visible" : "hidden"}>
          <Suspense fallback="waiting">
            <Content />
          </Suspense>
        </Activity>
        <Button label="mark" onClick={() => mutate({ id: "r1", version: 1 })} />
        <Button label="ann" onClick={() => signIn("ann")} />
        <Button label="bob" onClick={() => signIn("bob")} />
      </>
    )
  }
  const reads = () =>
    ["ann", "bob"].map(
      (name) =>
        fakeOf(name)
          .requests()
          .filter(({ method }) => method === "GET").length
    )
  return { Page, client, requestQuery, reads, shown }
}

const hooks = ["useQuery", "useSuspenseQuery", "useInfiniteQuery", "useSuspenseInfiniteQuery"] as const

describe.each(hooks)("what %s asks for", (hook) => {
  const open = () => {
    const { Page, reads, shown } = setup()
    const useShown = shown[hook]
    const seen: Array<string> = []
    const Shown = () => {
      const said = useShown()
      // What the user would see: layout effects come before the screen is painted, passive ones after it.
      useEffect(() => void seen.push(said))
      return said
    }
    const page = async (isShown: boolean) => {
      await show(<Page Content={Shown} isShown={isShown} />)
      await during()
    }
    return { page, reads, seen }
  }

  test("is not sent by mutations of its slice while an Activity hides it, and once when it is shown", async () => {
    const { page, reads } = open()
    await page(true)
    expect([text(), reads()]).toEqual(["ann 1", [1, 0]])
    await page(false)
    for (let times = 0; times < 3; times += 1) await press("mark")
    expect(reads()).toEqual([1, 0])
    await page(true)
    expect([text(), reads()]).toEqual(["ann 2", [2, 0]])
  })

  // What suspends holds no answer of the next person that it could render: React then prepares the screen, as for the first time.
  const prepared = hook.startsWith("useSuspense") ? 1 : 0

  test(`is sent for the next person ${prepared} times while an Activity hides it, and nothing is shown of the one before`, async () => {
    const { page, reads, seen } = open()
    await page(true)
    await page(false)
    await press("bob")
    for (let times = 0; times < 3; times += 1) await press("mark")
    expect(reads()).toEqual([1, prepared])
    seen.length = 0
    await page(true)
    expect([text(), reads()]).toEqual([`bob ${1 + prepared}`, [1, 1 + prepared]])
    expect(seen.filter((said) => said.startsWith("ann"))).toEqual([])
  })

  test(`is sent ${prepared} times by what is hidden from its first render on, and once when it is shown`, async () => {
    const { page, reads } = open()
    await page(false)
    for (let times = 0; times < 3; times += 1) await press("mark")
    expect(reads()).toEqual([prepared, 0])
    await page(true)
    expect([text(), reads()]).toEqual([`ann ${1 + prepared}`, [1 + prepared, 0]])
  })
})

test("a hidden screen that React has not rendered again shows nothing of the person before, not even before it is painted", async () => {
  const { client, requestQuery, reads } = setup()
  const painted: Array<string> = []
  let toggle = (): void => undefined
  const Hidden = () => <>{useQuery(requestQuery).data?.type ?? "nothing"}</>
  const Shell = ({ children }: { readonly children: ReactNode }) => {
    const [isShown, setShown] = useState(true)
    const { signIn } = useSession(client.session)
    toggle = () => setShown(!isShown)
    // Nothing is painted before the task ends that has changed the screen.
    useLayoutEffect(() => queueMicrotask(() => painted.push(text())))
    return (
      <>
        <Activity mode={isShown ? "visible" : "hidden"}>{children}</Activity>
        <Button label="bob" onClick={() => signIn("bob")} />
      </>
    )
  }
  await show(
    <Shell>
      <Hidden />
    </Shell>
  )
  await during(() => toggle())
  await press("bob")
  expect(reads()).toEqual([1, 0])
  painted.length = 0
  // As in a browser, where passive effects come in a later task: `act` runs all of them at once.
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false)
  toggle()
  await expect.poll(text).toBe("bob")
  expect(reads()).toEqual([1, 1])
  expect(painted).not.toContain("ann")
})

test("a chat, and events, that nothing shows are not opened", async () => {
  const { client } = setup()
  const opened: Array<string> = []
  const chat = client.chat(
    Effect.suspend((): Effect.Effect<ChatSource> => {
      opened.push("chat")
      return Effect.never
    })
  )
  const events = live(client, () => {
    opened.push("events")
    return () => undefined
  })
  const Hidden = () => `${useChat(chat).connection.status} ${useLive(events).status}`
  const page = (isShown: boolean) =>
    show(
      <Activity mode={isShown ? "visible" : "hidden"}>
        <Hidden />
      </Activity>
    )
  await page(false)
  await page(false)
  expect(opened).toEqual([])
  await page(true)
  expect(new Set(opened)).toEqual(new Set(["chat", "events"]))
})
