/** A program that uses the shared pool and closes nothing. `process.argv[2]`: the base URL. */
import * as UndiciTransport from "../../../adapters/undici/index.js"
import { createPublicClient } from "../../../clients/promise/index.js"

const [, , baseUrl = ""] = process.argv
const client = createPublicClient({ baseUrl, apiKey: "key-1", transport: UndiciTransport.make() })
const [first] = await Promise.all(Array.from({ length: 20 }, () => client.boxes.list()))
console.log(first?.items[0]?._id)
