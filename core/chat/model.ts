/** The data of the chat: messages from the platform, and drafts from callers. */

import { DateTime } from "../kernel/codec/dates.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Input from "../kernel/operation/input.js"
import * as Schema from "../kernel/operation/schema.js"

/**
 * Who wrote a comment or a message: an admin, an end user, or a server with the private key, which is called
 * `system`.
 * @category schemas
 */
export const Author = /*#__PURE__*/ Entity.make({}, () => ({
  /** What they are: an admin, an end user, or a server with the private key. Assumed: the platform may not have it. */
  kind: Entity.openLiteral("admin", "endUser", "system"),
  /** Id of the account. Assumed: the platform may not have it. */
  _id: Schema.String,
  /** Full name. Assumed: the platform may not have it. */
  name: Schema.String
}))
export interface Author extends Schema.Schema.Type<typeof Author> {}

/**
 * A message of a conversation. The specification gives no field list: known fields are typed, others are kept.
 * @category schemas
 */
export const Message = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id,
    /** Id of its conversation. */
    conversationId: Entity.maybe(Entity.Id),
    /** What was written. */
    text: Entity.maybe(Schema.String),
    /** When it was sent. */
    createdAt: Entity.maybe(DateTime),
    /** The id that the sending client made, if the platform keeps it. */
    clientId: Entity.maybe(Schema.String)
  },
  () => ({
    /** Who wrote it. Assumed: the platform may not have it. */
    sender: Entity.named<Author, Author>(Author),
    /** Whether the other side has read it. Assumed: the platform may not have it. */
    seen: Schema.Boolean
  })
)
export interface Message extends Schema.Schema.Type<typeof Message> {}

/**
 * An event of a chat: a new message, or an earlier one with its new content.
 * @category models
 */
export interface ChatEvent {
  readonly _tag: "Message" | "Update"
  readonly message: Message
}

/** The longest id that a caller may choose for a draft, in characters. */
const longestClientId = 200

/** A message to send. Further fields are sent unchanged. @category schemas */
export const Draft = Schema.Struct(
  {
    /** Id of the conversation. */
    conversationId: Entity.Id,
    /** What is written. */
    text: Schema.String,
    /** The id of the message before the platform's; made by the chat if omitted. */
    clientId: Schema.optional(
      Schema.String.pipe(
        Schema.filter((text) => text.length > 0 && text.length <= longestClientId, {
          title: `text of 1 to ${longestClientId} characters`,
          jsonSchema: { minLength: 1, maxLength: longestClientId }
        })
      )
    )
  },
  Input.open
)
export interface Draft extends Schema.Schema.Type<typeof Draft> {}

/** A message that the platform has accepted. @category models */
export interface Sent {
  /** The id that the draft had, or that the chat made for it. */
  readonly clientId: string
  /**
   * The message as the platform returned it: in its acknowledgement, its echo or its history. Undefined for a bare
   * acknowledgement.
   */
  readonly message: Message | undefined
}
