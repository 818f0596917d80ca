// @vitest-environment happy-dom
// The hooks in components, in Strict Mode: one exchange, no warnings, nothing left behind.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Activity, act, Component, type ReactNode, StrictMode, useState } from "react"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import {
  change,
  makeQueryClient,
  makeRegistry,
  QuartetProvider,
  source,
  useInfiniteQuery,
  useInvalidate,
  useMutation,
  usePrefetch,
  useQuery,
  useSession,
  useUpload
} from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { adminClient, adminLayer, request, token, turn } from "./scripted.js"
import { all, answers, complaints, press, render, settle, show, staged, text } from "./stage.js"

staged()

describe("useQuery", () => {
  test("shows loading, then the answer, with one exchange", async () => {
    const { fake, client } = adminClient(["waits"])
    const Request = () => {
      const query = useQuery(client.query(Admin.requests.get, { id: "r1" }))
      return <p>{query.status === "success" ? query.data._id : query.status}</p>
    }
    await show(<Request />)
    expect(text()).toBe("loading")
    expect(fake.exchanges).toHaveLength(1)
    fake.at(0).settle(Fake.json(200, request("r1")))
    await settle()
    expect(text()).toBe("r1")
    expect(fake.exchanges).toHaveLength(1)
    expect(complaints).toEqual([])
  })

  test("shows the typed error beside the data there was, and asks again on refetch", async () => {
    const { client } = adminClient([
      Fake.json(200, request("r1")),
      Fake.json(403, {}),
      Fake.json(200, request("r1"))
    ])
    const Request = () => {
      const { data, error, refetch, status } = useQuery(client.query(Admin.requests.get, { id: "r1" }))
      return (
        <p>
          {status} {data?._id} {error?._tag}
          <button type="button" onClick={refetch}>
            again
          </button>
        </p>
      )
    }
    await show(<Request />)
    await press("again")
    expect(text()).toBe("error r1 PermissionDeniedagain")
    await press("again")
    expect(text()).toBe("success r1 again")
  })

  test("gives the exchange up when the component is unmounted", async () => {
    const { fake, client } = adminClient(["waits"])
    const Request = () => <p>{useQuery(client.query(Admin.requests.get, { id: "r1" })).status}</p>
    await show(<Request />)
    expect(fake.count("open")).toBe(1)
    await show(null)
    await settle()
    expect(fake.count("abandoned")).toBe(1)
  })

  test("gives the old input's exchange up when the input changes", async () => {
    const { fake, client } = adminClient(["waits"])
    const Requests = () => {
      const [id, setId] = useState("1")
      return (
        <p>
          {useQuery(client.query(Admin.requests.get, { id })).status}
          <button type="button" onClick={() => setId("2")}>
            next
          </button>
        </p>
      )
    }
    await show(<Requests />)
    await press("next")
    expect(fake.exchanges.map(({ state }) => state)).toEqual(["abandoned", "open"])
    expect(complaints).toEqual([])
  })

  test("is idle without a query", async () => {
    const { fake, client } = adminClient([])
    const id = undefined as string | undefined
    const Request = () => (
      <p>{useQuery(id === undefined ? undefined : client.query(Admin.requests.get, { id })).status}</p>
    )
    await show(<Request />)
    expect(text()).toBe("idle")
    expect(fake.exchanges).toHaveLength(0)
  })

  test("components share an answer, and a later one refreshes it without a warning where it is old", async () => {
    const { clock, fake, client } = adminClient(answers, { staleTime: 1_000 })
    const Version = () => {
      const { data, isFetching } = useQuery(client.query(Admin.requests.get, { id: "r1" }))
      return (
        <i>
          {data?.version}
          {isFetching ? "…" : ""}
        </i>
      )
    }
    const Desk = () => {
      const [count, setCount] = useState(2)
      return (
        <p>
          {Array.from({ length: count }, (_, index) => (
            <Version key={index} />
          ))}
          <button type="button" onClick={() => setCount(count + 1)}>
            more
          </button>
        </p>
      )
    }
    await show(<Desk />)
    expect([text(), fake.exchanges.length]).toEqual(["11more", 1])
    await press("more")
    expect([text(), fake.exchanges.length]).toEqual(["111more", 1])
    clock.pass(2_000)
    await press("more")
    expect([text(), fake.exchanges.length]).toEqual(["2222more", 2])
    expect(complaints).toEqual([])
  })

  test("a screen that comes back shows the kept answer at once", async () => {
    const { fake, client } = adminClient(answers, { staleTime: 60_000 })
    const registry = makeRegistry()
    const seen: Array<string> = []
    const Request = () => {
      const { status } = useQuery(client.query(Admin.requests.get, { id: "r1" }))
      seen.push(status)
      return <p>{status}</p>
    }
    await show(<Request />, registry)
    await show(null, registry)
    seen.length = 0
    await show(<Request />, registry)
    expect(new Set(seen)).toEqual(new Set(["success"]))
    expect(fake.exchanges).toHaveLength(1)
  })

  test("throws a fault in the program to the error boundary", async () => {
    const client = makeQueryClient(Layer.empty)
    const broken = source("faults.make", () => Effect.die(new Error("broken")))
    class Boundary extends Component<{ readonly children: ReactNode }, { readonly caught: string }> {
      override state = { caught: "" }
      static getDerivedStateFromError(error: Error) {
        return { caught: error.message }
      }
      override render() {
        return this.state.caught === "" ? this.props.children : <p>caught {this.state.caught}</p>
      }
    }
    const Broken = () => <p>{useQuery(client.query(broken)).status}</p>
    await show(
      <Boundary>
        <Broken />
      </Boundary>
    )
    await settle()
    expect(text()).toBe("caught broken")
  })
})

