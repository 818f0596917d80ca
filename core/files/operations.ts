/** The calls on files and images (specification, point 7). Uploads are multipart forms, one shape for each client. */

import { form } from "../kernel/codec/form.js"
import { type Bytes, binary, type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import { StoredFile, StoredImage, Upload, UploadPrivate, UploadWithForm } from "./model.js"

/** Lists files. */
export const list: Operation<Entity.List, Page<StoredFile>, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "files.list",
  () => ({
    method: "GET",
    path: "cms/file",
    audiences: ["admin"],
    input: Entity.List,
    success: page(StoredFile),
    requires: Level.Read
  })
)

/** Reads the metadata of a file. */
export const get: Operation<Entity.ById, StoredFile, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "files.get",
  () => ({
    method: "GET",
    path: "cms/file/{id}",
    audiences: ["admin"],
    input: Entity.ById,
    success: StoredFile,
    requires: Level.Read
  })
)

/** Deletes a file. */
export const remove: Operation<Entity.ById, unknown, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "files.delete",
  () => ({
    method: "DELETE",
    path: "cms/file/{id}",
    audiences: ["admin"],
    input: Entity.ById,
    success: Entity.Anything,
    requires: Level.Write
  })
)

/** Downloads a file. */
export const download: Operation<Entity.ById, Bytes, "admin" | "endUser", "read"> =
  /*#__PURE__*/ Operation.make("files.download", () => ({
    method: "GET",
    path: "cms/file/{id}/download",
    audiences: ["admin", "endUser"],
    input: Entity.ById,
    success: binary,
    requires: Level.Read
  }))

/** Uploads a file of the end user. */
export const upload: Operation<Upload, StoredFile, "endUser", "write"> = /*#__PURE__*/ Operation.make(
  "files.upload",
  () => ({
    method: "POST",
    path: "cms/file",
    audiences: ["endUser"],
    input: Upload,
    body: form,
    success: StoredFile
  })
)

/** Uploads a visitor's file, with the form that it belongs to. */
export const uploadWithForm: Operation<UploadWithForm, StoredFile, "public", "write"> =
  /*#__PURE__*/ Operation.make("files.upload", () => ({
    method: "POST",
    path: "v1/cms/file",
    audiences: ["public"],
    input: UploadWithForm,
    body: form,
    success: StoredFile
  }))

/** Uploads a file from a server, optionally private or for a user. */
export const uploadPrivate: Operation<UploadPrivate, StoredFile, "private", "write"> =
  /*#__PURE__*/ Operation.make("files.upload", () => ({
    method: "POST",
    path: "cms/file",
    audiences: ["private"],
    input: UploadPrivate,
    body: form,
    success: StoredFile
  }))

/** Uploads an image. */
export const uploadImage: Operation<Upload, StoredImage, "public", "write"> = /*#__PURE__*/ Operation.make(
  "images.upload",
  () => ({
    method: "POST",
    path: "image/upload",
    audiences: ["public"],
    input: Upload,
    body: form,
    success: StoredImage
  })
)
