/** The calls on content: the admin's on the legacy service, the visitor's in three versions (specification, point 7). */
import { type NamedPage, type Page, page } from "../kernel/operation/answer.js"
import * as Entity from "../kernel/operation/entity.js"
import { Operation } from "../kernel/operation/operation.js"
import * as Level from "../permissions/level.js"
import {
  ByApiId,
  Content,
  ContentFields,
  entriesPath,
  GetContent,
  ListContent,
  ListContentV2,
  Member,
  NewOrder,
  Reordered,
  Structure,
  Translate,
  Translation
} from "./model.js"

/** Lists entries a page at a time. They stand under `content` and, as those of all lists, under `items`. */
export const paginated: Operation<
  Entity.List,
  NamedPage<Content, "content">,
  "admin",
  "read"
> = /*#__PURE__*/ Operation.make("content.paginated", () => ({
  method: "GET",
  path: "content/paginated",
  host: "legacy",
  audiences: ["admin"],
  input: Entity.List,
  success: page(Content, "content"),
  requires: Level.Read
}))

/** Reads an entry. */
export const adminGet: Operation<Entity.ById, Content, "admin", "read"> = /*#__PURE__*/ Operation.make(
  "content.get",
  () => ({
    method: "GET",
    path: "content/{id}",
    host: "legacy",
    audiences: ["admin"],
    input: Entity.ById,
    success: Content,
    requires: Level.Read
  })
)

/** Creates an entry of the content model with the given id. */
export const create: Operation<
  Entity.ByIdWithBody<ContentFields>,
  Content,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("content.create", () => ({
  method: "POST",
  path: "content/{id}",
  host: "legacy",
  audiences: ["admin"],
  input: Entity.byIdWithBody(ContentFields),
  success: Content,
  requires: Level.Write
}))

/**
 * Changes an entry. `translations`, if given, is assumed to replace those of all languages: for a change to one, send the others, too, as
 * `{ translations: { ...entry.translations, ka: { ...entry.translations?.ka, title } } }`.
 */
export const update: Operation<
  Entity.ByIdWithBody<ContentFields>,
  Content,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("content.update", () => ({
  method: "PUT",
  path: "content/{id}",
  host: "legacy",
  audiences: ["admin"],
  input: Entity.byIdWithBody(ContentFields),
  success: Content,
  requires: Level.Write
}))

/** Deletes an entry. */
export const remove: Operation<Entity.ById, unknown, "admin", "write"> = /*#__PURE__*/ Operation.make(
  "content.delete",
  () => ({
    method: "DELETE",
    path: "content/{id}",
    host: "legacy",
    audiences: ["admin"],
    input: Entity.ById,
    success: Entity.Anything,
    requires: Level.Write
  })
)

/** Translates a text, and answers it in all languages. It changes no entry: `content.update` does. */
export const translate: Operation<
  Translate,
  Entity.Guess<Translation>,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("content.translate", () => ({
  method: "POST",
  path: "content/translate",
  host: "legacy",
  audiences: ["admin"],
  input: Translate,
  success: Entity.guess(Translation),
  requires: Level.Write
}))

/** Reorders entries. The body lists them. */
export const reorder: Operation<
  Entity.WithBody<NewOrder>,
  Entity.Guess<Reordered>,
  "admin",
  "write"
> = /*#__PURE__*/ Operation.make("content.reorder", () => ({
  method: "PUT",
  path: "content/reorder",
  host: "legacy",
  audiences: ["admin"],
  input: Entity.withBody(NewOrder),
  success: Entity.guess(Reordered),
  requires: Level.Write
}))

/** Lists the entries of a content model, filtered and searched, by the second version of the API. */
export const listV2: Operation<ListContentV2, Page<Content>, "public", "read"> = /*#__PURE__*/ Operation.make(
  "content.listV2",
  () => ({
    method: "GET",
    path: "v2/cms/content/{apiId}",
    audiences: ["public"],
    input: ListContentV2,
    success: page(Content)
  })
)

/** Lists the entries of a content model, filtered, searched and sorted, in a language. */
export const list: Operation<ListContent, Page<Content>, "public", "read"> = /*#__PURE__*/ Operation.make(
  "content.list",
  () => ({
    method: "GET",
    path: entriesPath,
    audiences: ["public"],
    input: ListContent,
    success: page(Content)
  })
)

/** Reads an entry in a language. */
export const get: Operation<GetContent, Content, "public", "read"> = /*#__PURE__*/ Operation.make(
  "content.get",
  () => ({
    method: "GET",
    path: "v3/cms/content/{id}",
    audiences: ["public"],
    input: GetContent,
    success: Content
  })
)

/** Lists the entries of a content model by the first version of the API. */
export const listV1: Operation<ByApiId, Page<Content>, "public", "read"> = /*#__PURE__*/ Operation.make(
  "cms.list",
  () => ({
    method: "GET",
    path: "cms/{apiId}",
    audiences: ["public"],
    input: ByApiId,
    success: page(Content)
  })
)

/** Reads an entry of a content model by the first version of the API. */
export const getV1: Operation<Member, Content, "public", "read"> = /*#__PURE__*/ Operation.make(
  "cms.get",
  () => ({
    method: "GET",
    path: "cms/{apiId}/{id}",
    audiences: ["public"],
    input: Member,
    success: Content
  })
)

/** Reads the structure of the project's content. */
export const structure: Operation<
  Entity.Nothing,
  Entity.Guess<Structure>,
  "public",
  "read"
> = /*#__PURE__*/ Operation.make("cms.structure", () => ({
  method: "GET",
  path: "v1/cms/structure",
  audiences: ["public"],
  input: Entity.Nothing,
  success: Entity.guess(Structure)
}))
