// @vitest-environment happy-dom
// A page that a server rendered: what it asked is in the text, and the browser takes over without asking or complaining.

import { adminClient, complaints, during, flush, ok, request, withRoot } from "@quartet/support/react.js"
import { act, StrictMode } from "react"
import { hydrateRoot } from "react-dom/client"
import { renderToString } from "react-dom/server"
import { expect, test } from "vitest"
import {
  type DehydratedState,
  dehydrate,
  prefetch,
  QuartetProvider,
  type QuartetProviderProps,
  toScript,
  useQuery,
  useSession
} from "../../rx/index.js"

withRoot()

const setup = () => {
  const fixture = adminClient(() => ok({ createdAt: "2024-05-01T10:00:00.000Z" }), { staleTime: 60_000 })
  const Request = () => {
    const { data, isFetching, status } = useQuery(fixture.get())
    const year = data?.createdAt instanceof Date ? data.createdAt.getUTCFullYear() : ""
    return <p>{`${useSession(fixture.client.session).status} ${status}${isFetching ? "…" : ""} ${year}`}</p>
  }
  const page = (props: QuartetProviderProps) => (
    <StrictMode>
      <QuartetProvider {...props}>
        <Request />
      </QuartetProvider>
    </StrictMode>
  )
  const html = () => renderToString(page({ registry: fixture.registry }))
  return { ...fixture, page, html }
}

test("a server that did not ask ahead renders loading, and sends nothing", async () => {
  const { fake, html } = setup()
  expect(html()).toContain("loading…")
  await flush()
  expect(fake.exchanges).toHaveLength(0)
})

test("the browser takes the page of a server that asked ahead over: no exchange, no complaint", async () => {
  const server = setup()
  await prefetch(server.registry, server.get())
  const host = document.createElement("div")
  host.innerHTML = server.html()
  expect(host.textContent).toBe("signing-in success 2024")
  const state: DehydratedState = JSON.parse(toScript(dehydrate(server.registry)))

  const browser = setup()
  const root = await act(async () => {
    const hydrated = hydrateRoot(host, browser.page({ state }))
    await flush()
    return hydrated
  })
  expect(host.textContent).toBe("signed-in success 2024")
  expect([browser.fake.exchanges, complaints]).toEqual([[], []])

  // The server's next answer, as a navigation brings it.
  browser.clock.pass(1_000)
  const value = request("r1", { createdAt: "2025-01-01T00:00:00.000Z" })
  const later = state.map((item) => ({ ...item, at: item.at + 1_000, value }))
  await during(() => root.render(browser.page({ state: later })))
  expect(host.textContent).toBe("signed-in success 2025")
  await during(() => root.unmount())
})
