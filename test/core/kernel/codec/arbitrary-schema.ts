/** Arbitrary schemas, JSON that fits them, and JSON that almost does: the ground on which the compiler meets Schema. */
import { Effect, FastCheck as FC, Schema } from "effect"
import { DateTime } from "../../../../core/kernel/codec/dates.js"
import * as Entity from "../../../../core/kernel/operation/entity.js"
import * as Input from "../../../../core/kernel/operation/input.js"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/** A schema, and JSON that it accepts. Made together, so that neither is derived from the other. */
export interface Sample {
  readonly schema: Schema.Schema<unknown>
  readonly fits: FC.Arbitrary<Json>
}

const sample = (schema: Schema.Schema.All, fits: FC.Arbitrary<Json>): Sample => ({
  // What a schema reads and gives is of no account here: both readers get the same AST.
  schema: Schema.make(schema.ast),
  fits
})

/** Text that is no date-time, so that Schema's reading and ours may be compared as they are. */
const text = FC.string({ maxLength: 15 })
/** Names of Object.prototype are left to tests of their own: Schema's reading of unions throws over them. */
const name = FC.constantFrom("_id", "a", "b", "size", "x y", "0")
const when = FC.date({ noInvalidDate: true }).map((date) => date.toISOString())
const json: FC.Arbitrary<Json> = FC.letrec<{ json: Json }>((tie) => ({
  json: FC.oneof(
    { depthSize: "small", withCrossShrink: true },
    FC.oneof(
      FC.constant(null),
      FC.boolean(),
      FC.integer(),
      FC.double({ noNaN: true, noDefaultInfinity: true }),
      text
    ),
    FC.array(tie("json"), { maxLength: 3 }),
    FC.dictionary(name, tie("json"), { maxKeys: 3, noNullPrototype: true })
  )
})).json

interface Tree {
  readonly value: number
  readonly children: ReadonlyArray<Tree>
}
const Tree: Schema.Schema<Tree> = Schema.Struct({
  value: Schema.Number,
  children: Schema.Array(Schema.suspend(() => Tree))
})
const tree: FC.Arbitrary<Json> = FC.letrec<{ tree: Json; children: ReadonlyArray<Json> }>((tie) => ({
  tree: FC.record({ value: FC.integer(), children: tie("children") }, { noNullPrototype: true }),
  children: FC.oneof({ maxDepth: 3 }, FC.constant([]), FC.array(tie("tree"), { maxLength: 2 }))
})).tree

enum Colour {
  Red = "red",
  Blue = 7
}

/** Leaves that change nothing, so that the order of a union's members does not matter. */
const plain: ReadonlyArray<Sample> = [
  sample(Schema.String, text),
  sample(Schema.Number, FC.double({ noNaN: true, noDefaultInfinity: true })),
  sample(Schema.Boolean, FC.boolean()),
  sample(Schema.Null, FC.constant(null)),
  sample(Schema.Literal("open", "closed", 3, true, null), FC.constantFrom("open", "closed", 3, true, null)),
  sample(Schema.Enums(Colour), FC.constantFrom("red", 7)),
  sample(
    Schema.TemplateLiteral("v", Schema.Number),
    FC.nat().map((number) => `v${number}`)
  ),
  sample(Schema.NonEmptyString, FC.string({ minLength: 1, maxLength: 15 })),
  sample(Schema.Int, FC.integer()),
  sample(Schema.NonNegativeInt, FC.nat()),
  sample(Schema.Number.pipe(Schema.between(0, 10), Schema.multipleOf(2)), FC.constantFrom(0, 2, 10)),
  sample(Schema.String.pipe(Schema.pattern(/^[a-c]{1,3}$/)), FC.constantFrom("a", "abc")),
  sample(Schema.String.pipe(Schema.brand("Branded")), text),
  sample(Entity.openLiteral("one", "two"), text),
  sample(Entity.Id, FC.string({ minLength: 1, maxLength: 15 }))
]

class Person extends Schema.Class<Person>("Person")({ name: Schema.NonEmptyString }) {}

/** Text to its length, by an Effect that runs at once. */
const Length = Schema.transformOrFail(Schema.String, Schema.Number, {
  decode: ({ length }) => Effect.suspend(() => Effect.succeed(length)),
  encode: (length) => Effect.succeed(" ".repeat(length))
})