describe("useMutation", () => {
  const script: Fake.Script = ({ method }) => (method === "GET" ? Fake.json(200, request("r1")) : "waits")

  test("shows a change at once, and undoes it where the call fails", async () => {
    const { fake, client } = adminClient(script)
    const one = client.query(Admin.requests.get, { id: "r1" })
    const rename = client.mutation(Admin.requests.update, {
      optimistic: ({ payload }) => [change(one, (value) => ({ ...value, type: String(payload) }))]
    })
    const Request = () => {
      const { data } = useQuery(one)
      const { error, mutate, status } = useMutation(rename)
      return (
        <p>
          {data?.type} {status} {error?._tag}
          <button type="button" onClick={() => mutate({ id: "r1", payload: "BUY" })}>
            buy
          </button>
        </p>
      )
    }
    await show(<Request />)
    expect(text()).toBe("VISIT idle buy")
    await press("buy")
    expect(text()).toBe("BUY pending buy")
    fake.exchanges.at(-1)?.settle(Fake.json(409, {}))
    await settle()
    expect(text()).toBe("VISIT error Conflictbuy")
    expect(complaints).toEqual([])
  })

  test("each component has runs of its own, and tells how they ended", async () => {
    const { client } = adminClient(({ method, path }) =>
      method === "PUT" && path.includes("bad") ? Fake.json(404, {}) : Fake.json(200, request("r1"))
    )
    const markSeen = client.mutation(Admin.requests.markSeen)
    const outcomes: Array<string> = []
    const Seen = ({ id }: { readonly id: string }) => {
      const { mutate, reset, status } = useMutation(markSeen)
      const run = async () => {
        const outcome = await mutate({ id, version: 1 })
        outcomes.push(outcome.status === "error" ? outcome.error._tag : outcome.status)
      }
      return (
        <p>
          {status}
          <button type="button" onClick={run}>{`see ${id}`}</button>
          <button type="button" onClick={reset}>{`reset ${id}`}</button>
        </p>
      )
    }
    await show([<Seen key="a" id="good" />, <Seen key="b" id="bad" />])
    await press("see good")
    expect(all("p")[0]?.textContent).toContain("success")
    expect(all("p")[1]?.textContent).toContain("idle")
    await press("see bad")
    expect(all("p")[1]?.textContent).toContain("error")
    expect(outcomes).toEqual(["success", "NotFound"])
    await press("reset bad")
    expect(all("p")[1]?.textContent).toContain("idle")
  })

  test("a write goes on when its component is gone", async () => {
    const { fake, client } = adminClient(["waits"])
    const markSeen = client.mutation(Admin.requests.markSeen)
    const Seen = () => {
      const { mutate } = useMutation(markSeen)
      return (
        <button type="button" onClick={() => mutate({ id: "r1", version: 1 })}>
          see
        </button>
      )
    }
    const registry = makeRegistry()
    await show(<Seen />, registry)
    await press("see")
    await show(null, registry)
    await settle()
    expect(fake.count("open")).toBe(1)
  })
})

