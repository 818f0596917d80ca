// @vitest-environment happy-dom
// Queries in components, in Strict Mode: one exchange, no warnings, nothing left behind.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Component, type ReactNode, useState } from "react"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import { makeQueryClient, makeRegistry, source, useQuery } from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { adminClient, request } from "./scripted.js"
import { answers, complaints, press, settle, show, text } from "./stage.js"

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
