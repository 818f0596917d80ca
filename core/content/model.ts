/** Content: the entries of a project's content models, and how they are queried (specification, points 3 and 7). */
import * as Either from "effect/Either"
import * as Row from "../kernel/codec/row.js"
import * as Entity from "../kernel/operation/entity.js"
import * as Input from "../kernel/operation/input.js"
import * as Schema from "../kernel/operation/schema.js"
import { Filter, Sort } from "./query.js"
import * as QueryText from "./query-text.js"

/** An entry of a content model. Its fields are the model's. @category schemas */
export const Content = Entity.open({ _id: Entity.Id })
export interface Content extends Schema.Schema.Type<typeof Content> {}

/** A list with one pair of the query per item: `<prefix>.<k>=<text>`. Equal keys repeat. */
const pairs = <A extends { readonly k: string }>(
  prefix: string,
  item: Schema.Schema<A>,
  text: (item: A) => string
): Schema.Schema<ReadonlyArray<A>> =>
  Schema.Array(item).pipe(
    Input.encoded((_, value) =>
      // The encoder checks the input against the schema before it writes the query.
      Either.right((value as ReadonlyArray<A>).map((entry) => [`${prefix}.${entry.k}`, text(entry)]))
    )
  )

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
const Language = Schema.NonEmptyString.annotations({ description: "a language, not empty" })

/**
 * A query to v3. `filter` is sent as `p.<k>`, `search` as `s.<k>`, both as `op|value|type`, and `sort` as `o.<k>`.
 * `condition` counts only without `op`.
 * @category schemas
 */
export const ListContent = /*#__PURE__*/ Entity.list(() => ({
  apiId: Entity.Id,
  /** A language of the content; the project's own by default. */
  lang: Schema.optional(Language),
  /** Filters, sent as `p.<k>`. */
  filter: Schema.optional(pairs("p", Filter, QueryText.v3)),
  /** Searches, sent as `s.<k>`. */
  search: Schema.optional(pairs("s", Filter, QueryText.v3)),
  /** The order of the entries, sent as `o.<k>`. */
  sort: Schema.optional(pairs("o", Sort, QueryText.sort))
}))
export interface ListContent extends Schema.Schema.Type<typeof ListContent> {}

/** An entry, in a given language or the project's own. @category schemas */
export const GetContent = Schema.Struct({ id: Entity.Id, lang: Schema.optional(Language) })
export interface GetContent extends Schema.Schema.Type<typeof GetContent> {}

/** A text to translate, and its key. @category schemas */
export const Translate = Schema.Struct({ key: Schema.String, text: Schema.String })
export interface Translate extends Schema.Schema.Type<typeof Translate> {}

/** The list of a content model's entries, by the model's API id. @category schemas */
export const ByApiId = /*#__PURE__*/ Entity.list(() => ({ apiId: Entity.Id }))
export interface ByApiId extends Schema.Schema.Type<typeof ByApiId> {}

/** One entry of a content model. @category schemas */
export const Member = Schema.Struct({ apiId: Entity.Id, id: Entity.Id })
export interface Member extends Schema.Schema.Type<typeof Member> {}

/** The entries of a model in their new order. Assumed. @category schemas */
export const NewOrder = /*#__PURE__*/ Row.part(() => ({ ids: Schema.Array(Entity.Id) }))

/** What an entry holds besides its model's fields in the project's own language: their translations. Assumed. @category schemas */
export const EntryRow = /*#__PURE__*/ Row.row(() => ({
  modelId: Entity.Id,
  translations: Schema.Struct({}, { key: Schema.String, value: Entity.open({}) })
}))
