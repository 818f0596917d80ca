/** An app that asks one call by TanStack Query. */

import { makeQueryOptions } from "@quartet/react/tanstack-query"
import { QueryClient } from "@tanstack/react-query"
import { createPublic } from "../../../clients/promise/public.js"
import * as boxes from "../../../clients/public/boxes.js"

const { queryOptions } = makeQueryOptions(
  createPublic({ baseUrl: "https://api.example.com", apiKey: "key-1" })
)
new QueryClient().fetchQuery(queryOptions(boxes.list, { limit: 10 })).then(console.log)
