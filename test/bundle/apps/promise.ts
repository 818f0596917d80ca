/** An app that uses one client in the form of Promises. */
import { createPublicClient } from "@quartet/sdk/promise"

createPublicClient({ baseUrl: "https://api.example.com", apiKey: "key-1" }).boxes.list().then(console.log)
