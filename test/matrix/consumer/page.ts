/** The program in a page: takes the platform from its address, leaves the outcome for the browser's driver. */
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import * as UndiciTransport from "@quartet/sdk/adapters/undici"
import * as XhrTransport from "@quartet/sdk/adapters/xhr"
import { run } from "./program.js"

const others = { undici: () => UndiciTransport.make(), xhr: () => XhrTransport.make(FetchTransport.make()) }

run(JSON.parse(decodeURIComponent(location.hash.slice(1))), others).then((outcome) => {
  Reflect.set(globalThis, "outcome", JSON.stringify(outcome))
})