describe("the other hooks", () => {
  test("useInfiniteQuery grows and knows its end", async () => {
    const { client } = adminClient(({ path }) =>
      Fake.json(200, { items: [request(path.includes("page=2") ? "b" : "a")], paging: { pages: 2 } })
    )
    const pages = client.infiniteQuery(Admin.requests.list)
    const List = () => {
      const { hasNextPage, items, fetchNextPage, status } = useInfiniteQuery(pages)
      return (
        <p>
          {status} {items.map(({ _id }) => _id).join()} {hasNextPage ? "more" : "done"}
          <button type="button" onClick={fetchNextPage}>
            load
          </button>
        </p>
      )
    }
    await show(<List />)
    expect(text()).toBe("success a moreload")
    await press("load")
    expect(text()).toBe("success a,b doneload")
  })

  test("useUpload shows progress, and gives the upload up with the component", async () => {
    const { fake, client } = adminClient(["waits"])
    const upload = client.upload(Admin.requests.create)
    const Send = () => {
      const state = useUpload(upload)
      return (
        <p>
          {state.status} {state.status === "uploading" ? state.progress : ""}
          <button type="button" onClick={() => state.start({ payload: {} })}>
            send
          </button>
          <button type="button" onClick={state.cancel}>
            stop
          </button>
        </p>
      )
    }
    await show(<Send />)
    await press("send")
    await act(async () => fake.at(0).request.onUpload?.(1, 4))
    expect(text()).toBe("uploading 0.25sendstop")
    await press("stop")
    expect(text()).toBe("idle sendstop")
    await press("send")
    await show(null)
    await settle()
    expect(fake.exchanges.map(({ state }) => state)).toEqual(["abandoned", "abandoned"])
  })

  test("useSession signs in and out, and says what is permitted", async () => {
    const fake = Fake.make([])
    const client = makeQueryClient((accessToken: string) => adminLayer(fake, accessToken))
    const Session = () => {
      const session = useSession(client.session)
      return (
        <p>
          {session.status} {session.can(Admin.requests.markSeen) ? "may" : "may not"}
          <button type="button" onClick={() => session.signIn(token())}>
            in
          </button>
          <button type="button" onClick={session.signOut}>
            out
          </button>
        </p>
      )
    }
    await show(<Session />)
    expect(text()).toBe("signed-out may notinout")
    await press("in")
    expect(text()).toBe("signed-in mayinout")
    await press("out")
    expect(text()).toBe("signed-out may notinout")
    expect(complaints).toEqual([])
  })

  test("usePrefetch asks ahead, useInvalidate anew", async () => {
    const { fake, client } = adminClient(answers, { staleTime: 60_000 })
    const query = client.query(Admin.requests.get, { id: "r1" })
    const Tools = () => {
      const prefetch = usePrefetch()
      const invalidate = useInvalidate(client)
      return (
        <p>
          <button type="button" onClick={() => prefetch(query)}>
            ahead
          </button>
          <button type="button" onClick={() => invalidate("requests")}>
            anew
          </button>
        </p>
      )
    }
    const registry = makeRegistry()
    await show(<Tools />, registry)
    await press("ahead")
    await press("ahead")
    expect(fake.exchanges).toHaveLength(1)
    await press("anew")
    await press("ahead")
    expect(fake.exchanges).toHaveLength(2)
  })
})

describe("the provider", () => {
  test("releases the client's layer when it is unmounted, and not in between", async () => {
    let released = 0
    const resource = Layer.scopedDiscard(
      Effect.addFinalizer(() =>
        Effect.sync(() => {
          released += 1
        })
      )
    )
    const client = makeQueryClient(Layer.merge(adminLayer(Fake.make(answers)), resource))
    const Request = () => <p>{useQuery(client.query(Admin.requests.get, { id: "r1" })).status}</p>
    await show(<Request />)
    expect([text(), released]).toEqual(["success", 0])
    await render(null)
    await act(() => new Promise((resolve) => setTimeout(resolve, 5)))
    expect(released).toBe(1)
  })

  test("works again after it was hidden", async () => {
    const { fake, client } = adminClient(answers)
    const Request = () => <p>{useQuery(client.query(Admin.requests.get, { id: "r1" })).data?.version}</p>
    const showAs = async (mode: "visible" | "hidden") => {
      await render(
        <StrictMode>
          <Activity mode={mode}>
            <QuartetProvider>
              <Request />
            </QuartetProvider>
          </Activity>
        </StrictMode>
      )
      await act(() => new Promise((resolve) => setTimeout(resolve, 5)))
      await settle()
    }
    await showAs("visible")
    expect(text()).toBe("1")
    await showAs("hidden")
    await showAs("visible")
    await settle()
    expect(text()).toBe("2")
    expect(fake.exchanges).toHaveLength(2)
    expect(complaints).toEqual([])
  })

  test("real signals: focus and online ask for what is old", async () => {
    const clockClient = adminClient(answers)
    const client = makeQueryClient(Layer.merge(adminLayer(clockClient.fake), clockClient.clock.layer), {
      staleTime: 1_000
    })
    const Request = () => <p>{useQuery(client.query(Admin.requests.get, { id: "r1" })).data?.version}</p>
    await show(<Request />)
    for (const [type, target, version] of [
      ["focus", window, "2"],
      ["visibilitychange", document, "3"],
      ["online", window, "4"]
    ] as const) {
      clockClient.clock.pass(2_000)
      await act(async () => {
        target.dispatchEvent(new Event(type))
        await turn()
      })
      expect(text()).toBe(version)
    }
  })
})
