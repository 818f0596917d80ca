// @vitest-environment happy-dom
// The hooks in components, in Strict Mode: one exchange, no warnings, nothing left behind.

import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import * as Fake from "@quartet/support/fake-transport.js"
import {
  adminClient,
  adminLayer,
  Button,
  complaints,
  during,
  endUserLayer,
  makeResource,
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
import { Activity, act, Component, type ReactNode, StrictMode, useState } from "react"
import { afterEach, describe, expect, test } from "vitest"
import {
  type DehydratedState,
  dehydrate,
  entities,
  HydrationBoundary,
  live,
  makeQueryClient,
  makeRegistry,
  prefetch,
  QuartetProvider,
  type Subscribe,
  source,
  useChat,
  useInfiniteQuery,
  useInvalidate,
  useLive,
  useMutation,
  usePrefetch,
  useQuery,
  useSession,
  useUpload
} from "../../rx/index.js"

withRoot()
afterEach(() => expect(complaints).toEqual([]))

const settle = (fake: Fake.Fake, reply: Exclude<Fake.Reply, string>) =>
  during(() => fake.exchanges.at(-1)?.settle(reply))

/** Waits until a provider that is gone has given everything up. */
const wait = () => act(() => new Promise((resolve) => setTimeout(resolve, 5)))

/** Shows what was thrown instead of its children. */
class Boundary extends Component<{ readonly children: ReactNode }, { readonly caught: string }> {
  override state = { caught: "" }
  static getDerivedStateFromError(error: Error) {
    return { caught: error.message }
  }
  override render() {
    return this.state.caught === "" ? this.props.children : `caught ${this.state.caught}`
  }
}

describe("useQuery", () => {
  test("shows loading, the answer with one exchange, a typed error beside it, and fetches again on refetch", async () => {
    const { fake, get } = adminClient(["waits", Fake.json(403, {}), ok()])
    const Request = () => {
      const { data, error, refetch, status } = useQuery(get())
      return (
        <p>
          {status} {data?._id} {error?._tag}
          <Button label="again" onClick={refetch} />
        </p>
      )
    }
    await show(<Request />)
    expect(text()).toBe("loading  ")
    await settle(fake, ok())
    expect([text(), fake.exchanges.length]).toEqual(["success r1 ", 1])
    await press("again")
    expect(text()).toBe("error r1 PermissionDenied")
    await press("again")
    expect(text()).toBe("success r1 ")
  })

  test("gives an exchange up with its input or its component, and is idle without a query", async () => {
    const { fake, get } = adminClient(["waits"])
    const Requests = () => {
      const [id, setId] = useState<string | undefined>("1")
      return (
        <p>
          {useQuery(id === undefined ? undefined : get(id)).status}
          <Button label="next" onClick={() => setId("2")} />
          <Button label="none" onClick={() => setId(undefined)} />
        </p>
      )
    }
    const states = () => fake.exchanges.map(({ state }) => state)
    await show(<Requests />)
    await press("next")
    expect(states()).toEqual(["abandoned", "open"])
    await press("none")
    expect([text(), states()]).toEqual(["idle", ["abandoned", "abandoned"]])
    await press("next")
    await show(null)
    expect(states()).toEqual(["abandoned", "abandoned", "abandoned"])
  })

  test("components share an answer, and a later one refreshes it where it is old", async () => {
    const { clock, fake, get } = adminClient(versions, { staleTime: 1_000 })
    const Version = () => {
      const { data, isFetching } = useQuery(get())
      return `${data?.version}${isFetching ? "…" : ""}`
    }
    const Desk = () => {
      const [places, setPlaces] = useState([0, 1])
      return (
        <p>
          {places.map((place) => (
            <Version key={place} />
          ))}
          <Button label="more" onClick={() => setPlaces([...places, places.length])} />
        </p>
      )
    }
    await show(<Desk />)
    expect([text(), fake.exchanges.length]).toEqual(["11", 1])
    await press("more")
    expect([text(), fake.exchanges.length]).toEqual(["111", 1])
    clock.pass(2_000)
    await press("more")
    expect([text(), fake.exchanges.length]).toEqual(["2222", 2])
  })

  describe("an error boundary", () => {
    const client = makeQueryClient(Layer.empty)
    const broken = client.query(source("faults.make", () => Effect.die(new Error("broken"))))
    const none = undefined as never
    const Given = ({ use }: { readonly use: () => string }) => use()
    const faults: ReadonlyArray<readonly [caught: string, use: () => string, state: DehydratedState]> = [
      ["broken", () => useQuery(broken).status, []],
      ['query: the field "query" must be a query of a query client', () => useInfiniteQuery(none).status, []],
      [
        'query: the field "query" must be a query of a query client',
        () => useQuery(null as never).status,
        []
      ],
      ['hydrate: the field "state" must be what dehydrate answers', () => "", null as never],
      ['hydrate: the field "state" must be what dehydrate answers', () => "", [none]]
    ]
    test.each(faults)("is given: %s", async (caught, use, state) => {
      await render(
        <Boundary>
          <QuartetProvider state={state}>
            <Given use={use} />
          </QuartetProvider>
        </Boundary>
      )
      expect(text()).toContain(`caught ${caught}`)
      expect(complaints.splice(0).join()).toContain(caught)
    })
  })
})

test("useMutation: each component has runs of its own, which continue when it is unmounted", async () => {
  const { client, fake } = adminClient(({ path }) => {
    if (path.includes("slow")) return "waits"
    return path.includes("bad") ? Fake.json(404, {}) : ok()
  })
  const markSeen = client.mutation(Admin.requests.markSeen)
  const outcomes: Array<string> = []
  const Seen = ({ id }: { readonly id: string }) => {
    const { error, mutate, reset, status } = useMutation(markSeen)
    const run = async () => outcomes.push((await mutate({ id, version: 1 })).status)
    return (
      <p>
        {status} {error?._tag}, <Button label={`see ${id}`} onClick={run} />
        <Button label={`reset ${id}`} onClick={reset} />
      </p>
    )
  }
  const registry = makeRegistry()
  await show(
    ["good", "bad", "slow"].map((id) => <Seen key={id} id={id} />),
    registry
  )
  await press("see good")
  expect(text()).toBe("success , idle , idle , ")
  await press("see bad")
  expect([text(), outcomes]).toEqual(["success , error NotFound, idle , ", ["success", "error"]])
  await press("reset bad")
  await press("see slow")
  expect(text()).toBe("success , idle , pending , ")
  await show(null, registry)
  expect(fake.count("open")).toBe(1)
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
          <Button label="load" onClick={fetchNextPage} />
        </p>
      )
    }
    await show(<List />)
    expect(text()).toBe("success a more")
    await press("load")
    expect(text()).toBe("success a,b done")
  })

  test("useUpload shows progress, and gives the upload up with the component", async () => {
    const fake = Fake.make(["waits"])
    const upload = makeQueryClient(endUserLayer(fake)).upload(EndUser.files.upload)
    const Send = () => {
      const { cancel, start, ...state } = useUpload(upload)
      return (
        <p>
          {state.status} {state.status === "uploading" ? state.progress : ""}
          <Button label="send" onClick={() => start({ file: new File(["four"], "note.txt") })} />
          <Button label="stop" onClick={cancel} />
        </p>
      )
    }
    await show(<Send />)
    await press("send")
    await during(() => fake.at(0).request.onUpload?.(1, 4))
    expect(text()).toBe("uploading 0.25")
    await press("stop")
    expect(text()).toBe("idle ")
    await press("send")
    await show(null)
    expect(fake.exchanges.map(({ state }) => state)).toEqual(["abandoned", "abandoned"])
  })

  test("useSession signs in and out, and says what is permitted", async () => {
    const client = makeQueryClient((accessToken: string) => adminLayer(Fake.make([]), accessToken))
    const Session = () => {
      const { can, signIn, signOut, status } = useSession(client.session)
      return (
        <p>
          {status} {can(Admin.requests.markSeen) ? "may" : "may not"}
          <Button label="in" onClick={() => signIn(token())} />
          <Button label="out" onClick={signOut} />
        </p>
      )
    }
    await show(<Session />)
    expect(text()).toBe("signed-out may not")
    await press("in")
    expect(text()).toBe("signed-in may")
    await press("out")
    expect(text()).toBe("signed-out may not")
  })

  test("useChat shows what goes out in its conversation alone", async () => {
    const client = makeQueryClient(Layer.empty)
    const chat = client.chat(Effect.never)
    const Conversation = ({ conversationId }: { readonly conversationId: string }) => {
      const { connection, outgoing, send } = useChat(chat, { conversationId })
      return (
        <p>
          {connection.status} {outgoing.map(({ draft, status }) => `${draft.text} ${status}`)},{" "}
          <Button label={conversationId} onClick={() => send({ conversationId, text: "hello" })} />
        </p>
      )
    }
    await show(["c1", "c2"].map((id) => <Conversation key={id} conversationId={id} />))
    await press("c2")
    expect(text()).toBe("connecting , connecting hello pending, ")
  })

  test("useLive hears once for all components, shows what it is told, and throws a fault in a rule", async () => {
    const { client, fake, registry } = adminClient(() => Fake.json(200, [request("r1")]))
    const tellers = new Set<Parameters<Subscribe>[0]>()
    const source: Subscribe = (tell) => {
      tellers.add(tell)
      return () => tellers.delete(tell)
    }
    const placed = entities(Admin.requests.list, ({ _id }) => {
      if (_id === "r3") throw new Error("a fault")
      return "end"
    })
    const events = live(client, source, placed)
    const Requests = () => {
      const { status } = useLive(events)
      const { data } = useQuery(client.query(Admin.requests.list))
      return <p>{[status, ...(data?.items ?? []).map(({ _id }) => _id)].join(" ")},</p>
    }
    await show(
      <Boundary>
        <Requests />
        <Requests />
      </Boundary>,
      registry
    )
    expect([text(), tellers.size]).toEqual(["live r1,live r1,", 1])
    const tell = (id: string) =>
      during(() => [...tellers][0]?.({ change: "added", entity: { _id: id, type: "VISIT" } }))
    await tell("r2")
    expect([text(), fake.exchanges.length]).toEqual(["live r1 r2,live r1 r2,", 1])
    await tell("r3")
    expect([text(), tellers.size]).toEqual(["caught a fault", 0])
    complaints.length = 0
  })

  test("usePrefetch asks ahead, useInvalidate again", async () => {
    const { client, fake, get, registry } = adminClient(versions, { staleTime: 60_000 })
    const Tools = () => {
      const [prefetch, invalidate] = [usePrefetch(), useInvalidate(client)]
      return (
        <p>
          <Button label="ahead" onClick={() => prefetch(get())} />
          <Button label="again" onClick={() => invalidate("requests")} />
        </p>
      )
    }
    await show(<Tools />, registry)
    await press("ahead")
    await press("ahead")
    expect(fake.exchanges).toHaveLength(1)
    await press("again")
    await press("ahead")
    expect(fake.exchanges).toHaveLength(2)
  })
})

