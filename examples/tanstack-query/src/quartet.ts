/** The client of the admin who has signed in, what this app asks of it and what it does. */

import { makeQueryOptions } from "@quartet/react/tanstack-query"
import * as requests from "@quartet/sdk/admin/requests"
import { createAdmin } from "@quartet/sdk/promise/admin"
import { mutationOptions, QueryClient } from "@tanstack/react-query"

const {
  VITE_QUARTET_BASE_URL: baseUrl = "http://127.0.0.1:4400",
  VITE_QUARTET_PROJECT_ID: projectId = "5eed00000000000000000001"
} = import.meta.env

export const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 5_000 } } })

export interface Credentials {
  readonly email: string
  readonly password: string
}

export type Desk = ReturnType<typeof openDesk>

/** What one admin sees and does. It signs in with its first call. */
export const openDesk = (credentials: Credentials) => {
  const call = createAdmin({ baseUrl, projectId, ...credentials })
  const quartet = makeQueryOptions(call)
  const request = (id: string) => quartet.queryOptions(requests.get, { id })
  return {
    /** The requests that wait, page by page. */
    pending: quartet.infiniteQueryOptions(requests.list, { statusIn: ["pending"] }, { limit: 10 }),
    request,
    /** Shows a request as seen at once; where the platform refuses, the change is undone. */
    markSeen: mutationOptions({
      ...quartet.mutationOptions(requests.markSeen),
      onMutate: async ({ id, version }, { client }) => {
        const { queryKey } = request(id)
        await client.cancelQueries({ queryKey })
        const before = client.getQueryData(queryKey)
        client.setQueryData(queryKey, (shown) => shown && { ...shown, seenByAdmin: version })
        return { before }
      },
      onError: (_error, { id }, shown, { client }) =>
        client.setQueryData(request(id).queryKey, shown?.before),
      onSettled: (_seen, _error, _input, _shown, { client }) =>
        client.invalidateQueries({ queryKey: quartet.sliceKey(requests.markSeen) })
    }),
    /** Leaves nothing of this admin to the next one. */
    close: async () => {
      queryClient.clear()
      await call.close()
    }
  }
}
