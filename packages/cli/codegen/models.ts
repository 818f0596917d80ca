/** The declarations of a project's content models, as the CMS and the legacy service describe them. */
import { own } from "@quartet/sdk/extend"
import { call, lay } from "./layout.js"
import { type Face, type Identifiers, type Module, write } from "./module.js"
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
    .find((candidate): candidate is string => typeof candidate === "string" && candidate !== "")

/** Words and names without what their spellings differ in. */
const plain = (name: string): string => name.replaceAll(/[_\s-]/g, "")

/** An id that a database gave: a number, a uuid, 24 hex digits, or 20 letters and more with a digit among them. */
const opaque = /^(\d+|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{24}|(?=\D*\d)[\da-z]{20,})$/i

/** The name of a model or a field in code: an id of its own before any that a database may have given, never `_id`. */
const apiIdOf = (row: unknown, ...ids: ReadonlyArray<string>): string | undefined =>
  textOf(row, "apiId", "api_id", "apiID", "key") ??
  [...ids, "identifier", "slug", "id"]
    .map((name) => textOf(row, name))
    .find((id) => id !== undefined && !opaque.test(id) && id !== own(row, "_id"))

interface Model {
  /** `_id` and `id` in both services, by which fields may name it. */
  readonly ids: ReadonlyArray<string>
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

/** A field with its name in code, which is a guess where only a display name says it. */
interface Row {
  readonly apiId: string | undefined
  readonly isGuess: boolean
  readonly field: unknown
}

/** Fields as a list, or by their names: `{ title: "TEXT" }`, `{ title: { type: "TEXT" } }`. */
const rowsOf = (answer: unknown): ReadonlyArray<Row> => {
  const listed: ReadonlyArray<readonly [string | undefined, unknown]> = Array.isArray(answer)
    ? answer.map((field: unknown) => [undefined, field])
    : Object.entries(typeof answer === "object" && answer !== null ? answer : {})
  return listed.map(([key, field]) => {
    const id = apiIdOf(field, "fieldId", "field_id") ?? key
    const name = textOf(field, "name")
    return { apiId: id ?? name, isGuess: id === undefined && name !== undefined, field }
  })
}

const fieldsOf = (answer: unknown): ReadonlyArray<Described> =>
  rowsOf(answer).flatMap(({ apiId, field }) => {
    const type = typeof field === "string" ? field : (textOf(field, "type") ?? "")
    return apiId === undefined
      ? []
      : [{ apiId, name: textOf(field, "name", "title", "label") ?? apiId, type, description: field }]
  })

const givenFields = (row: unknown): unknown =>
  own(row, "fields") ?? own(row, "attributes") ?? own(row, "properties")

const fieldsIn = (row: unknown): ReadonlyArray<Described> => fieldsOf(givenFields(row))

/** Whether a model says nothing of its fields, as one of a list may. @category getters */
export const isFieldless = (model: unknown): boolean => fieldsIn(model).length === 0

const idOf = (model: unknown): string | undefined => apiIdOf(model, "modelId", "model_id")

const modelOf = (row: unknown): Model | undefined => {
  const apiId = idOf(row) ?? textOf(row, "name")
  return apiId === undefined
    ? undefined
    : {
        ids: [textOf(row, "_id"), textOf(row, "id")].filter((id) => id !== undefined),
        apiId,
        name: textOf(row, "name", "title") ?? apiId,
        fields: fieldsIn(row)
      }
}

/** Ordered alike on every machine. */
const byApiId = (left: { readonly apiId: string }, right: { readonly apiId: string }): number =>
  left.apiId < right.apiId ? -1 : left.apiId > right.apiId ? 1 : 0

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
  for (const row of [...models, ...contentModels]) {
    const model = modelOf(row)
    if (model === undefined) continue
    const known = all.get(model.apiId)
    all.set(
      model.apiId,
      known === undefined
        ? model
        : {
            ...known,
            ids: [...known.ids, ...model.ids],
            fields: withFields(known.fields, model.fields)
          }
    )
  }
  return [...all.values()].sort(byApiId)
}

const number: Type = { _tag: "Number" }
const boolean: Type = { _tag: "Boolean" }
const date: Type = { _tag: "DateTime" }
const anything: Type = { _tag: "Unknown" }

