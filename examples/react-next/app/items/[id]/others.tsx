"use client"
import { useSuspenseQuery } from "@quartet/react"
import Link from "next/link"
import { others } from "../../../lib/queries"

export const Others = ({ id }: { readonly id: string }) => {
  const { data } = useSuspenseQuery(others)
  return (
    <ul>
      {data.items
        .filter(({ _id }) => _id !== id)
        .map(({ _id, name }) => (
          <li key={_id}>
            <Link href={`/items/${_id}`}>{String(name)}</Link>
          </li>
        ))}
    </ul>
  )
}
