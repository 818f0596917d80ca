// What a chat sends, to the compiler: a message has known fields, and others go through one door, in both faces.

import type { ChatActions } from "@quartet/react"
import { Input as Door } from "../../clients/index.js"
import { type AdminClient, Input } from "../../clients/promise/index.js"
import type { Chat } from "../../core/chat/chat.js"

declare const chat: Awaited<ReturnType<AdminClient["chat"]["open"]>>
declare const chatOfEffects: Chat
declare const chatOfReact: ChatActions

const fields = { conversationId: "c1", text: "Hello" }

chat.send({ ...fields, clientId: "m1" })
// @ts-expect-error A message goes to its conversation.
chat.send({ conversationId: "c1", text: "Hello", to: "u1" })
// @ts-expect-error The field is `text`.
chat.send({ conversationId: "c1", txt: "Hello" })
chat.send(Input.raw({ ...fields, to: "u1" }))

chatOfEffects.send(fields)
// @ts-expect-error A message goes to its conversation.
chatOfEffects.send({ conversationId: "c1", text: "Hello", to: "u1" })
chatOfEffects.send(Door.raw({ ...fields, to: "u1" }))

chatOfReact.send(fields)
// @ts-expect-error A message goes to its conversation.
chatOfReact.send({ conversationId: "c1", text: "Hello", to: "u1" })
chatOfReact.send(Input.raw({ ...fields, to: "u1" }))