/** The words of both kinds of models for a type, as `plain` has them, in small letters. */
const words: ReadonlyMap<string, Type> = new Map(
  (
    [
      [
        text,
        "text string str varchar char longtext shorttext richtext textarea html markdown email url uri phone slug uuid"
      ],
      // A file is named by its id or its address.
      [text, "file image photo picture video audio media attachment"],
      [number, "numeric number int integer float double decimal"],
      [boolean, "boolean bool checkbox"],
      [date, "date datetime timestamp"],
      [anything, "json jsonb object any mixed"]
    ] as const
  ).flatMap(([type, said]) => said.split(" ").map((word): readonly [string, Type] => [word, type]))
)

/** The platform's own words; they go before a model of that name, their synonyms after. */
const first = new Set(["text", "numeric", "boolean", "date", "file", "json"])

/** The type that a word says, a list for a plural: `Number`, `DATE_TIME`, `strings`, `TEXT[]`, `text list`. */
const typeOfWord = (said: string): Type | undefined => {
  const word = plain(said).toLowerCase()
  const item = words.get(word.replace(/(s|\[\]|list|array)$/, ""))
  return words.get(word) ?? (item === undefined ? undefined : { _tag: "List", item })
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
  const beside = relations.test(plain(type))
    ? Object.entries(Object(description) as object)
        .filter(([name]) => name !== "type" && targets.test(plain(name)))
        .flatMap(
          ([, value]: [string, unknown]): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])
        )
        .map((value) => textOf(value, "_id", "apiId") ?? value)
    : []
  const named = new Set<unknown>([type, ...beside])
  return models.filter(({ apiId, ids }) => named.has(apiId) || ids.some((id) => named.has(id)))
}

/** The models that a field is of, unless its type is a word of the platform. */
const foundOf = (field: Described, models: ReadonlyArray<Model>): ReadonlyArray<Model> =>
  first.has(plain(field.type).toLowerCase()) ? [] : targetsOf(field, models)

/** The fields of a field that is an object. */
const innerOf = (field: Described, models: ReadonlyArray<Model>): ReadonlyArray<Described> => {
  const word = typeOfWord(field.type)
  const isOpen = word === undefined || (word._tag === "List" ? word.item : word) === anything
  return isOpen && foundOf(field, models).length === 0 ? once(fieldsOf(own(field.description, "fields"))) : []
}

/** A field's type, and whether it is known. */
const typeOf = (
  field: Described,
  models: ReadonlyArray<Model>
): { readonly type: Type; readonly isKnown: boolean } => {
  const related = foundOf(field, models)
  const inner = innerOf(field, models)
  const word = related.length > 0 ? undefined : typeOfWord(field.type)
  const fieldType: Type | undefined =
    related.length > 0
      ? // Some answers hold the entry itself, others its id.
        union([text, ...related.map(({ apiId }): Type => ({ _tag: "Reference", to: apiId }))])
      : inner.length > 0
        ? { _tag: "Object", fields: inner.map((innerField) => fieldOf(innerField, models)) }
        : word?._tag === "List"
          ? word.item
          : word
  const isList = word?._tag === "List" || listWords.some((name) => own(field.description, name) === true)
  const type: Type = fieldType ?? anything
  return { type: isList ? { _tag: "List", item: type } : type, isKnown: fieldType !== undefined }
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

/** A name that a model gives twice counts once. */
const once = (fields: ReadonlyArray<Described>): ReadonlyArray<Described> => {
  const names = new Set<string>()
  return fields.filter(({ apiId }) => !names.has(apiId) && names.add(apiId))
}

/** What is odd about the keys of fields, at any depth: none, one that another field has, or a display name. */
const oddKeysIn = (row: unknown, path: string | undefined): ReadonlyArray<string> => {
  if (path === undefined) return []
  const rows = rowsOf(row)
  const guesses = new Set(rows.flatMap(({ apiId, isGuess }) => (isGuess ? [apiId] : [])))
  const seen = new Set<string>()
  return [
    ...rows.flatMap(({ apiId, field }, index) => {
      const said = `field ${index + 1} of ${path} has`
      if (apiId === undefined) return [`${said} neither an id nor a name, so it is left out`]
      if (seen.has(apiId)) return [`${said} the key ${apiId}, as one before it has, so it is left out`]
      seen.add(apiId)
      return oddKeysIn(own(field, "fields"), `${path}.${apiId}`)
    }),
    ...(guesses.size === 0
      ? []
      : [
          `fields of ${path} have no id of their own: their names are taken for it, which is a guess: ${[...guesses].join(", ")}`
        ])
  ]
}

/** The models of one list whose id others of it have. */
const repeatedIn = (models: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const model of models) {
    const apiId = modelOf(model)?.apiId
    if (apiId !== undefined) counts.set(apiId, (counts.get(apiId) ?? 0) + 1)
  }
  return [...counts].flatMap(([apiId, count]) =>
    count === 1
      ? []
      : [
          `${count} models of one list have the id ${apiId}: their fields are put together, and of one key the first counts`
        ]
  )
}

