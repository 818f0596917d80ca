// @vitest-environment happy-dom
// A page that a server rendered: what it asked is in the text, and the browser takes over without asking or complaining.
import { act, StrictMode } from "react"
import { hydrateRoot } from "react-dom/client"
import { renderToString } from "react-dom/server"
import { expect, test, vi } from "vitest"
import * as Admin from "../../../clients/admin/index.js"
import {
  type DehydratedState,
  dehydrate,
  makeRegistry,
  prefetch,
  QuartetProvider,
  type QueryClient,
  type Registry,
  toScript,
  useQuery,
  useSession
} from "../../../ui/rx/index.js"
import * as Fake from "../../support/fake-transport.js"
import { adminClient, request, turn } from "./scripted.js"

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true)

const created = "2024-05-01T10:00:00.000Z"
const script: Fake.Script = () => Fake.json(200, request("r1", { createdAt: created }))

type AdminClient = QueryClient<Admin.Client, unknown, void>

const Request = ({ client }: { readonly client: AdminClient }) => {
  const { data, isFetching, status } = useQuery(client.query(Admin.requests.get, { id: "r1" }))
  const { status: session } = useSession(client.session)
  return (
    <p>
      {session} {status}
      {isFetching ? "…" : ""} {data?.createdAt instanceof Date ? data.createdAt.getUTCFullYear() : ""}
    </p>
  )
}

const page = (client: AdminClient, registry: Registry) => (
  <QuartetProvider registry={registry}>
    <Request client={client} />
  </QuartetProvider>
)

test("a server that did not ask ahead renders loading, and sends nothing", async () => {
  const { fake, client } = adminClient(script)
  const html = renderToString(page(client, makeRegistry()))
  await turn()
  expect(html).toMatch(/loading.*…/)
  expect(fake.exchanges).toHaveLength(0)
})

test("a server that asked ahead renders the answer", async () => {
  const { client } = adminClient(script)
  const registry = makeRegistry()
  await prefetch(registry, client.query(Admin.requests.get, { id: "r1" }))
  expect(renderToString(page(client, registry))).toContain("2024")
})

test("the browser takes the page over: the same text, no exchange, no complaint", async () => {
  const complain = vi.spyOn(console, "error").mockImplementation(() => undefined)
  const server = adminClient(script)
  const registry = makeRegistry()
  await prefetch(registry, server.client.query(Admin.requests.get, { id: "r1" }))
  const html = renderToString(page(server.client, registry))
  const state: DehydratedState = JSON.parse(toScript(dehydrate(registry)))

  const host = document.createElement("div")
  host.innerHTML = html
  const before = host.textContent
  const browser = adminClient(script, { staleTime: 60_000 })
  const root = await act(async () => {
    const started = hydrateRoot(
      host,
      <StrictMode>
        <QuartetProvider state={state}>
          <Request client={browser.client} />
        </QuartetProvider>
      </StrictMode>
    )
    await turn()
    return started
  })
  expect(before).toBe("signing-in success 2024")
  expect(host.textContent).toBe("signed-in success 2024")
  expect(browser.fake.exchanges).toHaveLength(0)
  expect(complain.mock.calls).toEqual([])

  // The server's next answer, as a navigation brings it.
  browser.clock.pass(1_000)
  const later = state.map((item) => ({
    ...item,
    at: item.at + 1_000,
    value: request("r1", { createdAt: "2025-01-01T00:00:00.000Z" })
  }))
  await act(async () => {
    root.render(
      <StrictMode>
        <QuartetProvider state={later}>
          <Request client={browser.client} />
        </QuartetProvider>
      </StrictMode>
    )
    await turn()
  })
  expect(host.textContent).toBe("signed-in success 2025")
  await act(async () => root.unmount())
})
