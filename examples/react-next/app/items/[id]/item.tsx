"use client"
import { useQuery } from "@quartet/react"
import { useActionState } from "react"
import { item } from "../../../lib/queries"
import { wish } from "./wish"

export const Item = ({ id }: { readonly id: string }) => {
  const query = useQuery(item(id))
  const [answer, submit, isPending] = useActionState(wish, undefined)
  if (query.status === "error")
    return <p role="alert">{query.error._tag === "NotFound" ? "This home is gone." : query.error.message}</p>
  if (query.status !== "success") return <p>Loading…</p>
  const { createdAt, district, name, price } = query.data
  return (
    <article>
      <h1>{String(name)}</h1>
      <p>
        {String(district)}, {String(price)}
        {createdAt instanceof Date && `, since ${createdAt.getUTCFullYear()}`}
      </p>
      <button type="button" disabled={query.isFetching} onClick={query.refetch}>
        Refresh
      </button>
      <form action={submit}>
        <input type="hidden" name="id" value={id} />
        <button type="submit" disabled={isPending}>
          Wish for it
        </button>
      </form>
      {answer !== undefined && <p role="status">{answer}</p>}
    </article>
  )
}