/** The fields, at any depth, whose type is not known, each with its path and the word. */
const unknownIn = (
  fields: ReadonlyArray<Described>,
  models: ReadonlyArray<Model>,
  path: string
): ReadonlyArray<string> =>
  fields.flatMap((field) => {
    const at = `${path}.${field.apiId}`
    if (!typeOf(field, models).isKnown)
      return [
        field.type === ""
          ? `the field ${at} has no type, so its values are unknown`
          : `the type ${field.type} of the field ${at} is not known, so its values are unknown`
      ]
    return unknownIn(innerOf(field, models), models, at)
  })

/**
 * What a module cannot say of the models, or guesses, a line each: models without a name, without fields, out of reach,
 * of one id, or with a display name for an id; fields without a name, of one key, with a display name for a key, or of a
 * type that is not known.
 * @category getters
 */
export const lacks = (answers: Models): ReadonlyArray<string> => {
  const all = [...answers.models, ...answers.contentModels]
  const models = merged(answers)
  const unknown = models.flatMap(({ apiId, fields }) => unknownIn(once(fields), models, apiId))
  const ids = new Set(all.map(idOf))
  return [
    ...all
      .filter((model) => modelOf(model) === undefined)
      .map((model) => {
        const said = textOf(model, "title", "_id", "id")
        return `a model without an id and a name is left out${said === undefined ? "" : `: ${said}`}`
      }),
    ...models.flatMap(({ apiId, fields }) => [
      ...(fields.length === 0 ? [`the model ${apiId} says nothing of its fields, so its type has none`] : []),
      ...(/^\.\.?$/.test(apiId)
        ? [`the model ${apiId} cannot be read, because no path can hold its apiId`]
        : []),
      ...(ids.has(apiId)
        ? []
        : [
            `the model ${apiId} has no id of its own: its name is taken for it in addresses, which is a guess`
          ])
    ]),
    ...repeatedIn(answers.models),
    ...repeatedIn(answers.contentModels),
    ...all.flatMap((model) => oddKeysIn(givenFields(model), modelOf(model)?.apiId)),
    ...unknown,
    ...(unknown.length === 0 ? [] : [`fields of a type that is not known: ${unknown.length}`])
  ]
}

const declarationOf = (model: Model, models: ReadonlyArray<Model>): Declaration => {
  const fields = once(model.fields)
  const names = new Set(fields.map(({ apiId }) => apiId))
  const own = fields.map((field) => fieldOf(field, models))
  return {
    key: model.apiId,
    name: Names.pascal(model.apiId, "Model"),
    note: `An entry of the content model ${JSON.stringify(model.apiId)} (${model.name}).`,
    type: { _tag: "Object", fields: [...always.filter(({ name }) => !names.has(name)), ...own] }
  }
}

/** The collections of the models, for `content` of the clients for visitors. */
const collectionsOf = (models: ReadonlyArray<Model>, names: Names.Names) => (identifiers: Identifiers) => ({
  imports: [`import { type Collection, collection } from "@quartet/sdk/public/content";`],
  blocks: models.map(({ apiId }) => {
    const type = identifiers.get(apiId) ?? ""
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
export const generate = (answers: Models, face: Face = "effect"): string => {
  const models = merged(answers)
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
