/** The declarations of a project's content models, as the CMS and the legacy service describe them. */
import { own } from "../../core/permissions/own.js"
import { call, lay } from "./layout.js"
import { type Face, type Given, type Module, write } from "./module.js"
import * as Names from "./names.js"
import { type Declaration, type Field, nullable, type Type, text, union } from "./types.js"

/** What a project says of its content, read by an admin client. @category models */
export interface Models {
  /** Models of the CMS, with their fields: `models.list`, or `models.get` of each. */
  readonly models: ReadonlyArray<unknown>
  /** Models of the legacy service: `contentModels.list`. */
  readonly contentModels: ReadonlyArray<unknown>
}

const textOf = (value: unknown, ...names: ReadonlyArray<string>): string | undefined =>
  names
    .map((name) => own(value, name))
    .find((found): found is string => typeof found === "string" && found !== "")

interface Model {
  /** `_id`, by which fields may name it. */
  readonly id: string | undefined
  readonly apiId: string
  readonly name: string
  readonly fields: ReadonlyArray<Described>
}

/** A field as a model describes it. */
interface Described {
  readonly apiId: string
  readonly name: string
  readonly type: string
  readonly description: unknown
}

/** Fields as a list, or by their names: `{ title: "TEXT" }`, `{ title: { type: "TEXT" } }`. */
const fieldsOf = (given: unknown): ReadonlyArray<Described> => {
  const listed: ReadonlyArray<readonly [string | undefined, unknown]> = Array.isArray(given)
    ? given.map((field: unknown) => [undefined, field])
    : Object.entries(typeof given === "object" && given !== null ? given : {})
  return listed.flatMap(([key, field]) => {
    const apiId = textOf(field, "apiId", "api_id", "key", "name") ?? key
    const type = typeof field === "string" ? field : (textOf(field, "type") ?? "")
    return apiId === undefined
      ? []
      : [{ apiId, name: textOf(field, "name", "title", "label") ?? apiId, type, description: field }]
  })
}

const fieldsIn = (given: unknown): ReadonlyArray<Described> =>
  fieldsOf(own(given, "fields") ?? own(given, "attributes") ?? own(given, "properties"))

/** Whether a model says nothing of its fields, as one of a list may. @category getters */
export const isFieldless = (model: unknown): boolean => fieldsIn(model).length === 0

const modelOf = (given: unknown): Model | undefined => {
  const apiId = textOf(given, "apiId", "api_id", "key", "name")
  return apiId === undefined
    ? undefined
    : {
        id: textOf(given, "_id", "id"),
        apiId,
        name: textOf(given, "name", "title") ?? apiId,
        fields: fieldsIn(given)
      }
}

/** Ordered alike on every machine. */
const byApiId = (one: { readonly apiId: string }, other: { readonly apiId: string }): number =>
  one.apiId < other.apiId ? -1 : one.apiId > other.apiId ? 1 : 0

/** Fields of both descriptions; what both name is as the first has it. */
const withFields = (
  first: ReadonlyArray<Described>,
  second: ReadonlyArray<Described>
): ReadonlyArray<Described> => [
  ...first,
  ...second.filter((field) => !first.some(({ apiId }) => apiId === field.apiId))
]

/** Every model once: the CMS's description goes before the legacy service's. */
const merged = ({ contentModels, models }: Models): ReadonlyArray<Model> => {
  const all = new Map<string, Model>()
  for (const given of [...models, ...contentModels]) {
    const model = modelOf(given)
    if (model === undefined) continue
    const known = all.get(model.apiId)
    all.set(
      model.apiId,
      known === undefined ? model : { ...known, fields: withFields(known.fields, model.fields) }
    )
  }
  return [...all.values()].sort(byApiId)
}

/** What a module cannot say of the models, a line each: models without a name, without fields, or out of reach. @category getters */
export const lacks = (given: Models): ReadonlyArray<string> => [
  ...[...given.models, ...given.contentModels]
    .filter((model) => modelOf(model) === undefined)
    .map((model) => {
      const said = textOf(model, "title", "_id", "id")
      return `a model without apiId, key and name is left out${said === undefined ? "" : `: ${said}`}`
    }),
  ...merged(given).flatMap(({ apiId, fields }) => [
    ...(fields.length === 0 ? [`the model ${apiId} says nothing of its fields, so its type has none`] : []),
    ...(/^\.\.?$/.test(apiId)
      ? [`the model ${apiId} cannot be read, because no path can hold its apiId`]
      : [])
  ])
]

/** The types that the platform is known to have. */
const known: Readonly<Record<string, Type>> = {
  TEXT: text,
  NUMERIC: { _tag: "Number" },
  BOOLEAN: { _tag: "Boolean" },
  DATE: { _tag: "DateTime" },
  // A file is named by its id or its address.
  FILE: text,
  JSON: { _tag: "Unknown" }
}

const listWords = ["isList", "isArray", "list", "many", "multiple"]

