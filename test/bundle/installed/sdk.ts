/** A call with Promises, and one with Effect. */
import { Admin } from "@quartet/sdk"
import { createAdminClient } from "@quartet/sdk/promise"
import * as Transport from "@quartet/sdk/transport"
import * as Effect from "effect/Effect"
import type { Platform } from "./platform.js"

export const sample = async (platform: Platform): Promise<string> => {
  const client = createAdminClient(platform)
  const { items } = await client.requests.list({ limit: 2 })
  await client.close()
  const { paging } = await Effect.runPromise(
    Admin.requests
      .list({ limit: 2 })
      .pipe(Effect.provide(Admin.layer(platform)), Effect.provide(Transport.layer))
  )
  return `${items.length} of ${paging.total === undefined ? "?" : "many"} requests`
}
