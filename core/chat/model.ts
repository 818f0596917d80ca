/** What travels through the chat: messages as the platform tells them, and drafts as a caller writes them. */
import * as Schema from "effect/Schema"
import { DateTime } from "../kernel/codec/dates.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Input from "../kernel/operation/input.js"

/**
 * A message of a conversation. The specification gives no field list: what is known is typed, the rest is kept.
 * @category schemas
 */
export const Message = Entity.open({
  _id: Entity.Id,
  conversationId: Entity.maybe(Entity.Id),
  text: Entity.maybe(Schema.String),
  sender: Schema.optional(Schema.Unknown),
  createdAt: Entity.maybe(DateTime),
  /** The id that the sending client made, where the platform keeps it. */
  clientId: Entity.maybe(Schema.String)
})
export interface Message extends Schema.Schema.Type<typeof Message> {}

/**
 * What a chat tells: a message that it tells for the first time, or one that it told before, with its new content.
 * @category models
 */
export interface ChatEvent {
  readonly _tag: "Message" | "Update"
  readonly message: Message
}

/** The longest id that a caller may choose for a draft, in characters. */
const longestClientId = 200

/** A message to send. Further fields are sent as they are. @category schemas */
export const Draft = Schema.Struct(
  {
    conversationId: Entity.Id,
    text: Schema.String,
    /** Names the message before the platform does; made by the chat where it is left out. */
    clientId: Schema.optional(
      Schema.String.pipe(
        Schema.length(
          { min: 1, max: longestClientId },
          { title: `text of 1 to ${longestClientId} characters` }
        )
      )
    )
  },
  Input.open
)
export interface Draft extends Schema.Schema.Type<typeof Draft> {}

/** A message that the platform has taken. @category models */
export interface Sent {
  readonly clientId: string
  /** The message as the platform told it: in its acknowledgement, its echo or its history. Undefined where it only said yes. */
  readonly message: Message | undefined
}
