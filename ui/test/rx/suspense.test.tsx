// @vitest-environment happy-dom
// Components that wait for their answers: one exchange however often React renders, and none that nobody waits for.

import * as Admin from "@quartet/sdk/admin"
import * as Fake from "@quartet/support/fake-transport.js"
import {
  adminClient,
  adminLayer,
  Button,
  complaints,
  during,
  ok,
  press,
  render,
  request,
  show,
  text,
  token,
  versions,
  withRoot
} from "@quartet/support/react.js"
import { Effect, Layer } from "effect"
import {
  act,
  Component,
  type ComponentType,
  type ReactNode,
  StrictMode,
  Suspense,
  startTransition,
  useState
} from "react"
import { afterEach, describe, expect, test } from "vitest"
import {
  type DehydratedState,
  dehydrate,
  HydrationBoundary,
  type HydrationBoundaryProps,
  makeQueryClient,
  makeRegistry,
  prefetch,
  QuartetProvider,
  type QueryClientOptions,
  source,
  useErrorReset,
  useInvalidate,
  useQuery,
  useSession,
  useSuspenseInfiniteQuery,
  useSuspenseQuery
} from "../../rx/index.js"

withRoot()
afterEach(() => expect(complaints).toEqual([]))

/** Shows what was thrown, until it is reset; React's words on it are taken for granted. */
class Catch extends Component<
  { readonly children: ReactNode; readonly onReset?: () => void },
  { readonly caught: unknown }
> {
  override state = { caught: undefined }
  static getDerivedStateFromError(caught: unknown) {
    return { caught }
  }
  override componentDidCatch() {
    complaints.length = 0
  }
  override render() {
    if (this.state.caught === undefined) return this.props.children
    const again = () => {
      this.props.onReset?.()
      this.setState({ caught: undefined })
    }
    return (
      <>
        {`caught ${Object(this.state.caught)._tag ?? this.state.caught}`}
        <Button label="try again" onClick={again} />
      </>
    )
  }
}

const Waiting = ({ children }: { readonly children: ReactNode }) => (
  <Suspense fallback="waiting">{children}</Suspense>
)

/** The id of the request that is asked for. */
const idIn = ({ path }: { readonly path: string }): string => /request-action\/(\w+)/.exec(path)?.[1] ?? ""

/** A client over a script, and a component that shows the version of a request. */
const setup = (script: Fake.Script, options: QueryClientOptions = {}) => {
  const fixture = adminClient(script, options)
  const Request = ({ id = "r1" }: { readonly id?: string }) => {
    const { data, error, isFetching } = useSuspenseQuery(fixture.get(id))
    return <>{`${data._id} ${data.version}${isFetching ? "…" : ""} ${error?._tag ?? ""}`.trim()}</>
  }
  const settle = (reply: Exclude<Fake.Reply, string>) =>
    during(() => fixture.fake.exchanges.at(-1)?.settle(reply))
  const states = () => fixture.fake.exchanges.map(({ state }) => state)
  const pass = (milliseconds: number) => during(() => fixture.clock.pass(milliseconds))
  return { ...fixture, Request, settle, states, pass }
}

