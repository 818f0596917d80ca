/** The data of the chat: messages from the platform, and drafts from callers. */

import { DateTime } from "../kernel/codec/dates.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Raw from "../kernel/operation/raw.js"
import * as Schema from "../kernel/operation/schema.js"

/**
 * Who wrote a comment or a message: an admin, an end user, or a server with the private key, which is called
 * `system`.
 * @category schemas
 */
export const Author = /*#__PURE__*/ Entity.make({}, () => ({
  /** What they are: an admin, an end user, or a server with the private key. Assumed: the platform may differ. */
  kind: Entity.openLiteral("admin", "endUser", "system"),
  /** Id of the account. Assumed: the platform may differ. */
  _id: Entity.Id,
  /** Full name. Assumed: the platform may differ. */
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
    /** Who wrote it. Assumed: the platform may differ. */
    sender: Entity.named<Author, Author>(Author),
    /** Whether the other side has read it. Assumed: the platform may differ. */
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
  /** The message, with its present content. */
  readonly message: Message
}

/** The longest id that a caller may choose for a draft, in characters. */
const longestClientId = 200

/** The id that a caller chooses for a draft. @category schemas */
export const ClientId: Schema.Schema<string> = /*#__PURE__*/ (() =>
  Schema.String.pipe(
    Schema.filter((text) => text.length > 0 && text.length <= longestClientId, {
      title: `text of 1 to ${longestClientId} characters`,
      jsonSchema: { minLength: 1, maxLength: longestClientId }
    })
  ))()

/** A message to send. It takes no other fields; `Input.raw` passes a message that has some. @category schemas */
export const Draft = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Id of the conversation. */
    conversationId: Entity.Id,
    /** What is written. */
    text: Schema.String,
    /** The id of the message before the platform's; made by the chat if omitted. */
    clientId: Schema.optional(ClientId)
  }))()
export interface Draft extends Schema.Schema.Type<typeof Draft> {}

/**
 * What a chat sends: a draft, or `Input.raw` of a message with any fields. To that one the chat adds its `clientId` alone.
 * @category models
 */
export type Sendable = Draft | Raw.Raw

/** What is sent as it is, under an id of the sender's. @category combinators */
export const identified = (draft: Sendable, clientId: string): Sendable =>
  Raw.isRaw(draft) ? Raw.raw({ ...Object(Raw.sentOf(draft)), clientId }) : { ...draft, clientId }

/** The fields of what is sent, as far as it has any. @category getters */
export const fieldsOf = (draft: Sendable): { readonly [Name in keyof Draft]?: unknown } =>
  Object(Raw.sentOf(draft))

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
