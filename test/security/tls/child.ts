/**
 * A program that calls servers whose TLS is at fault: run as a process of its own, which knows the authority of the
 * tests. `process.argv`: the name of the transport, then the URLs.
 */

import { ended, open, visitor, wayOf } from "@quartet/support/transports.js"
import * as Boxes from "../../../core/boxes/operations.js"

const [, , name, ...urls] = process.argv
const { close, transport } = await open(wayOf(name))

for (const url of urls) {
  const { dispatcher } = visitor(transport, url, { policy: { attempts: 3, pause: 1, deadline: 10_000 } })
  const read = await ended(dispatcher.call(Boxes.get, { id: "1" }))
  const write = await ended(dispatcher.call(Boxes.create, { payload: { a: 1 } }, { idempotencyKey: "key-1" }))
  const results = [read, write].map(({ error, value }) =>
    error?._tag === "NetworkError"
      ? [error._tag, error.reason, error.retryable]
      : [error?._tag ?? JSON.stringify(value)]
  )
  console.log(JSON.stringify(results))
}
await close()