describe("under an Activity that is hidden and shown again", () => {
  const open = (mutationScript: Fake.Script = ["waits"]) => {
    const { client, fake } = adminClient(mutationScript)
    const markSeen = client.mutation(Admin.requests.markSeen)
    const Seen = () => {
      const { error, mutate, status } = useMutation(markSeen)
      return (
        <p>
          {status} {error?._tag}
          <Button label="see" onClick={() => mutate({ id: "r1", version: 1 })} />
        </p>
      )
    }
    const showAs = (mode: "visible" | "hidden") =>
      show(
        <Activity mode={mode}>
          <Seen />
        </Activity>
      )
    const settle = (reply: Exclude<Fake.Reply, string>) =>
      during(() => fake.at(-1 + fake.exchanges.length).settle(reply))
    return { fake, settle, showAs }
  }

  test("a write under way stays pending, so that a form stays disabled", async () => {
    const { fake, settle, showAs } = open()
    await showAs("visible")
    await press("see")
    await showAs("hidden")
    await during()
    await showAs("visible")
    expect([text(), fake.count("open")]).toEqual(["pending ", 1])
    await settle(ok())
    expect(text()).toBe("success ")
  })

  test("an error stays", async () => {
    const { showAs } = open([Fake.json(409, {})])
    await showAs("visible")
    await press("see")
    expect(text()).toBe("error Conflict")
    await showAs("hidden")
    await during()
    await showAs("visible")
    expect(text()).toBe("error Conflict")
  })

  test("a write that failed meanwhile says so", async () => {
    const { settle, showAs } = open()
    await showAs("visible")
    await press("see")
    await showAs("hidden")
    await settle(Fake.failed("Reset"))
    await showAs("visible")
    expect(text()).toBe("error OutcomeUnknown")
  })

  test("an upload, which ends with its component, says that it may have been done", async () => {
    const fake = Fake.make(["waits"])
    const upload = makeQueryClient(endUserLayer(fake)).upload(EndUser.files.upload)
    const Send = () => {
      const state = useUpload(upload)
      return (
        <p>
          {state.status} {state.status === "error" && state.error._tag}
          <Button label="send" onClick={() => state.start({ file: new File(["four"], "note.txt") })} />
        </p>
      )
    }
    const showAs = (mode: "visible" | "hidden") =>
      show(
        <Activity mode={mode}>
          <Send />
        </Activity>
      )
    await showAs("visible")
    await press("send")
    await showAs("hidden")
    await during()
    await showAs("visible")
    expect([text(), fake.count("abandoned")]).toEqual(["error OutcomeUnknown", 1])
  })
})

