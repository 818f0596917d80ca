/** An app that makes one call by one client in the form of Promises. */
import { createPublic } from "../../../clients/promise/public.js"
import * as boxes from "../../../clients/public/boxes.js"

const call = createPublic({ baseUrl: "https://api.example.com", apiKey: "key-1" })
call(boxes.list).then(console.log)
