/** An app that connects the chat: what a bundle's check must see. */

import * as SocketIo from "@quartet/sdk/adapters/socket"
import * as Effect from "effect/Effect"
import { ChatSocket } from "../../../core/ports/chat-socket.js"

Effect.runPromise(Effect.provide(ChatSocket, SocketIo.layer)).then(console.log)