const leaves: ReadonlyArray<Sample> = [
  ...plain,
  sample(Schema.Unknown, json),
  sample(Schema.Any, json),
  sample(Schema.Object, FC.array(json)),
  sample(Schema.Trim, text),
  sample(Schema.NumberFromString, FC.integer().map(String)),
  sample(Schema.Date, when),
  sample(Schema.DateFromString, when),
  sample(Schema.DateFromNumber, FC.nat()),
  sample(Schema.BigInt, FC.integer().map(String)),
  sample(Schema.Redacted(Schema.String), text),
  sample(Schema.compose(Schema.Trim, Schema.NumberFromString), FC.nat().map(String)),
  sample(Length, text),
  sample(
    Schema.Number.annotations({ decodingFallback: () => Effect.succeed(7) }),
    FC.oneof(FC.integer(), text)
  ),
  sample(Person, FC.record({ name: FC.string({ minLength: 1, maxLength: 9 }) }, { noNullPrototype: true })),
  sample(DateTime, when),
  sample(DateTime.annotations({ description: "when" }), when),
  sample(Tree, tree)
]

type Presence = "required" | "optional" | "maybe"

const withPresence = (schema: Schema.Schema<unknown>, presence: Presence) =>
  presence === "required"
    ? schema
    : presence === "optional"
      ? Schema.optional(schema)
      : Schema.optional(Schema.NullOr(schema))

const structOf = (
  fields: ReadonlyArray<readonly [string, Sample, Presence]>,
  isOpen: boolean,
  tag?: string
): Sample => {
  const known: Record<string, Schema.Struct.Field> = {}
  const fits: Record<string, FC.Arbitrary<Json>> = {}
  for (const [key, { fits: of, schema }, presence] of fields) {
    known[key] = withPresence(schema, presence)
    fits[key] = presence === "maybe" ? FC.oneof(of, FC.constant(null)) : of
  }
  if (tag !== undefined) {
    known.kind = Schema.Literal(tag)
    fits.kind = FC.constant(tag)
  }
  const needed = fields.filter(([, , presence]) => presence === "required").map(([key]) => key)
  const declared = FC.record(fits, {
    requiredKeys: [...needed, ...(tag === undefined ? [] : ["kind"])],
    noNullPrototype: true
  })
  const more = FC.dictionary(FC.constantFrom("more", "and more"), json, { noNullPrototype: true })
  return sample(
    // Schema's `{}` takes any value but null, ours takes objects: they differ there on purpose.
    isOpen || Object.keys(known).length === 0 ? Schema.Struct(known, Input.open) : Schema.Struct(known),
    FC.tuple(more, declared).map(([more, own]) => ({ ...more, ...own }))
  )
}

const presence = FC.constantFrom<Presence>("required", "required", "optional", "maybe")

