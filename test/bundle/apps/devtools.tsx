/** An app in React that shows the answer of one call, with devtools. */
import * as Layer from "effect/Layer"
import { createRoot } from "react-dom/client"
import * as FetchTransport from "../../../adapters/fetch/index.js"
import * as boxes from "../../../clients/public/boxes.js"
import { layer } from "../../../clients/public/index.js"
import { QuartetDevtools } from "../../../ui/devtools/index.js"
import { makeQueryClient, QuartetProvider, useQuery } from "../../../ui/rx/index.js"

const client = makeQueryClient(() =>
  Layer.provide(layer({ baseUrl: "https://api.example.com", apiKey: "key-1" }), FetchTransport.layer)
)

const Boxes = () => {
  const listed = useQuery(client.query(boxes.list, { limit: 10 }))
  return <p>{listed.status === "success" ? listed.data.items.length : listed.status}</p>
}

createRoot(document.body).render(
  <QuartetProvider>
    <Boxes />
    <QuartetDevtools />
  </QuartetProvider>
)
