/**
 * The React hooks in a page: a list is shown, something is added to it, and the list is fetched again; another one is waited
 * for with Suspense, below a promise of answers.
 */

import {
  HydrationBoundary,
  makeQueryClient,
  QuartetProvider,
  useMutation,
  useQuery,
  useSuspenseQuery
} from "@quartet/react"
import { Public } from "@quartet/sdk"
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import * as Layer from "effect/Layer"
import { Suspense, useEffect, useState, version } from "react"
import { createRoot } from "react-dom/client"
import type { Platform } from "./platform.js"

const { apiKey, baseUrl }: Platform = JSON.parse(decodeURIComponent(location.hash.slice(1)))

const client = makeQueryClient(Layer.provide(Public.layer({ baseUrl, apiKey }), FetchTransport.layer))
const create = client.mutation(Public.boxes.create)
const label = `React ${version}`

const Boxes = ({ onShown }: { readonly onShown: (count: number) => void }) => {
  const { data } = useSuspenseQuery(client.query(Public.boxes.list, { limit: 1 }))
  useEffect(() => onShown(data.items.length), [data, onShown])
  return <p>{data.items.length}</p>
}

const state = Promise.resolve([])

const App = () => {
  const [waited, setWaited] = useState<number>()
  const list = useQuery(client.query(Public.boxes.list, { search: label }))
  const { mutate, status } = useMutation(create)
  const count = list.status === "success" ? list.data.items.length : undefined
  useEffect(() => {
    if (count === 0 && status === "idle") mutate({ payload: { label } })
  }, [count, mutate, status])
  useEffect(() => {
    const failed =
      list.status === "error" ? String(list.error) : status === "error" ? "the write failed" : undefined
    const outcome = count === 1 && waited === 1 ? "works" : failed
    if (outcome !== undefined) Reflect.set(globalThis, "outcome", JSON.stringify({ hooks: outcome }))
  }, [count, list, status, waited])
  return (
    <>
      <p>{count}</p>
      <Suspense fallback={<p>Loading…</p>}>
        <HydrationBoundary state={state}>
          <Boxes onShown={setWaited} />
        </HydrationBoundary>
      </Suspense>
    </>
  )
}

const root = document.body.appendChild(document.createElement("div"))
createRoot(root).render(
  <QuartetProvider>
    <App />
  </QuartetProvider>
)
