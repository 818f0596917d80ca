/** What the apps in React share: they show the answer of one call. */

import { makeQueryClient, QuartetProvider, useQuery } from "@quartet/react"
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import { layer } from "@quartet/sdk/public"
import * as boxes from "@quartet/sdk/public/boxes"
import * as Layer from "effect/Layer"
import type { ReactNode } from "react"
import { createRoot } from "react-dom/client"

const client = makeQueryClient(() =>
  Layer.provide(layer({ baseUrl: "https://api.example.com", apiKey: "key-1" }), FetchTransport.layer)
)

const Boxes = () => {
  const listed = useQuery(client.query(boxes.list, { limit: 10 }))
  return <p>{listed.status === "success" ? listed.data.items.length : listed.status}</p>
}

/** Shows the app, with what stands beside the answer. */
export const show = (beside?: ReactNode): void =>
  createRoot(document.body).render(
    <QuartetProvider>
      <Boxes />
      {beside}
    </QuartetProvider>
  )
