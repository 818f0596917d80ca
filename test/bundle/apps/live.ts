/** An app whose answers change by what it is told. */

import { entities, live, makeQueryClient, makeRegistry } from "@quartet/react"
import * as Layer from "effect/Layer"
import * as FetchTransport from "../../../adapters/fetch/index.js"
import * as boxes from "../../../clients/public/boxes.js"
import { layer } from "../../../clients/public/index.js"

const client = makeQueryClient(() =>
  Layer.provide(layer({ baseUrl: "https://api.example.com", apiKey: "key-1" }), FetchTransport.layer)
)

makeRegistry().mount(live(client, () => () => undefined, entities(boxes.list)))
