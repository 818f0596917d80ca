/** The names of end users by their ids. */
import { useQuery } from "../../rx/index.js"
import { admin } from "./query-clients.js"
import { users } from "./rows.js"

/** All end users. */
export const everyone = admin.query(users.list, { limit: 500 })

/** The name of an end user; empty if it is unknown. */
export const useNames = (): ((id: string | null | undefined) => string) => {
  const { data } = useQuery(everyone)
  return (id) => data?.items.find((user) => user._id === id)?.fullName ?? ""
}
