// One call through directus's client: what it weighs.
import { createDirectus, readItems, rest, staticToken } from "@directus/sdk"

const client = createDirectus("https://api.example.com").with(staticToken("token-1")).with(rest())
client.request(readItems("boxes", { limit: 10 })).then(console.log)