test("a screen with more queries than answers are kept asks each question once, and keeps what came with the page", async () => {
  const ids = Array.from({ length: 300 }, (_, place) => `r${place}`)
  const { fake, get, registry } = adminClient(versions, { capacity: 10 })
  const server = adminClient(versions, { capacity: 1_000 })
  await prefetch(server.registry, ...ids.slice(0, 100).map((id) => server.get(id)))
  const state = dehydrate(server.registry)
  const Row = ({ id }: { readonly id: string }) => <i>{useQuery(get(id)).status}</i>
  await show(
    <HydrationBoundary state={state}>
      {ids.map((id) => (
        <Row key={id} id={id} />
      ))}
    </HydrationBoundary>,
    registry
  )
  expect([text(), fake.exchanges.length]).toEqual(["success".repeat(300), 200])
})

describe("the provider", () => {
  test("releases the client's layer when it is unmounted, and not in between", async () => {
    const { counts, layer } = makeResource()
    const client = makeQueryClient(Layer.merge(adminLayer(Fake.make(versions)), layer))
    const Request = () => useQuery(client.query(Admin.requests.get, { id: "r1" })).status
    await show(<Request />)
    expect([text(), counts.released]).toEqual(["success", 0])
    await render(null)
    await wait()
    expect(counts).toEqual({ built: 1, released: 1 })
  })

  test("works again after it was hidden", async () => {
    const { fake, get } = adminClient(versions)
    const Request = () => <p>{useQuery(get()).data?.version}</p>
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
      await wait()
      await during()
    }
    await showAs("visible")
    expect(text()).toBe("1")
    await showAs("hidden")
    await showAs("visible")
    expect([text(), fake.exchanges.length]).toEqual(["2", 2])
  })

  test("real signals: focus and online ask for what is old", async () => {
    const { clock, layer } = adminClient(versions)
    const client = makeQueryClient(layer, { staleTime: 1_000 })
    const Request = () => useQuery(client.query(Admin.requests.get, { id: "r1" })).data?.version
    await show(<Request />)
    for (const [type, target, version] of [
      ["focus", window, "2"],
      ["visibilitychange", document, "3"],
      ["online", window, "4"]
    ] as const) {
      clock.pass(2_000)
      await during(() => target.dispatchEvent(new Event(type)))
      expect(text()).toBe(version)
    }
  })
})
