/** Content: the entries of a project's content models, and how they are queried (specification, points 3 and 7). */
import * as Either from "effect/Either"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Input from "../kernel/operation/input.js"
import * as Schema from "../kernel/operation/schema.js"
import { Model } from "../models/model.js"
import { Filter, Sort } from "./query.js"
import * as QueryText from "./query-text.js"

/** The fields of an entry in one language: those of its model. @category schemas */
export const ContentText = /*#__PURE__*/ Entity.make({}, () => ({
  /** Title, of a model that has one. Assumed: the platform may differ. */
  title: Entity.maybe(Schema.String)
}))
export interface ContentText extends Schema.Schema.Type<typeof ContentText> {}

/** An entry's fields in other languages, by the language's code. */
const translations = () =>
  Schema.Struct({}, { key: Schema.String, value: Entity.named<ContentText, ContentText>(ContentText) })

/**
 * An entry of a content model, such as a piece of news. Its further fields are those of its model, so a type of your
 * own reads them: `content.collection("news", News)`, or `quartet generate` from the models. In an admin's answer
 * `translations` holds other languages; a visitor asks for one by `lang`.
 * @category schemas
 */
export const Content = /*#__PURE__*/ Entity.make(
  {
    /** Its id. */
    _id: Entity.Id
  },
  () => ({
    /** Title, of a model that has one. Assumed: the platform may differ. */
    title: Entity.maybe(Schema.String),
    /** Id of its model; a visitor's answer has none. Assumed: the platform may differ. */
    modelId: Entity.maybe(Entity.Id),
    /** Name of its model in paths, such as `news`; a visitor's answer has none. Assumed: the platform may differ. */
    apiId: Entity.maybe(Schema.String),
    /** Its fields in other languages, by the language's code, such as `ka`; a visitor's answer has none. Assumed: the platform may differ. */
    translations: Entity.maybe(translations()),
    /** The language that a visitor asked for. Assumed: the platform may differ. */
    lang: Entity.maybe(Schema.String),
    ...Row.stamps
  })
)
export interface Content extends Schema.Schema.Type<typeof Content> {}

/** The fields of an entry: those of its model, under their names. @category schemas */
export const ContentFields = /*#__PURE__*/ Entity.ownData(() => ({
  /** Title in the project's own language, of a model that has one. */
  title: Entity.maybe(Schema.String),
  /** Its fields in other languages, by the language's code, such as `ka`: in a change, those of all other languages. */
  translations: Entity.maybe(translations())
}))
export type ContentFields = Schema.Schema.Type<typeof ContentFields>

/** A list with one pair of the query per item: `<prefix>.<k>=<text>`. Equal keys repeat. */
const pairs = <A extends { readonly k: string }, I>(
  prefix: string,
  item: Schema.Schema<A, I>,
  text: (item: A) => string
): Schema.Schema<ReadonlyArray<A>, ReadonlyArray<I>> =>
  Schema.Array(item).pipe(
    Input.encoded(
      Object.assign(
        (_: string, value: unknown) =>
          // The encoder checks the input against the schema before it writes the query.
          Either.right(
            (value as ReadonlyArray<A>).map((entry) => [`${prefix}.${entry.k}`, text(entry)] as const)
          ),
        { prefix: `${prefix}.` }
      )
    )
  )

// By their names, so that an editor shows the docstrings of their fields.
const OneFilter: Schema.Schema<Filter, Schema.Schema.Encoded<typeof Filter>> = Filter
const OneSort: Schema.Schema<Sort, Schema.Schema.Encoded<typeof Sort>> = Sort

const FilterOfV2: Schema.Schema<Filter> = Filter.pipe(
  Schema.filter(QueryText.isSayableInV2, {
    description:
      "a filter that v2 can say: by its condition, or without one by =, like, < or >, where a value compared by = or like does not begin with < or >"
  })
)

/**
 * A query to v2. `filter` is sent as `f.<k>`, `search` as `s.<k>`, both from `condition`: `contains` as the value is,
 * `lt` as `<value`, `gt` as `>value`. `op` counts only without a condition, `t` never.
 * @category schemas
 */
export const ListContentV2 = /*#__PURE__*/ Entity.list(() => ({
  /** Name of the model in paths, such as `news`. */
  apiId: Entity.Id,
  /** Filters, sent as `f.<k>`. */
  filter: Schema.optional(pairs("f", FilterOfV2, QueryText.v2)),
  /** Searches, sent as `s.<k>`. */
  search: Schema.optional(pairs("s", FilterOfV2, QueryText.v2))
}))
export interface ListContentV2 extends Schema.Schema.Type<typeof ListContentV2> {}

