// @vitest-environment happy-dom
// The provider: when it gives everything up, and what the browser tells it.
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Activity, act, StrictMode } from "react"
import { describe, expect, test } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import { makeQueryClient, QuartetProvider, useQuery } from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { adminClient, adminLayer, turn } from "./scripted.js"
import { answers, complaints, render, settle, show, text } from "./stage.js"

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
