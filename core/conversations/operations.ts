/** The calls on conversations (specification, point 7). New messages go through the chat socket. */
import { type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { Conversation, ConversationChange, ListMessages, Message, MessageOfConversation } from "./model.js"

/** Lists the project's conversations. */
export const list: Operation<Entity.List, Page<Conversation>, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "conversations.list",
  () => ({
    method: "GET",
    path: "v2/conversations",
    audiences: ["admin"],
    input: Entity.List,
    success: page(Conversation),
    requires: Level.Read
  })
)

/** Changes a conversation, such as its topic. */
export const update: Operation<
  Entity.ByIdWithBody<ConversationChange>,
  Conversation,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("conversations.update", () => ({
  method: "PUT",
  path: "conversations/{id}",
  audiences: ["admin"],
  input: Entity.byIdWithBody(ConversationChange),
  success: Conversation,
  requires: Level.Write
}))

/** Lists the messages of a conversation; filters go into `query`. */
export const messages: Operation<ListMessages, Page<Message>, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "conversations.messages",
  () => ({
    method: "GET",
    path: "conversations/{id}/messages",
    audiences: ["admin"],
    input: ListMessages,
    success: page(Message),
    requires: Level.Read
  })
)

/** Marks a message as seen. */
export const markSeen: Operation<
  MessageOfConversation,
  Entity.Guess<Message>,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("conversations.markSeen", () => ({
  method: "PUT",
  path: "conversations/{id}/messages/{messageId}/seen",
  audiences: ["admin"],
  input: MessageOfConversation,
  success: Entity.guess(Message),
  requires: Level.Write
}))
