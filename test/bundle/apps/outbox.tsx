/** An app in React that keeps one write. */

import { makeQueryClient, QuartetProvider, useMutation } from "@quartet/react"
import { makeOutbox, useOutbox } from "@quartet/react/outbox"
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import { layer } from "@quartet/sdk/admin"
import * as requests from "@quartet/sdk/admin/requests"
import * as Layer from "effect/Layer"
import { createRoot } from "react-dom/client"

const client = makeQueryClient((credentials: { readonly email: string; readonly password: string }) =>
  Layer.provide(
    layer({ baseUrl: "https://api.example.com", projectId: "p1", ...credentials }),
    FetchTransport.layer
  )
)
const outbox = makeOutbox({ name: "app" })
const markSeen = client.mutation(requests.markSeen, { outbox })

const Seen = () => {
  const { mutate } = useMutation(markSeen)
  const { entries } = useOutbox(outbox)
  return (
    <button type="button" onClick={() => mutate({ id: "r1", version: 1 })}>
      {entries.length}
    </button>
  )
}

createRoot(document.body).render(
  <QuartetProvider>
    <Seen />
  </QuartetProvider>
)
