/** Reads a list on as long as more of it is wanted: one page after the other, and none after a failure. */
import type { InfiniteQueryActions } from "@quartet/react"
import { useEffect } from "react"

type Growing = Pick<InfiniteQueryActions<unknown>, "fetchNextPage" | "hasNextPage"> & {
  readonly error?: unknown
  readonly isFetching: boolean
}

export const useReadOn = (
  { error, fetchNextPage, hasNextPage, isFetching }: Growing,
  isWanted: boolean
): void =>
  useEffect(() => {
    if (isWanted && hasNextPage && !isFetching && error === undefined) fetchNextPage()
  }, [isWanted, hasNextPage, isFetching, error, fetchNextPage])
