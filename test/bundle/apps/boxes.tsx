/** What the apps in React share: they show the answer of one call. */

import { makeQueryClient, QuartetProvider, useQuery } from "@quartet/react"
import * as Layer from "effect/Layer"
import type { ReactNode } from "react"
import { createRoot } from "react-dom/client"
import * as FetchTransport from "../../../adapters/fetch/index.js"
import * as boxes from "../../../clients/public/boxes.js"
import { layer } from "../../../clients/public/index.js"

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
