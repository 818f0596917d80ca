/**
 * Writes a module of declarations: for each an interface and a schema, in an order in which each is there before it is
 * used, cycles suspended. The same declarations give the same text.
 */
import { alternatives, type Code, call, callOf, flat, generic, lay } from "./layout.js"
import * as Names from "./names.js"
import type { Declaration, Field, Type } from "./types.js"

/**
 * What the schemas of a module are made with: `effect` imports `effect/Schema`; `promise` imports nothing of Effect's,
 * for programs that use Promises, and for pages that do not ship Effect's parser.
 * @category models
 */
export type Face = "effect" | "promise"

/** The names that a module gave to its declarations, by their keys. */
export type Identifiers = ReadonlyMap<string, string>

export interface Module {
  /** What its first comment says, a line each. */
  readonly head: ReadonlyArray<string>
  readonly face: Face
  readonly declarations: ReadonlyArray<Declaration>
  /** Names that its end takes; declarations take theirs first. */
  readonly names: Names.Names
  /** What stands behind the declarations, and what it imports. */
  readonly end: (identifiers: Identifiers) => {
    readonly imports: ReadonlyArray<string>
    readonly blocks: ReadonlyArray<string>
  }
  /** Whether a call that is narrowed by one of its declarations tolerates answers that are otherwise. */
  readonly isTolerant?: boolean
}

/** Text inside of a comment. */
const commented = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .replaceAll("*/", "*\\/")
    .trim()

const comment = (text: string, indent = ""): string => `${indent}/** ${commented(text)} */`

/** A type with a name: an object or a list of words that stands inside of another type gets one. */
interface Named {
  readonly name: string
  readonly note: string
  readonly type: Type
}

/** An object of which no field is known may have any. */
const anyObject: Type = { _tag: "Dictionary", value: { _tag: "Unknown" } }
const isEmpty = (type: Type): boolean => type._tag === "Object" && type.fields.length === 0

/** Gives names to what needs one. */
const flatten = (
  declarations: ReadonlyArray<Declaration>,
  names: Names.Names
): { readonly named: ReadonlyArray<Named>; readonly identifiers: Identifiers } => {
  const identifiers = new Map(declarations.map(({ key, name }) => [key, names.take(name)] as const))
  const named: Array<Named> = []
  const inner = (type: Type, place: string, note: string): Type => {
    switch (type._tag) {
      case "Words":
      case "Object": {
        if (isEmpty(type)) return anyObject
        const name = names.take(place)
        named.push({ name, note, type: body(type, name, note) })
        return { _tag: "Reference", to: name }
      }
      case "List":
        return { ...type, item: inner(type.item, place, note) }
      case "Dictionary":
        return { ...type, value: inner(type.value, place, note) }
      case "Union":
        return { ...type, members: type.members.map((member) => inner(member, place, note)) }
      case "Reference":
        return { ...type, to: identifiers.get(type.to) ?? type.to }
      default:
        return type
    }
  }
  const body = (type: Type, name: string, note: string): Type => {
    if (type._tag === "Words") return type
    if (isEmpty(type)) return anyObject
    if (type._tag !== "Object") return inner(type, `${name}Item`, note)
    const fields = type.fields.map((field) => {
      const place = `${name}${Names.pascal(field.name, "")}`
      return { ...field, type: inner(field.type, place, `The field ${Names.quoted(field.name)} of ${name}.`) }
    })
    return { ...type, fields }
  }
  for (const { key, note, type } of declarations) {
    const name = identifiers.get(key) ?? ""
    const type_ = body(type, name, note)
    named.push({ name, note, type: type_ })
  }
  return { named, identifiers }
}

const referencesOf = (type: Type): ReadonlyArray<string> => {
  switch (type._tag) {
    case "Reference":
      return [type.to]
    case "List":
      return referencesOf(type.item)
    case "Dictionary":
      return referencesOf(type.value)
    case "Union":
      return type.members.flatMap(referencesOf)
    case "Object":
      return type.fields.flatMap((field) => referencesOf(field.type))
    default:
      return []
  }
}

