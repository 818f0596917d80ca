/** An app that uses one client in the form of Promises. */
import { createPublicClient } from "../../../clients/promise/index.js"

createPublicClient({ baseUrl: "https://api.example.com", apiKey: "key-1" }).boxes.list().then(console.log)