describe("while there is no answer", () => {
  test("the boundary shows its fallback, and components share one exchange", async () => {
    const { Request, fake, settle } = setup(["waits"])
    await show(
      <Waiting>
        <Request />, <Request />
      </Waiting>
    )
    expect(text()).toBe("waiting")
    await settle(ok())
    expect([text(), fake.exchanges.length]).toEqual(["r1 1, r1 1", 1])
  })

  test("the exchange goes on for as long as React waits, and ends with the component that has come for it", async () => {
    const { Request, pass, settle, states } = setup(["waits"])
    const waiting = (
      <Waiting>
        <Request />
      </Waiting>
    )
    await show(waiting)
    for (let second = 0; second < 60; second += 1) await pass(1_000)
    expect([text(), states()]).toEqual(["waiting", ["open"]])
    await settle(ok())
    await pass(60_000)
    expect([text(), states()]).toEqual(["r1 1", ["settled"]])
  })

  test("the exchange is given up soon after the last that waited has gone", async () => {
    const { Request, pass, states } = setup(["waits"])
    await show(
      <Waiting>
        <Request />
      </Waiting>
    )
    await show(null)
    await pass(4_000)
    expect(states()).toEqual(["open"])
    await pass(6_001)
    expect(states()).toEqual(["abandoned"])
  })

  /** A page for whoever signs in, and what is asked for them. */
  const open = () => {
    const fakes = new Map(
      ["ann", "bob"].map((name) => [name, Fake.make(({ method }) => (method === "GET" ? "waits" : ok()))])
    )
    const fakeOf = (name: string): Fake.Fake => fakes.get(name) ?? Fake.make([])
    const client = makeQueryClient((name: string) =>
      adminLayer(fakeOf(name), token({ "*": { "*": 9 } }, name))
    )
    const registry = makeRegistry()
    const query = client.query(Admin.requests.get, { id: "r1" })
    const Request = () => <>{useSuspenseQuery(query).data.version}</>
    const page = (isShown: boolean) => show(<Waiting>{isShown && <Request />}</Waiting>, registry)
    const reads = (name: string) =>
      fakeOf(name).exchanges.filter(({ request: { method } }) => method === "GET")
    const readStates = (name: string) => reads(name).map(({ state }) => state)
    const signIn = (name: string) => act(async () => client.session.actions(registry).signIn(name))
    const mutate = () =>
      act(async () =>
        client.mutation(Admin.requests.markSeen).actions(registry).mutate({ id: "r1", version: 1 })
      )
    const answer = (name: string, version: number) =>
      during(() => reads(name).at(-1)?.settle(ok({ version })))
    return { answer, readStates, mutate, page, query, registry, signIn }
  }

  test("what a component that has left waited for is not asked for the next person", async () => {
    const { readStates, page, signIn } = open()
    await signIn("ann")
    await page(true)
    await page(false)
    await signIn("bob")
    await during()
    expect([readStates("ann"), readStates("bob")]).toEqual([["abandoned"], []])
  })

  test("what a component that has left waited for is not asked again by a mutation", async () => {
    const { readStates, mutate, page, signIn } = open()
    await signIn("ann")
    await page(true)
    await page(false)
    for (let times = 0; times < 3; times += 1) await mutate()
    await during()
    expect(readStates("ann")).toEqual(["abandoned"])
  })

  test("a component that still waits has it asked again, for the next person and by a mutation", async () => {
    const { answer, readStates, mutate, page, signIn } = open()
    await signIn("ann")
    await page(true)
    await mutate()
    expect(readStates("ann")).toEqual(["abandoned", "open"])
    await signIn("bob")
    await during()
    expect([readStates("ann"), readStates("bob")]).toEqual([["abandoned", "abandoned"], ["open"]])
    await answer("bob", 7)
    expect(text()).toBe("7")
  })

  test("an answer that nobody has come for is not asked again by a mutation", async () => {
    const { answer, readStates, mutate, page, signIn } = open()
    await signIn("ann")
    await page(true)
    await page(false)
    await answer("ann", 1)
    await mutate()
    await during()
    expect(readStates("ann")).toEqual(["settled"])
  })

  test("what was asked ahead of a screen is not asked for the next person, nor by a mutation, and nobody waits for it", async () => {
    const { readStates, mutate, query, registry, signIn } = open()
    await signIn("ann")
    const ahead = [prefetch(registry, query)]
    await during()
    await mutate()
    await Promise.all(ahead)
    ahead.push(prefetch(registry, query))
    await during()
    await signIn("bob")
    await Promise.all(ahead)
    expect([readStates("ann"), readStates("bob")]).toEqual([["abandoned", "abandoned"], []])
  })

  test("a refetch under way ends with the component, although it has suspended before", async () => {
    const { Request, client, settle, states } = setup(["waits"])
    const Tools = () => {
      const invalidate = useInvalidate(client)
      return <Button label="again" onClick={() => invalidate("requests")} />
    }
    const page = (isShown: boolean) =>
      show(
        <Waiting>
          {isShown && <Request />}
          <Tools />
        </Waiting>
      )
    // The provider is there before, so React cannot forget it any more.
    await page(false)
    await page(true)
    await settle(ok())
    await press("again")
    expect(text()).toBe("r1 1…")
    await page(false)
    expect(states()).toEqual(["settled", "abandoned"])
  })

  test("an answer that is kept for no time at all is shown, and not asked for twice", async () => {
    const { Request, fake } = setup(versions, { gcTime: 0, capacity: 0, staleTime: 1_000 })
    await show(
      <Waiting>
        <Request />
      </Waiting>
    )
    expect([text(), fake.exchanges.length]).toEqual(["r1 1", 1])
  })

  test("a provider that React forgets, because nothing inside of it stops the wait, asks each question once", async () => {
    const { Request, fake, get } = setup((sent) => Fake.json(200, request(idIn(sent))))
    /** It learns only from an answer what else there is to ask. */
    const Both = () => {
      const { data } = useSuspenseQuery(get("r1"))
      return (
        <>
          {data._id}, <Request id="r2" />
        </>
      )
    }
    await render(
      <StrictMode>
        <Waiting>
          <QuartetProvider>
            <Both />
          </QuartetProvider>
        </Waiting>
      </StrictMode>
    )
    expect([text(), fake.exchanges.length]).toEqual(["r1, r2 1", 2])
  })

  test("it waits again when everything is forgotten, and asks for the next person", async () => {
    const layerFor = (accessToken: string) => adminLayer(Fake.make(versions), accessToken)
    const client = makeQueryClient(layerFor, { credentials: token() })
    const Version = () => {
      const { data } = useSuspenseQuery(client.query(Admin.requests.get, { id: "r1" }))
      const { signOut } = useSession(client.session)
      return (
        <>
          {data.version}
          <Button label="out" onClick={signOut} />
        </>
      )
    }
    await show(
      <Catch>
        <Waiting>
          <Version />
        </Waiting>
      </Catch>
    )
    expect(text()).toBe("1")
    await press("out")
    expect(text()).toBe("caught CredentialsError")
  })
})

