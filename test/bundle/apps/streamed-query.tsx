/** A page that a server streams: one query, whose answer comes with the HTML. */

import { makeQueryClient, QuartetProvider, StreamedHydration, useSuspenseQuery } from "@quartet/react"
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import { layer } from "@quartet/sdk/public"
import * as boxes from "@quartet/sdk/public/boxes"
import * as Layer from "effect/Layer"
import { Suspense } from "react"
import { hydrateRoot } from "react-dom/client"

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
