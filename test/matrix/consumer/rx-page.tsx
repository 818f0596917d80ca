/** The React hooks in a page: a list is shown, something is added to it, and the list is fetched again. */
import { Public } from "@quartet/sdk"
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import { makeQueryClient, QuartetProvider, useMutation, useQuery } from "@quartet/sdk/rx"
import * as Layer from "effect/Layer"
import { useEffect, version } from "react"
import { createRoot } from "react-dom/client"
import type { Platform } from "./platform.js"

const { apiKey, baseUrl }: Platform = JSON.parse(decodeURIComponent(location.hash.slice(1)))

const client = makeQueryClient(Layer.provide(Public.layer({ baseUrl, apiKey }), FetchTransport.layer))
const create = client.mutation(Public.boxes.create)
const label = `React ${version}`

const App = () => {
  const list = useQuery(client.query(Public.boxes.list, { search: label }))
  const { mutate, status } = useMutation(create)
  const count = list.status === "success" ? list.data.items.length : undefined
  useEffect(() => {
    if (count === 0 && status === "idle") mutate({ payload: { label } })
  }, [count, mutate, status])
  useEffect(() => {
    const failed =
      list.status === "error" ? String(list.error) : status === "error" ? "the write failed" : undefined
    const outcome = count === 1 ? "works" : failed
    if (outcome !== undefined) Reflect.set(globalThis, "outcome", JSON.stringify({ hooks: outcome }))
  }, [count, list, status])
  return <p>{count}</p>
}

const root = document.body.appendChild(document.createElement("div"))
createRoot(root).render(
  <QuartetProvider>
    <App />
  </QuartetProvider>
)