describe("a transition", () => {
  test("keeps the old screen until the answer is there", async () => {
    const { Request, fake, settle, states } = setup((sent) => (idIn(sent) === "r2" ? "waits" : ok()))
    const Page = () => {
      const [id, setId] = useState("r1")
      return (
        <>
          <Waiting>
            <Request id={id} />
          </Waiting>
          <Button label="next" onClick={() => startTransition(() => setId("r2"))} />
        </>
      )
    }
    await show(<Page />)
    await press("next")
    expect([text(), states()]).toEqual(["r1 1", ["settled", "open"]])
    await settle(Fake.json(200, request("r2")))
    expect([text(), fake.exchanges.length]).toEqual(["r2 1", 2])
  })
})

describe("a failure", () => {
  const page = (Request: ComponentType) => {
    const Page = () => (
      <Catch onReset={useErrorReset()}>
        <Waiting>
          <Request />
        </Waiting>
      </Catch>
    )
    return show(<Page />)
  }

  test("without an answer goes to the error boundary, after one exchange, and a reset asks again", async () => {
    const { Request, fake } = setup([Fake.json(404, {}), Fake.json(403, {}), ok()])
    await page(Request)
    expect([text(), fake.exchanges.length]).toEqual(["caught NotFound", 1])
    await press("try again")
    expect([text(), fake.exchanges.length]).toEqual(["caught PermissionDenied", 2])
    await press("try again")
    expect([text(), fake.exchanges.length]).toEqual(["r1 1", 3])
  })

  test("asks again a moment later by itself, where a boundary knows nothing of it", async () => {
    const { Request, fake, pass } = setup([Fake.json(404, {}), ok()])
    await show(
      <Catch>
        <Waiting>
          <Request />
        </Waiting>
      </Catch>
    )
    await press("try again")
    expect([text(), fake.exchanges.length]).toEqual(["caught NotFound", 1])
    await pass(1_001)
    await press("try again")
    expect([text(), fake.exchanges.length]).toEqual(["r1 1", 2])
  })

  test("in one boundary leaves the others as they are", async () => {
    const { Request } = setup((sent) => (idIn(sent) === "r2" ? Fake.json(404, {}) : ok()))
    await show(
      ["r1", "r2"].map((id) => (
        <Catch key={id}>
          <Waiting>
            <Request id={id} />
          </Waiting>
        </Catch>
      ))
    )
    expect(text()).toBe("r1 1caught NotFound")
  })

  test("stands beside an answer that there was before it", async () => {
    const { Request, clock, focus } = setup([ok(), Fake.json(403, {})])
    await page(Request)
    clock.pass(60_000)
    await during(focus.give)
    expect(text()).toBe("r1 1 PermissionDenied")
  })

  test("of the program is thrown, and so is what is no query", async () => {
    const broken = makeQueryClient(Layer.empty).query(source("faults.make", () => Effect.die("broken")))
    const uses = [() => useSuspenseQuery(broken).status, () => useSuspenseQuery(undefined as never).status]
    for (const [index, use] of uses.entries()) {
      const Given = () => <>{use()}</>
      await show(
        <Catch key={index}>
          <Waiting>
            <Given />
          </Waiting>
        </Catch>
      )
      expect(text()).toBe(["caught broken", "caught InputError"][index])
    }
  })

  test("that another component has met is asked again, and not shown as this one's", async () => {
    const { Request, fake, get } = setup([Fake.json(404, {}), ok()])
    const Plain = () => <>{useQuery(get()).status}, </>
    const Page = () => {
      const [isOpen, setOpen] = useState(false)
      return (
        <>
          <Plain />
          <Waiting>{isOpen && <Request />}</Waiting>
          <Button label="open" onClick={() => setOpen(true)} />
        </>
      )
    }
    await show(<Page />)
    expect(text()).toBe("error, ")
    await press("open")
    expect([text(), fake.exchanges.length]).toEqual(["success, r1 1", 2])
  })
})