/** The declarations, each behind those that it names, as far as there is no cycle. */
const ordered = (all: ReadonlyArray<Named>): ReadonlyArray<Named> => {
  const byName = new Map(all.map((declaration) => [declaration.name, declaration]))
  const done = new Set<Named>()
  const begun = new Set<Named>()
  const visit = (declaration: Named): void => {
    if (begun.has(declaration)) return
    begun.add(declaration)
    for (const name of referencesOf(declaration.type)) {
      const next = byName.get(name)
      if (next !== undefined) visit(next)
    }
    done.add(declaration)
  }
  all.forEach(visit)
  return [...done]
}

const typeOf = (type: Type): Code => {
  switch (type._tag) {
    case "Text":
    case "ObjectId":
      return "string"
    case "Number":
      return "number"
    case "Boolean":
      return "boolean"
    case "DateTime":
      return "Date"
    case "Null":
      return "null"
    case "Nothing":
      return "undefined"
    case "Unknown":
    case "Object":
      return "unknown"
    case "Words":
      return alternatives([
        ...type.words.map((word) => Names.quoted(word)),
        "(string & Record<never, never>)"
      ])
    case "List":
      return generic("ReadonlyArray", typeOf(type.item))
    case "Dictionary":
      return generic("Readonly", generic("Record", "string", typeOf(type.value)))
    case "Union":
      return alternatives([...new Set(type.members.map((member) => flat(typeOf(member))))])
    case "Reference":
      return type.to
  }
}

/** Whether a type lists `undefined` already, or takes it in. */
const takesNothing = (type: Type): boolean =>
  type._tag === "Unknown" ||
  type._tag === "Nothing" ||
  (type._tag === "Union" && type.members.some(takesNothing))

const fieldLines = ({ isOptional, name, note, type }: Field): ReadonlyArray<string> => {
  const said = typeOf(type)
  const code = isOptional && !takesNothing(type) ? optional(said) : said
  const line = lay(`  readonly ${Names.property(name)}${isOptional ? "?" : ""}: `, code, ";", "  ")
  return [...(note === undefined ? [] : [comment(note, "  ")]), line]
}

const optional = (said: Code): Code =>
  typeof said === "object" && "alternatives" in said
    ? alternatives([...said.alternatives, "undefined"])
    : alternatives([said, "undefined"])

/** The names that the code of schemas takes from elsewhere. */
interface Used {
  /** What `effect/Schema` has too. */
  readonly schema: (name: string) => string
  /** The SDK's own names: a module without Effect takes all from one place. */
  readonly own: (name: string, isType?: boolean) => string
  readonly imports: () => ReadonlyArray<string>
}

const using = (face: Face): Used => {
  const own = new Set<string>()
  let isSchema = false
  const schema = (name: string): string => {
    isSchema = true
    return `Schema.${name}`
  }
  return {
    schema,
    own: (name, isType = false) => {
      if (face === "promise") return schema(name)
      own.add(isType ? `type ${name}` : name)
      return name
    },
    imports: () => [
      ...(own.size === 0
        ? []
        : [`import { ${[...own].sort(byName).join(", ")} } from "@quartet/sdk/schema";`]),
      ...(isSchema
        ? [`import * as Schema from "${face === "promise" ? "@quartet/sdk/schema" : "effect/Schema"}";`]
        : [])
    ]
  }
}

/** As a formatter sorts imported names. */
const byName = (left: string, right: string): number => {
  const [a, b] = [left, right].map((name) => name.replace("type ", ""))
  return (a ?? "") < (b ?? "") ? -1 : 1
}

/** What a schema says that it is, so that it needs no inference. */
const annotation = ({ own }: Used, name: string): string => `${own("SchemaOf", true)}<${name}>`

