import { Errors } from "@quartet/sdk/promise"
import { useInfiniteQuery, useMutation, useSuspenseQuery } from "@tanstack/react-query"
import { Suspense, useState } from "react"
import type { Desk } from "./quartet"

export const Requests = ({ desk }: { readonly desk: Desk }) => {
  const { data, error, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery(desk.pending)
  const [open, setOpen] = useState<string>()
  const shown = data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <h1>Pending requests</h1>
      <ul>
        {shown.map(({ _id, title, type }) => (
          <li key={_id}>
            <button type="button" onClick={() => setOpen(_id)}>
              {typeof title === "string" ? title : type}
            </button>
          </li>
        ))}
      </ul>
      {error !== null && <p role="alert">{error.message}</p>}
      {hasNextPage && (
        <button type="button" disabled={isFetching} onClick={() => fetchNextPage()}>
          More
        </button>
      )}
      <Suspense fallback={<p>Loading…</p>}>
        {open !== undefined && <Request desk={desk} id={open} />}
      </Suspense>
    </>
  )
}

const Request = ({ desk, id }: { readonly desk: Desk; readonly id: string }) => {
  const { data } = useSuspenseQuery(desk.request(id))
  const { error, isPending, mutate } = useMutation(desk.markSeen)
  const version = data.version ?? 0
  return (
    <article>
      <h2>{data.type}</h2>
      {data.createdAt instanceof Date && <p>Opened on {data.createdAt.toLocaleDateString("en")}</p>}
      {data.seenByAdmin === version ? (
        <p>Seen</p>
      ) : (
        <button type="button" disabled={isPending} onClick={() => mutate({ id, version })}>
          Mark as seen
        </button>
      )}
      {error?._tag === "Conflict" && <p role="alert">Somebody was faster: it has changed.</p>}
      {error && Errors.doneOf(error) === "perhaps" && (
        <p role="alert">It may have been marked. Look at it again.</p>
      )}
    </article>
  )
}
