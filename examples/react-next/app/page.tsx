/** The newest items, read on the server: the browser gets HTML. */
import { Errors } from "@quartet/sdk/promise"
import Link from "next/link"
import { visitor } from "../lib/quartet"

// Read anew for each visitor: a cache would be Next's to configure.
export const dynamic = "force-dynamic"

const newest = async () => {
  try {
    return (await visitor.items.search({ payload: { limit: 12 } })).items
  } catch (error) {
    if (error instanceof Errors.NetworkError || error instanceof Errors.ServerFault) return undefined
    throw error
  }
}

export default async function Page() {
  const items = await newest()
  if (items === undefined) return <p role="alert">The homes cannot be read now. Please come back later.</p>
  return (
    <main>
      <h1>Homes</h1>
      <Link href="/account">Your account</Link>
      <ul>
        {items.map(({ _id, name }) => (
          <li key={_id}>
            <Link href={`/items/${_id}`}>{typeof name === "string" ? name : _id}</Link>
          </li>
        ))}
      </ul>
    </main>
  )
}
