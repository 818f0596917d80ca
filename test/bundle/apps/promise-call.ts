/** An app that makes one call by one client in the form of Promises. */
import { createPublic } from "@quartet/sdk/promise/public"
import * as boxes from "@quartet/sdk/public/boxes"

const call = createPublic({ baseUrl: "https://api.example.com", apiKey: "key-1" })
call(boxes.list).then(console.log)
