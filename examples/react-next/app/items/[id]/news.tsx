"use client"
import { useSuspenseQuery } from "@quartet/react"
import { news } from "../../../lib/queries"

/** Nobody has asked ahead: it is asked where it is rendered first, on the server, and comes with its HTML. */
export const News = () => (
  <ul>
    {useSuspenseQuery(news).data.items.map(({ _id, title }) => (
      <li key={_id}>{String(title)}</li>
    ))}
  </ul>
)
