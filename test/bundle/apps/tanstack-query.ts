/** An app that asks one call by TanStack Query. */

import { makeQueryOptions } from "@quartet/react/tanstack-query"
import { createPublic } from "@quartet/sdk/promise/public"
import * as boxes from "@quartet/sdk/public/boxes"
import { QueryClient } from "@tanstack/react-query"

const { queryOptions } = makeQueryOptions(
  createPublic({ baseUrl: "https://api.example.com", apiKey: "key-1" })
)
new QueryClient().fetchQuery(queryOptions(boxes.list, { limit: 10 })).then(console.log)
