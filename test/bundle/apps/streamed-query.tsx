/** A page that a server streams: one query, whose answer comes with the HTML. */

import { makeQueryClient, QuartetProvider, StreamedHydration, useSuspenseQuery } from "@quartet/react"
import * as Layer from "effect/Layer"
import { Suspense } from "react"
import { hydrateRoot } from "react-dom/client"
import * as FetchTransport from "../../../adapters/fetch/index.js"
import * as boxes from "../../../clients/public/boxes.js"
import { layer } from "../../../clients/public/index.js"

const client = makeQueryClient(() =>
  Layer.provide(layer({ baseUrl: "https://api.example.com", apiKey: "key-1" }), FetchTransport.layer)
)

const Boxes = () => <p>{useSuspenseQuery(client.query(boxes.list, { limit: 10 })).data.items.length}</p>

hydrateRoot(
  document.body,
  <QuartetProvider>
    <StreamedHydration>
      <Suspense>
        <Boxes />
      </Suspense>
    </StreamedHydration>
  </QuartetProvider>
)
