/** Conversations and their messages (specification, points 3 and 7). */

import { Message } from "../chat/model.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** The states of a conversation, as far as they are assumed. @category constants */
export const conversationStatuses = /*#__PURE__*/ Object.freeze(["open", "closed"] as const)

/**
 * A conversation of an end user with the project's admins; its topics differ between projects (point 9 of the
 * specification). `conversations.messages` reads its messages, and the chat brings new ones as they are written.
 * @category schemas
 */
export const Conversation = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id,
    /** What it is about, in words of the project. */
    topic: Entity.maybe(Schema.String)
  },
  () => ({
    /** Id of the end user. Assumed: the platform may differ. */
    userId: Entity.Id,
    /** Full name of the end user. Assumed: the platform may differ. */
    userName: Schema.String,
    /** Whether it goes on, such as `open`, `closed`. Assumed: the platform may differ. */
    status: Entity.openLiteral(...conversationStatuses),
    /** Text of its last message. Assumed: the platform may differ. */
    lastMessage: Entity.maybe(Schema.String),
    ...Row.stamps
  })
)
export interface Conversation extends Schema.Schema.Type<typeof Conversation> {}

/** A message of a conversation, also in the chat. */
export { Message }

/** A conversation, and a page of its messages. @category schemas */
export const ListMessages = /*#__PURE__*/ Entity.list(() => ({
  /** Id of the conversation. */
  id: Entity.Id
}))
export interface ListMessages extends Schema.Schema.Type<typeof ListMessages> {}

/** One message of a conversation. @category schemas */
export const MessageOfConversation = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Id of the conversation. */
    id: Entity.Id,
    /** Id of the message. */
    messageId: Entity.Id
  }))()
export interface MessageOfConversation extends Schema.Schema.Type<typeof MessageOfConversation> {}

/** What is changed of a conversation. Assumed: the platform may differ. @category schemas */
export const ConversationChange = /*#__PURE__*/ Row.change(
  () => Conversation,
  "userId",
  "userName",
  "lastMessage"
)
export type ConversationChange = Schema.Schema.Type<typeof ConversationChange>
