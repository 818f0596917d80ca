/** Downloads as streams; apart from the client, so that an app without downloads carries no Stream. */
import * as Streaming from "../../core/kernel/dispatch/streaming.js"
import { Client } from "./client.js"

/** Binds a download to this client. @category constructors */
export const download = /*#__PURE__*/ Streaming.downloader<"endUser">()(Client)
