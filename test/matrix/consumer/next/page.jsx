/** The program in a server component, and its outcome beside what the client component is to run. */
import * as UndiciTransport from "@quartet/sdk/adapters/undici"
import { Client } from "./client.jsx"
import { run } from "./program.js"

export const dynamic = "force-dynamic"

export default async function Page() {
  const platform = JSON.parse(process.env.PLATFORM ?? "")
  const server = await run(platform, { undici: () => UndiciTransport.make() })
  return <Client platform={platform} server={server} />
}
