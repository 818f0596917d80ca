/** The query client, and what it asks: the server fetches first, the browser takes the answers over. */

import { makeQueryClient } from "@quartet/react"
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import * as Public from "@quartet/sdk/public"
import { pipe } from "effect/Function"
import * as Layer from "effect/Layer"

// Next puts these into the browser's code: a project's API key is made for that.
const baseUrl = process.env.NEXT_PUBLIC_QUARTET_BASE_URL ?? "http://127.0.0.1:4400"
const apiKey = process.env.NEXT_PUBLIC_QUARTET_API_KEY ?? "qk_public_demo"

const client = makeQueryClient(pipe(Public.layer({ baseUrl, apiKey }), Layer.provide(FetchTransport.layer)))

// A minute: what the server was answered is young enough in the browser, however slow the way.
const staleTime = "1 minute"

export const item = (id: string) => client.query(Public.items.get, { id }, { staleTime })
export const others = client.query(Public.items.search, { payload: { limit: 4 } }, { staleTime })
export const news = client.query(Public.content.list, { apiId: "news", limit: 3 }, { staleTime })
