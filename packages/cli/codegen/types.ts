/** What a written module declares: the types of a project's answers, apart from the text that says them. */

/** A type of JSON as the SDK answers it. */
export type Type =
  | {
      readonly _tag: "Text" | "Number" | "Boolean" | "DateTime" | "ObjectId" | "Null" | "Nothing" | "Unknown"
    }
  /** Text that is one of these words, or another one. */
  | { readonly _tag: "Words"; readonly words: ReadonlyArray<string> }
  | { readonly _tag: "List"; readonly item: Type }
  /** An object whose names are data. */
  | { readonly _tag: "Dictionary"; readonly value: Type }
  | { readonly _tag: "Object"; readonly fields: ReadonlyArray<Field> }
  | { readonly _tag: "Union"; readonly members: ReadonlyArray<Type> }
  /** Another declaration, by its key. */
  | { readonly _tag: "Reference"; readonly to: string }

/** A field of an object. */
export interface Field {
  readonly name: string
  readonly type: Type
  readonly isOptional: boolean
  /** What its comment says. */
  readonly note?: string
}

/** A type with a name of its own. */
export interface Declaration {
  /** By which references name it. */
  readonly key: string
  /** The name that it takes, if no other one has it. */
  readonly name: string
  readonly note: string
  readonly type: Type
}

export const text: Type = { _tag: "Text" }
export const nullable = (type: Type): Type => union([type, { _tag: "Null" }])

/** The union of some types: flat, and without what says nothing more. */
export const union = (types: ReadonlyArray<Type>): Type => {
  const members = types.flatMap((type) => (type._tag === "Union" ? type.members : [type]))
  if (members.some(({ _tag }) => _tag === "Unknown")) return { _tag: "Unknown" }
  const [only] = members
  return only !== undefined && members.length === 1 ? only : { _tag: "Union", members }
}
