/** Files and images (specification, points 3 and 7). */

import { FileSchema } from "../kernel/codec/form.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** A file on the platform. Only `_id` is known. @category schemas */
export const StoredFile = Entity.open({ _id: Entity.Id })
export interface StoredFile extends Schema.Schema.Type<typeof StoredFile> {}

/** An image on the platform. @category schemas */
export const StoredImage = Entity.open({ _id: Entity.maybe(Entity.Id) })
export interface StoredImage extends Schema.Schema.Type<typeof StoredImage> {}

/** A file to upload. @category schemas */
export const Upload = Schema.Struct({ file: FileSchema })
export interface Upload extends Schema.Schema.Type<typeof Upload> {}

/**
 * A file to upload, and the data of the form that it belongs to: sent as the part `form`, as JSON if it is an object.
 * @category schemas
 */
export const UploadWithForm = Schema.Struct({ form: Schema.Unknown, file: FileSchema })
export interface UploadWithForm extends Schema.Schema.Type<typeof UploadWithForm> {}

/** A file to upload, its owner, and whether only the owner may read it. @category schemas */
export const UploadPrivate = Schema.Struct({
  file: FileSchema,
  isPrivate: Schema.optional(Schema.Boolean),
  userId: Schema.optional(Entity.Id)
})
export interface UploadPrivate extends Schema.Schema.Type<typeof UploadPrivate> {}

/** What the metadata of a file holds, as far as it is assumed. @category schemas */
export const FileRow = /*#__PURE__*/ Row.row(() => ({
  name: Schema.NonEmptyString,
  type: Schema.String,
  size: Schema.Number,
  url: Schema.String,
  isPrivate: Schema.Boolean,
  userId: Entity.maybe(Entity.Id)
}))