/** Writes the expressions of schemas; `isThere` tells of a name whether its schema stands before. */
const expressions = (used: Used, isThere: (name: string) => boolean) => {
  const { own, schema } = used
  const schemaOf = (type: Type): Code => {
    switch (type._tag) {
      case "Text":
      case "Words":
        return schema("String")
      case "Number":
      case "Boolean":
      case "Null":
        return schema(type._tag)
      case "DateTime":
      case "ObjectId":
        return own(type._tag)
      case "Nothing":
        return schema("Undefined")
      case "Unknown":
      case "Object":
        return schema("Unknown")
      case "List":
        return call(schema("Array"), schemaOf(type.item))
      case "Dictionary":
        return callOf(schema("Record"), [
          ["key", schema("String")],
          ["value", schemaOf(type.value)]
        ])
      case "Union":
        return unionOf(type.members)
      case "Reference":
        return isThere(type.to)
          ? type.to
          : call(schema("suspend"), `(): ${annotation(used, type.to)} => ${type.to}`)
    }
  }
  const unionOf = (members: ReadonlyArray<Type>): Code => {
    const said = members.filter(({ _tag }) => _tag !== "Null")
    const [only = schema("Null"), ...others] = said.map(schemaOf)
    const union = others.length > 0 ? call(schema("Union"), only, ...others) : only
    return said.length < members.length && said.length > 0 ? call(schema("NullOr"), union) : union
  }
  return schemaOf
}

/** The blocks of one declaration: its type, and its schema. */
const blocksOf = (
  { name, note, type }: Named,
  schemaOf: (type: Type) => Code,
  used: Used,
  isTolerant: boolean
): ReadonlyArray<string> => {
  const schema = (code: Code): string => {
    const value = isTolerant ? call(used.own("tolerant"), code) : code
    return lay("", { name: `export const ${name}: ${annotation(used, name)} =`, value }, ";")
  }
  if (type._tag === "Object") {
    const fields = type.fields.map((field): readonly [string, Code] => {
      const code = schemaOf(field.type)
      return [Names.key(field.name), field.isOptional ? call(used.schema("optional"), code) : code]
    })
    const lines = type.fields.flatMap(fieldLines)
    return [
      `${comment(note)}\nexport interface ${name} {\n${lines.join("\n")}\n}`,
      schema(callOf(used.schema("Struct"), fields, true))
    ]
  }
  const said = `${comment(note)}\n${lay("", { name: `export type ${name} =`, value: typeOf(type) }, ";")}`
  // Words are text to a schema, because others may follow.
  return type._tag === "Words" ? [said] : [said, schema(schemaOf(type))]
}

/** The text of a module. */
export const write = ({ declarations, end, face, head, isTolerant = false, names }: Module): string => {
  const { identifiers, named } = flatten(declarations, names)
  const all = ordered(named)
  const words = new Set(all.filter(({ type }) => type._tag === "Words").map(({ name }) => name))
  const there = new Set<string>()
  const declared = new Set(identifiers.values())
  const used = using(face)
  const schemaOf = expressions(used, (name) => there.has(name))
  // A list of words has a type alone.
  const withoutWords = (type: Type): Type => {
    switch (type._tag) {
      case "Reference":
        return words.has(type.to) ? { _tag: "Text" } : type
      case "List":
        return { ...type, item: withoutWords(type.item) }
      case "Dictionary":
        return { ...type, value: withoutWords(type.value) }
      case "Union":
        return { ...type, members: type.members.map(withoutWords) }
      default:
        return type
    }
  }
  const blocks = all.flatMap((declaration) => {
    const declarationBlocks = blocksOf(
      declaration,
      (type) => schemaOf(withoutWords(type)),
      used,
      isTolerant && declared.has(declaration.name)
    )
    there.add(declaration.name)
    return declarationBlocks
  })
  const { blocks: last, imports } = end(identifiers)
  const first = [...head.map((line) => `// ${commented(line)}`), ...imports, ...used.imports()].join("\n")
  return `${first}\n\n${[...blocks, ...last].join("\n\n")}\n`
}
