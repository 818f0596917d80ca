// @vitest-environment happy-dom
// Mutations, lists, uploads and the session in components, in Strict Mode.
import { act } from "react"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import {
  change,
  makeQueryClient,
  makeRegistry,
  useInfiniteQuery,
  useInvalidate,
  useMutation,
  usePrefetch,
  useQuery,
  useSession,
  useUpload
} from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { adminClient, adminLayer, request, token } from "./scripted.js"
import { all, answers, complaints, press, settle, show, text } from "./stage.js"

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