/** The place of a content model's entries in v3. @category constants */
export const entriesPath = "v3/cms/content/api/{apiId}"

/** A language of the content, such as `en`. */
const Language = /*#__PURE__*/ (() =>
  Schema.NonEmptyString.annotations({ description: "a language, not empty" }))()

/**
 * A query to v3. `filter` is sent as `p.<k>`, `search` as `s.<k>`, both as `op|value|type`, and `sort` as `o.<k>`.
 * `condition` counts only without `op`.
 * @category schemas
 */
export const ListContent = /*#__PURE__*/ Entity.list(() => ({
  /** Name of the model in paths, such as `news`. */
  apiId: Entity.Id,
  /** A language of the content; the project's own by default. */
  lang: Schema.optional(Language),
  /** Filters, sent as `p.<k>`. */
  filter: Schema.optional(pairs("p", OneFilter, QueryText.v3)),
  /** Searches, sent as `s.<k>`. */
  search: Schema.optional(pairs("s", OneFilter, QueryText.v3)),
  /** The order of the entries, sent as `o.<k>`. */
  sort: Schema.optional(pairs("o", OneSort, QueryText.sort))
}))
export interface ListContent extends Schema.Schema.Type<typeof ListContent> {}

/** An entry, in a given language or the project's own. @category schemas */
export const GetContent = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Id of the entry. */
    id: Entity.Id,
    /** A language of the content; the project's own by default. */
    lang: Schema.optional(Language)
  }))()
export interface GetContent extends Schema.Schema.Type<typeof GetContent> {}

/** A text to translate, and its key. @category schemas */
export const Translate = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** The key under which the answer has the text. */
    key: Schema.String,
    /** The text to translate. */
    text: Schema.String
  }))()
export interface Translate extends Schema.Schema.Type<typeof Translate> {}

/** The list of a content model's entries, by the model's API id. @category schemas */
export const ByApiId = /*#__PURE__*/ Entity.list(() => ({
  /** Name of the model in paths, such as `news`. */
  apiId: Entity.Id
}))
export interface ByApiId extends Schema.Schema.Type<typeof ByApiId> {}

/** One entry of a content model. @category schemas */
export const Member = /*#__PURE__*/ (() =>
  Schema.Struct({
    /** Name of the model in paths, such as `news`. */
    apiId: Entity.Id,
    /** Id of the entry. */
    id: Entity.Id
  }))()
export interface Member extends Schema.Schema.Type<typeof Member> {}

/** The entries of a model in their new order. Assumed: the platform may differ. @category schemas */
export const NewOrder = /*#__PURE__*/ Entity.body(() => ({
  /** Ids of the entries, first to last. */
  ids: Schema.Array(Entity.Id)
}))
export type NewOrder = Schema.Schema.Type<typeof NewOrder>

/** A text and its translations. @category schemas */
export const Translation = /*#__PURE__*/ Entity.make({}, () => ({
  /** The key that the text was given with. Assumed: the platform may differ. */
  key: Schema.String,
  /** The text as it was given. Assumed: the platform may differ. */
  text: Schema.String,
  /** The text by the code of each language, such as `ka`. Assumed: the platform may differ. */
  translations: Schema.Struct({}, { key: Schema.String, value: Schema.String })
}))
export interface Translation extends Schema.Schema.Type<typeof Translation> {}

/** What became of a new order. @category schemas */
export const Reordered = /*#__PURE__*/ Entity.make({}, () => ({
  /** Number of entries that were put in order. Assumed: the platform may differ. */
  reordered: Schema.Number
}))
export interface Reordered extends Schema.Schema.Type<typeof Reordered> {}

/** The models of a project with their fields, and its languages. @category schemas */
export const Structure = /*#__PURE__*/ Entity.make({}, () => ({
  /** Codes of the project's languages, such as `en`. Assumed: the platform may differ. */
  languages: Schema.Array(Schema.String),
  /** The models. Assumed: the platform may differ. */
  models: Schema.Array<Model, Schema.Schema.Encoded<typeof Model>>(Model)
}))
export interface Structure extends Schema.Schema.Type<typeof Structure> {}
