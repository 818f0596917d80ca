/** An app that reads all pages of a list as a Stream: what a bundle's check must see. */

import * as Public from "@quartet/sdk/public/boxes"
import * as Stream from "effect/Stream"
import { pages } from "../../../core/kernel/dispatch/streaming.js"

console.log(Stream.runDrain(pages(Public.list, {})))
