/** A page that a server renders with hooks: its query is answered before. */
import { HydrationBoundary, makeQueryClient, prefetchState, QuartetProvider, useQuery } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import * as Transport from "@quartet/sdk/transport"
import * as Layer from "effect/Layer"
import { createElement } from "react"
import { renderToString } from "react-dom/server"
import type { Platform } from "./platform.js"

export const sample = async (platform: Platform): Promise<string> => {
  const client = makeQueryClient(Layer.provide(Admin.layer(platform), Transport.layer))
  const query = client.query(Admin.requests.list, { limit: 2 })
  const Requests = () => {
    const requests = useQuery(query)
    return createElement(
      "p",
      null,
      requests.status === "success" ? `${requests.data.items.length} rendered` : "none"
    )
  }
  const state = await prefetchState(query)
  const page = createElement(HydrationBoundary, { state }, createElement(Requests))
  return renderToString(createElement(QuartetProvider, null, page))
}
