/** Conversations and their messages (specification, points 3 and 7). */

import { Message } from "../chat/model.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"
import { Author } from "../requests/model.js"

/** A conversation; its topics differ between projects (specification, point 9). @category schemas */
export const Conversation = Entity.open({ _id: Entity.Id, topic: Entity.maybe(Schema.String) })
export interface Conversation extends Schema.Schema.Type<typeof Conversation> {}

/** A message of a conversation, also in the chat. */
export { Message }

/** A conversation, and a page of its messages. @category schemas */
export const ListMessages = /*#__PURE__*/ Entity.list(() => ({ id: Entity.Id }))
export interface ListMessages extends Schema.Schema.Type<typeof ListMessages> {}

/** One message of a conversation. @category schemas */
export const MessageOfConversation = Schema.Struct({ id: Entity.Id, messageId: Entity.Id })
export interface MessageOfConversation extends Schema.Schema.Type<typeof MessageOfConversation> {}

/** What a conversation holds, as far as it is assumed. @category schemas */
export const ConversationRow = /*#__PURE__*/ Row.row(() => ({
  ...Row.requiredFields(Conversation),
  userId: Entity.Id,
  userName: Schema.String,
  status: Schema.String,
  lastMessage: Entity.maybe(Schema.String)
}))

/** What a message holds, as far as it is assumed. @category schemas */
export const MessageRow = /*#__PURE__*/ Row.part(() => ({
  ...Row.requiredFields(Message),
  text: Schema.NonEmptyString,
  sender: Author,
  /** The id that the sending client made, which identifies a repeated message. */
  clientId: Entity.maybe(Schema.String),
  seen: Schema.Boolean
}))
