/** A program that uses the default transport and closes nothing. `process.argv[2]`: the base URL. */

import { patient } from "@quartet/support/patience.js"
import { createPublicClient } from "../../../clients/promise/index.js"

const [, , baseUrl = ""] = process.argv
const client = createPublicClient({ baseUrl, apiKey: "key-1" })
const [first] = await Promise.all(Array.from({ length: 20 }, () => client.boxes.list()))
const done = performance.now()
// Undici keeps an idle connection for four seconds.
process.on("exit", () => console.log(first?.items[0]?._id, performance.now() - done < patient(2_000)))
