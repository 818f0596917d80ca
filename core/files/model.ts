/** Files and images (specification, points 3 and 7). */

import { FileSchema } from "../kernel/codec/form.js"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Schema from "../kernel/operation/schema.js"

/** What files and images are assumed to hold beside their bytes. */
const stored = () => ({
  /** Its name, such as `plan.pdf`. Assumed: the platform may differ. */
  name: Schema.NonEmptyString,
  /** Its media type, such as `application/pdf`. Assumed: the platform may differ. */
  type: Schema.String,
  /** Its size in bytes. Assumed: the platform may differ. */
  size: Schema.Number,
  /** Where its bytes are, on the platform or elsewhere. Assumed: the platform may differ. */
  url: Schema.String,
  /** Whether its owner and admins alone can read it. Assumed: the platform may differ. */
  isPrivate: Schema.Boolean,
  /** Id of the end user whose it is. Assumed: the platform may differ. */
  userId: Entity.maybe(Entity.Id),
  ...Row.stamps
})

/**
 * A file on the platform: its name, media type, size in bytes, and where its bytes are. `files.download` reads them
 * as a stream. A private one is readable by its owner and by admins alone.
 * @category schemas
 */
export const StoredFile = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id
  },
  () => ({
    ...stored(),
    /** Data of the form that it was sent with, of a file that came with one. Assumed: the platform may differ. */
    form: Entity.maybe(Schema.Unknown)
  })
)
export interface StoredFile extends Schema.Schema.Type<typeof StoredFile> {}

/**
 * An image on the platform, as `public.images.upload` answers it: its name, media type, size in bytes, and the
 * address at which a page can show it.
 * @category schemas
 */
export const StoredImage = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.maybe(Entity.Id)
  },
  stored
)
export interface StoredImage extends Schema.Schema.Type<typeof StoredImage> {}

/** A file to upload. @category schemas */
export const Upload = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** The file: bytes with a name. */
    file: FileSchema
  }))()
export interface Upload extends Schema.Schema.Type<typeof Upload> {}

/** The data of a form, which a project chooses. */
const FormValue: Schema.Schema<string | number | boolean | object> = Schema.make(Schema.Unknown.ast)

/**
 * A file to upload, and the data of the form that it belongs to: sent as the part `form`, as JSON if it is an object.
 * @category schemas
 */
export const UploadWithForm = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Data of the form: text, or an object, which is sent as JSON. */
    form: FormValue,
    /** The file: bytes with a name. */
    file: FileSchema
  }))()
export interface UploadWithForm extends Schema.Schema.Type<typeof UploadWithForm> {}

/** A file to upload, its owner, and whether only the owner may read it. @category schemas */
export const UploadPrivate = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** The file: bytes with a name. */
    file: FileSchema,
    /** Whether its owner and admins alone can read it. */
    isPrivate: Schema.optional(Schema.Boolean),
    /** Id of the end user whose it is. */
    userId: Schema.optional(Entity.Id)
  }))()
export interface UploadPrivate extends Schema.Schema.Type<typeof UploadPrivate> {}
