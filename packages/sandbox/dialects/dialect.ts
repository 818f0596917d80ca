/** The dialects by name, and how one is read and made up. */
import { InputError, meant } from "@quartet/sdk/extend"
import * as Either from "effect/Either"
import * as Random from "../state/random.js"
import { type Axis, axes, axisNames, contradictionOf, type Dialect, standard } from "./axes.js"

/** Dialects with a name. */
const named = {
  standard: {},
  bare: { lists: "bare", paging: "from-zero", parameters: "repeated", idField: "id", errors: "text" },
  data: {
    things: "data",
    lists: "data",
    paging: "offset",
    parameters: "brackets",
    errors: "flat",
    idempotency: "x-write-key"
  },
  rows: {
    lists: "rows",
    paging: "offset",
    credentials: "token-scheme",
    signIn: "one",
    project: "none",
    downloads: "redirect"
  },
  hal: {
    lists: "hal",
    errors: "problem",
    project: "path",
    requestId: "x-correlation-id",
    version: "x-api-version"
  },
  "json-api": {
    things: "json-api",
    lists: "json-api",
    paging: "bracketed",
    idField: "id",
    errors: "json-api",
    routes: "moved"
  },
  edges: {
    lists: "edges",
    paging: "cursor",
    idField: "id",
    requestId: "body",
    credentials: "headers",
    chat: "nested"
  },
  links: { lists: "bare", paging: "link", errors: "problem", credentials: "query-key", project: "header" },
  snake: {
    things: "data",
    lists: "data",
    paging: "offset",
    parameters: "repeated",
    ids: "numbers",
    idField: "id",
    names: "snake",
    dates: "seconds",
    errors: "flat",
    token: "other-claims",
    project: "parameter"
  },
  opaque: { lists: "named", signIn: "one", token: "refreshed", errors: "problem", project: "header" },
  cookie: { lists: "by-id", paging: "offset", signIn: "cookie", dates: "milliseconds" },
  sessions: { lists: "named", paging: "cursor", signIn: "session", credentials: "headers", errors: "flat" },
  "kitchen-sink": {
    things: "json-api",
    lists: "hal",
    paging: "cursor",
    parameters: "brackets",
    ids: "numbers",
    idField: "id",
    names: "snake",
    dates: "milliseconds",
    errors: "problem",
    requestId: "body",
    signIn: "one",
    token: "refreshed",
    credentials: "headers",
    project: "path",
    idempotency: "x-write-key",
    version: "x-api-version",
    routes: "moved",
    downloads: "redirect",
    chat: "nested"
  }
} as const satisfies Readonly<Record<string, Partial<Dialect>>>

/** The name of a dialect. @category models */
export type DialectName = keyof typeof named

/** The names of all dialects; `standard` is the sandbox's own. @category constants */
export const dialectNames: ReadonlyArray<DialectName> = Object.freeze(
  Object.keys(named) as Array<DialectName>
)

/** A dialect by its name, or by the choices in which it differs from the sandbox's own. @category models */
export type DialectInput = DialectName | Partial<Dialect>

/** The choices of a dialect with a name. @category getters */
export const dialectOf = (name: DialectName): Dialect => ({ ...standard, ...named[name] })

const isName = (name: string): name is DialectName => Object.hasOwn(named, name)

const isAxis = (name: string): name is Axis => Object.hasOwn(axes, name)

const listed = (names: ReadonlyArray<string>): string => `there are ${names.join(", ")}`

/** A dialect, checked. */
export const readDialect = (operation: string, input: unknown): Either.Either<Dialect, InputError> => {
  const refuse = (field: string, rule: string): Either.Either<never, InputError> =>
    Either.left(new InputError({ operation, field, rule }))
  if (typeof input === "string")
    return isName(input)
      ? Either.right(dialectOf(input))
      : refuse(
          "dialect",
          `is not the name of one${meant(input, dialectNames) || `: ${listed(dialectNames)}`}`
        )
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return refuse("dialect", `must be the name of a dialect or an object of axes: ${listed(dialectNames)}`)
  const chosen: Partial<Record<Axis, string>> = {}
  for (const [name, choice] of Object.entries(input)) {
    if (choice === undefined) continue
    if (!isAxis(name))
      return refuse(`dialect.${name}`, `is not an axis${meant(name, axisNames) || `: ${listed(axisNames)}`}`)
    const choices: ReadonlyArray<unknown> = axes[name]
    if (!choices.includes(choice)) {
      const near = typeof choice === "string" ? meant(choice, axes[name]) : ""
      return refuse(`dialect.${name}`, `must be one of ${axes[name].join(", ")}${near}`)
    }
    chosen[name] = choice
  }
  // Each choice is one of its axis.
  const dialect = { ...standard, ...chosen } as Dialect
  const contradiction = contradictionOf(dialect)
  return contradiction === undefined
    ? Either.right(dialect)
    : refuse("dialect", `cannot be: ${contradiction}`)
}

/** A dialect by chance: the same seed makes the same one. Pairs of choices that no platform can make are left out. @category constructors */
export const randomDialect = (seed: number): Dialect => {
  const random = Random.make(seed, "dialect")
  const draw = (): Dialect =>
    // Each choice is drawn from its axis.
    Object.fromEntries(axisNames.map((axis) => [axis, random.pick<string>(axes[axis])])) as unknown as Dialect
  let dialect = draw()
  while (contradictionOf(dialect) !== undefined) dialect = draw()
  return dialect
}
