import { useInfiniteQuery, useMutation, useQuery } from "@quartet/react"
import { useState } from "react"
import { markSeen, pending, request } from "./quartet"

export const Requests = () => {
  const list = useInfiniteQuery(pending)
  const [open, setOpen] = useState<string>()
  return (
    <>
      <h1>Pending requests</h1>
      <ul>
        {list.items.map(({ _id, title, type }) => (
          <li key={_id}>
            <button type="button" onClick={() => setOpen(_id)}>
              {typeof title === "string" ? title : type}
            </button>
          </li>
        ))}
      </ul>
      {list.status === "error" && <p role="alert">{list.error.message}</p>}
      {list.hasNextPage && (
        <button type="button" disabled={list.isFetching} onClick={list.fetchNextPage}>
          More
        </button>
      )}
      {open !== undefined && <Request id={open} />}
    </>
  )
}

const Request = ({ id }: { readonly id: string }) => {
  const { data, error } = useQuery(request(id))
  const { error: refusal, mutate, status } = useMutation(markSeen)
  if (error !== undefined) return <p role="alert">{error.message}</p>
  if (data === undefined) return <p>Loading…</p>
  const version = data.version ?? 0
  return (
    <article>
      <h2>{data.type}</h2>
      {data.createdAt instanceof Date && <p>Opened on {data.createdAt.toLocaleDateString("en")}</p>}
      {data.seenByAdmin === version ? (
        <p>Seen</p>
      ) : (
        <button
          type="button"
          disabled={status === "pending" || status === "queued"}
          onClick={() => mutate({ id, version })}
        >
          Mark as seen
        </button>
      )}
      {status === "error" && <p role="alert">{refusal?.message}</p>}
    </article>
  )
}
