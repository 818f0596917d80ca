/** The query client, and what it asks: the server fetches first, the browser takes the answers over. */

import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import * as Public from "@quartet/sdk/public"
import { makeQueryClient } from "@quartet/sdk/rx"
import { pipe } from "effect/Function"
import * as Layer from "effect/Layer"

// Next puts these into the browser's code: a project's API key is made for that.
const baseUrl = process.env.NEXT_PUBLIC_QUARTET_BASE_URL ?? "http://127.0.0.1:4400"
const apiKey = process.env.NEXT_PUBLIC_QUARTET_API_KEY ?? "qk_public_demo"

const client = makeQueryClient(pipe(Public.layer({ baseUrl, apiKey }), Layer.provide(FetchTransport.layer)))

export const item = (id: string) => client.query(Public.items.get, { id })