test("useSuspenseInfiniteQuery waits for the first page alone", async () => {
  const { client, fake, settle } = setup(["waits"])
  const list = client.infiniteQuery(Admin.requests.list)
  const List = () => {
    const { fetchNextPage, hasNextPage, isFetching, items } = useSuspenseInfiniteQuery(list)
    return (
      <>
        {`${items.map(({ _id }) => _id).join()} ${isFetching ? "…" : ""}${hasNextPage ? "more" : "done"}`}
        <Button label="load" onClick={fetchNextPage} />
      </>
    )
  }
  const pageOf = (id: string) => Fake.json(200, { items: [request(id)], paging: { pages: 2 } })
  await show(
    <Waiting>
      <List />
    </Waiting>
  )
  expect(text()).toBe("waiting")
  await settle(pageOf("a"))
  expect(text()).toBe("a more")
  await press("load")
  expect(text()).toBe("a …more")
  await settle(pageOf("b"))
  expect([text(), fake.exchanges.length]).toEqual(["a,b done", 2])
})

describe("a hydration boundary", () => {
  /** The state of a server that was answered version 7. */
  const stateOf = async () => {
    const server = adminClient([ok({ version: 7 })])
    await prefetch(server.registry, server.get())
    return dehydrate(server.registry)
  }
  const page = (Request: ComponentType, state: HydrationBoundaryProps["state"]) =>
    show(
      <Catch>
        <Waiting>
          <HydrationBoundary state={state}>
            <Request />
          </HydrationBoundary>
        </Waiting>
      </Catch>
    )

  test("waits for answers that are on their way, and nothing is asked", async () => {
    const { Request, fake } = setup([])
    let arrive = (_: DehydratedState): void => undefined
    await page(
      Request,
      new Promise((resolve) => {
        arrive = resolve
      })
    )
    expect(text()).toBe("waiting")
    const state = await stateOf()
    await during(() => arrive(state))
    expect([text(), fake.exchanges.length]).toEqual(["r1 7", 0])
  })

  test("takes answers that are there, and newer ones later", async () => {
    const state = await stateOf()
    const { Request, clock, fake } = setup([])
    await page(Request, state)
    expect(text()).toBe("r1 7")
    clock.pass(1)
    await page(
      Request,
      state.map((item) => ({ ...item, at: item.at + 1, value: request("r1", { version: 8 }) }))
    )
    expect([text(), fake.exchanges.length]).toEqual(["r1 8", 0])
  })

  test("leaves what is not among them to the component", async () => {
    const { Request, fake } = setup(versions)
    await page(Request, Promise.resolve([]))
    expect([text(), fake.exchanges.length]).toEqual(["r1 1", 1])
  })

  test("gives a promise that is rejected to the error boundary", async () => {
    const { Request } = setup([])
    const state = Promise.reject<DehydratedState>(new Error("no server"))
    // React hears of it only when it renders.
    state.catch(() => undefined)
    await page(Request, state)
    expect(text()).toBe("caught Error: no server")
  })
})
