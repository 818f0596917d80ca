/** Rows of the content management: models with their fields, entries, and files with their bytes. */
import type * as Schema from "effect/Schema"
import * as Content from "@quartet/sdk/extend/models/content"
import * as Files from "@quartet/sdk/extend/models/files"
import * as Models from "@quartet/sdk/extend/models/models"

export const Field: typeof Models.FieldRow = Models.FieldRow
export interface Field extends Schema.Schema.Type<typeof Field> {}
export const Model: typeof Models.ModelRow = Models.ModelRow
export interface Model extends Schema.Schema.Type<typeof Model> {}
export const Entry: typeof Content.EntryRow = Content.EntryRow
export interface Entry extends Schema.Schema.Type<typeof Entry> {}
export const File: typeof Files.FileRow = Files.FileRow
export interface File extends Schema.Schema.Type<typeof File> {}
