/** An app whose answers change by what it is told. */

import { entities, live, makeQueryClient, makeRegistry } from "@quartet/react"
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import { layer } from "@quartet/sdk/public"
import * as boxes from "@quartet/sdk/public/boxes"
import * as Layer from "effect/Layer"

const client = makeQueryClient(() =>
  Layer.provide(layer({ baseUrl: "https://api.example.com", apiKey: "key-1" }), FetchTransport.layer)
)

makeRegistry().mount(live(client, () => () => undefined, entities(boxes.list)))