/** Types that say of a field that it is another entry. */
const relations =
  /^(ref|link|join|lookup)|relat|reference|model|entry|entries|(one|many)to|has(one|many)|belongsto/i
/** Properties that say of which model, alone or with one of these behind: `model`, `targetModelId`. */
const targets =
  /^(targets?|relat(ed|ion)(to)?|ref(erence)?s?|link(ed)?(to)?|(content)?(model|type)s?)+(api)?(ids?)?$/i

/** The models that a field is of: its type is the name or the id of one, or it is a relation to some that it names. */
const targetsOf = ({ description, type }: Described, models: ReadonlyArray<Model>): ReadonlyArray<Model> => {
  const plain = (name: string): string => name.replaceAll(/[_\s-]/g, "")
  const beside = relations.test(plain(type))
    ? Object.entries(Object(description) as object)
        .filter(([name]) => name !== "type" && targets.test(plain(name)))
        .flatMap(
          ([, value]: [string, unknown]): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])
        )
        .map((value) => textOf(value, "_id", "apiId") ?? value)
    : []
  const named = new Set<unknown>([type, ...beside])
  return models.filter(({ apiId, id }) => named.has(apiId) || (id !== undefined && named.has(id)))
}

/** A field's type, and whether it is known. */
const typeOf = (
  field: Described,
  models: ReadonlyArray<Model>
): { readonly type: Type; readonly isKnown: boolean } => {
  const word = field.type.toUpperCase()
  const inner = fieldsOf(own(field.description, "fields"))
  const found = Object.hasOwn(known, word) ? [] : targetsOf(field, models)
  const one: Type | undefined = Object.hasOwn(known, word)
    ? known[word]
    : found.length > 0
      ? // Some answers hold the entry itself, others its id.
        union([text, ...found.map(({ apiId }): Type => ({ _tag: "Reference", to: apiId }))])
      : inner.length > 0
        ? { _tag: "Object", fields: inner.map((one) => fieldOf(one, models)) }
        : undefined
  const isList = listWords.some((name) => own(field.description, name) === true)
  const type: Type = one ?? { _tag: "Unknown" }
  return { type: isList ? { _tag: "List", item: type } : type, isKnown: one !== undefined }
}

const fieldOf = (field: Described, models: ReadonlyArray<Model>): Field => {
  const { isKnown, type } = typeOf(field, models)
  const said = field.type === "" ? "no type" : field.type
  return {
    name: field.apiId,
    type: nullable(type),
    isOptional: true,
    note: `${field.name} (${said}).${isKnown ? "" : " This type is not known, so neither are its values."}`
  }
}

/** The fields of every entry. */
const always: ReadonlyArray<Field> = [
  { name: "_id", type: text, isOptional: false },
  ...["createdAt", "updatedAt"].map(
    (name): Field => ({ name, type: nullable({ _tag: "DateTime" }), isOptional: true })
  )
]

const declarationOf = (model: Model, models: ReadonlyArray<Model>): Declaration => {
  const names = new Set<string>()
  // A name that a model gives twice counts once.
  const once = model.fields.filter(({ apiId }) => !names.has(apiId) && names.add(apiId))
  const own = once.map((field) => fieldOf(field, models))
  return {
    key: model.apiId,
    name: Names.pascal(model.apiId, "Model"),
    note: `An entry of the content model ${JSON.stringify(model.apiId)} (${model.name}).`,
    type: { _tag: "Object", fields: [...always.filter(({ name }) => !names.has(name)), ...own] }
  }
}

/** The collections of the models, for `content` of the clients for visitors. */
const collectionsOf = (models: ReadonlyArray<Model>, names: Names.Names) => (given: Given) => ({
  imports: [`import { type Collection, collection } from "@quartet/sdk/public/content";`],
  blocks: models.map(({ apiId }) => {
    const type = given.get(apiId) ?? ""
    const name = names.take(Names.camel(apiId, "model"))
    const value = call("/* @__PURE__ */ collection", Names.quoted(apiId), type)
    const said = `/** The entries of ${JSON.stringify(apiId).replaceAll("*/", "*\\/")}: \`list\`, \`get\`, and \`where\` and \`orderBy\` to ask with. */`
    return `${said}\n${lay("", { name: `export const ${name}: Collection<${type}> =`, value }, ";")}`
  })
})

/**
 * The module of a project's content models: for each an interface, a schema and a collection. The same models give the
 * same text, in whatever order they came. @category constructors
 */
export const generate = (given: Models, face: Face = "effect"): string => {
  const models = merged(given)
  const names = Names.make()
  const module: Module = {
    head: [
      "Written by `quartet generate` from the project's content models: run it again instead of changing this file."
    ],
    face,
    names,
    // What a type of a field stands for on the wire is not published.
    isTolerant: true,
    declarations: models.map((model) => declarationOf(model, models)),
    end: models.length === 0 ? () => ({ imports: [], blocks: ["export {};"] }) : collectionsOf(models, names)
  }
  return write(module)
}