/** Schemas of all kinds that answers are declared with, and some that only a caller's own schema has. */
const samples: FC.Arbitrary<Sample> = FC.letrec<{ node: Sample }>((tie) => {
  const node = tie("node")
  const fields = FC.uniqueArray(FC.tuple(name, node, presence), { selector: ([key]) => key, maxLength: 4 })
  const leaf = FC.constantFrom(...leaves)
  return {
    node: FC.oneof(
      { depthSize: "small", maxDepth: 4 },
      leaf,
      leaf,
      FC.tuple(fields, FC.boolean()).map(([of, isOpen]) => structOf(of, isOpen)),
      node.map(({ fits, schema }) => sample(Schema.Array(schema), FC.array(fits, { maxLength: 3 }))),
      node.map(({ fits, schema }) => sample(Schema.NullOr(schema), FC.oneof(fits, FC.constant(null)))),
      node.map(({ fits, schema }) => sample(Schema.OptionFromNullOr(schema), fits)),
      node.map(({ fits, schema }) =>
        sample(Schema.ReadonlyMap({ key: Schema.String, value: schema }), FC.array(FC.tuple(name, fits)))
      ),
      node.map(({ fits, schema }) =>
        sample(
          Schema.Struct({
            renamed: Schema.propertySignature(schema).pipe(Schema.fromKey("a")),
            filled: Schema.optionalWith(schema, { default: () => "none" }),
            held: Schema.optionalWith(schema, { as: "Option", nullable: true })
          }),
          FC.record({ a: fits, filled: fits, held: fits }, { requiredKeys: ["a"], noNullPrototype: true })
        )
      ),
      node.map(({ fits, schema }) =>
        sample(
          Schema.Struct(
            { a: Schema.Unknown },
            { key: Schema.String.pipe(Schema.maxLength(1)), value: Schema.Unknown },
            { key: Schema.TemplateLiteral("x", Schema.String), value: schema }
          ),
          FC.record({ a: json, "x y": fits, more: json }, { requiredKeys: ["a"], noNullPrototype: true })
        )
      ),
      FC.tuple(FC.constantFrom(...plain), FC.constantFrom(...plain)).map(([first, second]) =>
        sample(
          Schema.Union(
            Schema.Struct({ a: first.schema }),
            Schema.Struct({ b: second.schema }),
            Schema.Array(first.schema)
          ),
          FC.oneof(
            FC.record({ a: first.fits }, { noNullPrototype: true }),
            FC.record({ b: second.fits }, { noNullPrototype: true }),
            FC.array(first.fits, { maxLength: 2 })
          )
        )
      ),
      node.map(({ fits, schema }) =>
        sample(
          Schema.suspend(() => Schema.Array(schema)),
          FC.array(fits, { maxLength: 2 })
        )
      ),
      node.map(({ fits, schema }) =>
        sample(
          Schema.Record({ key: Schema.String, value: schema }),
          FC.dictionary(name, fits, { maxKeys: 3, noNullPrototype: true })
        )
      ),
      FC.array(FC.constantFrom(...plain), { minLength: 2, maxLength: 4 }).map((members) =>
        sample(
          Schema.Union(...members.map(({ schema }) => schema)),
          FC.oneof(...members.map(({ fits }) => fits))
        )
      ),
      FC.array(FC.tuple(fields, FC.boolean()), { minLength: 2, maxLength: 3 })
        .map((members) => members.map(([of, isOpen], index) => structOf(of, isOpen, `kind ${index}`)))
        .map((members) =>
          sample(
            Schema.Union(...members.map(({ schema }) => schema)),
            FC.oneof(...members.map(({ fits }) => fits))
          )
        ),
      FC.tuple(node, node).map(([first, second]) =>
        sample(Schema.Tuple(first.schema, second.schema), FC.tuple(first.fits, second.fits))
      ),
      FC.tuple(FC.constantFrom(...plain), FC.constantFrom(...plain)).map(([first, second]) =>
        sample(
          Schema.Tuple([first.schema], second.schema, first.schema),
          FC.tuple(first.fits, second.fits, second.fits, first.fits)
        )
      )
    )
  }
}).node

/** The same JSON with one thing in it replaced or taken out: the place is chosen by `choices`, one a level. */
const spoiled = (value: Json, choices: ReadonlyArray<number>, by: Json | undefined): Json | undefined => {
  const [choice, ...rest] = choices
  if (choice === undefined || typeof value !== "object" || value === null) return by
  const keys = Object.keys(value)
  const key = keys[choice % (keys.length + 1)]
  if (key === undefined) return by
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, index) => {
      if (String(index) !== key) return [item]
      const after = spoiled(item, rest, by)
      return after === undefined ? [] : [after]
    })
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) => {
      if (name !== key) return [[name, item]]
      const after = spoiled(item, rest, by)
      return after === undefined ? [] : [[name, after]]
    })
  )
}

/** A schema with JSON text: half of it fits, the rest fits save in one place, or is anything. */
export const cases: FC.Arbitrary<{ readonly schema: Schema.Schema<unknown>; readonly source: string }> =
  samples.chain(({ fits, schema }) => {
    const almost = FC.tuple(
      fits,
      FC.array(FC.nat({ max: 11 }), { maxLength: 5 }),
      FC.oneof(FC.constant(undefined), json)
    ).map(([value, choices, by]) => spoiled(value, choices, by) ?? null)
    return FC.oneof(
      { arbitrary: fits, weight: 4 },
      { arbitrary: almost, weight: 4 },
      { arbitrary: json, weight: 1 }
    ).map((value) => ({ schema, source: JSON.stringify(value) }))
  })
