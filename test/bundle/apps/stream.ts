/** An app that reads all pages of a list as a Stream: what a bundle's check must see. */
import * as Stream from "effect/Stream"
import * as Public from "../../../clients/public/boxes.js"
import { pages } from "../../../core/kernel/dispatch/streaming.js"

console.log(Stream.runDrain(pages(Public.list, {})))
