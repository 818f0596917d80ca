/** How a thing is wrapped, which field holds its id, and in which style its fields are named. */

import { isData } from "../../recording/keys.js"
import { common, type Exchange, isObject, isScalar, isSuccess, type Json, nodes } from "./exchange.js"
import { fields } from "./known.js"
import { type Line, nothing, type Recognised } from "./line.js"
import { isResource, itemsIn, listed, thingsIn } from "./lists.js"

const ids = ["_id", "id", "uuid", "guid", "uid", "ID", "Id", "_key", "pk", "oid", "objectId"]

/** How well a name fits an id: a higher number is better; undefined where it does not. */
const rankOf = (name: string): number | undefined => {
  const at = ids.indexOf(name)
  if (at >= 0) return 100 - at
  return /^[a-z]+(_id|Id|-id|ID|_uuid|Uuid)$/i.test(name) ? 10 : undefined
}

/** The field that holds the id of each of these things, and of no two the same. */
export const idIn = (things: ReadonlyArray<Json>): string | undefined => {
  const [first] = things
  if (first === undefined) return undefined
  return Object.keys(first)
    .flatMap((name, at) => {
      const rank = rankOf(name)
      const values = things.map((thing) => thing[name])
      const isId = values.every(isScalar) && new Set(values).size === values.length
      return rank === undefined || !isId ? [] : [{ name, rank: rank - at / 100 }]
    })
    .sort((a, b) => b.rank - a.rank)[0]?.name
}

const idOf = (thing: Json | undefined): string =>
  String(thing?.[idIn(thing === undefined ? [] : [thing]) ?? ""])

/** The path to the thing with an id in an answer. */
const pathOf = (body: unknown, id: string): string | undefined =>
  nodes(body, 3).find(
    ({ value }) =>
      isObject(value) &&
      Object.entries(value).some(
        ([name, inner]) => rankOf(name) !== undefined && isScalar(inner) && String(inner) === id
      )
  )?.path

interface Style {
  readonly name: "snake_case" | "kebab-case" | "PascalCase"
  readonly write: (name: string) => string
}

export const styles: ReadonlyArray<Style> = [
  {
    name: "snake_case",
    write: (name) => name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  },
  {
    name: "kebab-case",
    write: (name) => name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  },
  { name: "PascalCase", write: (name) => name.replace(/^[a-z]/, (letter) => letter.toUpperCase()) }
]

/** All names of fields in things, at any depth, without those that look like data. */
const namesIn = (things: ReadonlyArray<unknown>): ReadonlySet<string> =>
  new Set(
    things
      .flatMap((thing) => nodes(thing, 3, true))
      .map(({ name }) => name)
      .filter((name) => name !== "" && !/^\d+$/.test(name) && (name.includes("-") || !isData(name)))
  )

/** The style in which the names that the SDK knows are written; undefined where it is the SDK's own, or cannot be told. */
const styleOf = (names: ReadonlySet<string>): Style | undefined => {
  const known = [...fields().keys()].filter((name) => /[a-z][A-Z]/.test(name))
  const own = known.filter((name) => names.has(name)).length
  const counts = styles.map((style) => ({
    style,
    count: known.filter((name) => style.write(name) !== name && names.has(style.write(name))).length
  }))
  const [best] = counts.sort((a, b) => b.count - a.count)
  return best !== undefined && best.count > own ? best.style : undefined
}

/** Whether names are written in a style; undefined where nothing shows it. */
export const isStyleIn = (name: string, things: ReadonlyArray<unknown>): boolean | undefined => {
  const names = namesIn(things)
  const known = [...fields().keys()].filter((field) => /[a-z][A-Z]/.test(field))
  const count = (write: (field: string) => string) => known.filter((field) => names.has(write(field))).length
  const style = styles.find((each) => each.name === name)
  const all = [count((field) => field), ...styles.map(({ write }) => count(write))]
  return style === undefined || Math.max(...all) === 0 ? undefined : count(style.write) > 0
}

const wrapping = (things: ReadonlyArray<Exchange>, isApi: boolean): Recognised => {
  if (isApi)
    return {
      ...nothing,
      lines: [
        {
          at: "entities.unwrap",
          value: "json:api",
          reason: "things have `type`, `id` and `attributes`, as JSON:API has them"
        }
      ]
    }
  const paths = things.map(({ body, id = "" }) => pathOf(body, id))
  if (paths.length === 0)
    return {
      ...nothing,
      unseen: ["entities.unwrap: no single thing was read, so what wraps it was not seen"]
    }
  const path = common(paths)
  if (path === undefined)
    return {
      ...nothing,
      unseen: ["entities.unwrap: answers hold their thing in different places, or not at all"]
    }
  return path === ""
    ? { ...nothing, fits: ["a thing is answered as it is"] }
    : {
        ...nothing,
        lines: [
          {
            at: "entities.unwrap",
            value: path,
            reason: `${things.length} ${things.length === 1 ? "answer" : "answers"} had the thing that was asked for there`
          }
        ]
      }
}

const identity = (things: ReadonlyArray<ReadonlyArray<Json>>): Recognised => {
  const groups = things.filter((group) => group.length > 0)
  const names = groups.map(idIn)
  const name = common(names) ?? common(names.filter((each) => each !== undefined))
  if (name === undefined)
    return {
      ...nothing,
      unseen: [
        groups.length === 0
          ? "entities.id: nothing was answered that has an id"
          : `entities.id: things of different lists have their ids in different fields (${[...new Set(names)].map((each) => (each === undefined ? "none" : `\`${each}\``)).join(", ")})`
      ]
    }
  const values = groups.flatMap((group) => group.map((thing) => thing[name])).filter((id) => id !== undefined)
  const lines: Array<Line> = []
  if (name !== "_id")
    lines.push({
      at: "entities.id",
      value: name,
      reason:
        values.length === 1
          ? "the one thing that was read has it"
          : "no two things of a list had the same value in it"
    })
  // A resource of JSON:API has its id as text: those of the things in it show what they are elsewhere.
  const inner = groups
    .flat()
    .flatMap((thing) => nodes(thing, 4, true))
    .filter((node) => node.depth > 1 && node.name === name)
    .map(({ value }) => value)
  const isApi = values.every((id) => typeof id === "string" && /^\d+$/.test(id))
  const areNumbers =
    values.every((id) => typeof id === "number") ||
    (isApi && inner.length > 0 && inner.every((id) => typeof id === "number"))
  if (areNumbers)
    lines.push({ at: "entities.numericIds", value: true, reason: "all ids that were seen are numbers" })
  const isMixed = !areNumbers && values.some((id) => typeof id === "number")
  return {
    lines,
    fits: name === "_id" ? ["ids stand in `_id`"] : [],
    unseen: isMixed ? ["entities.numericIds: some ids are numbers, and some are text"] : []
  }
}

/** What request bodies are wrapped in, where writes were seen. */
const wrap = (writes: ReadonlyArray<Exchange>, isApi: boolean, isDeclared: boolean): Recognised => {
  const bodies = writes.map(({ input }) => input).filter(isObject)
  if (bodies.length === 0 && isDeclared)
    return {
      ...nothing,
      lines: [
        {
          at: "entities.wrap",
          value: "json:api",
          reason: "answers declare JSON:API as their type, which wraps what is sent in the same way"
        }
      ]
    }
  if (bodies.length === 0)
    return {
      ...nothing,
      unseen: [
        `entities.wrap: how the bodies of writes are wrapped, since none was made${isApi ? ' (with JSON:API it is likely "json:api")' : ""}`
      ]
    }
  if (
    bodies.every(({ data }) => isObject(data) && typeof data.type === "string" && isObject(data.attributes))
  )
    return {
      ...nothing,
      lines: [{ at: "entities.wrap", value: "json:api", reason: "bodies of writes have `data.attributes`" }]
    }
  const name = common(
    bodies.map((body) => {
      const [only, ...others] = Object.keys(body)
      return only !== undefined && others.length === 0 && isObject(body[only]) ? only : undefined
    })
  )
  return name === undefined || (fields().has(name) && name !== "data")
    ? { ...nothing, fits: ["bodies of writes are not wrapped"] }
    : {
        ...nothing,
        lines: [{ at: "entities.wrap", value: name, reason: `bodies of writes stood in \`${name}\`` }]
      }
}

/** All things that were answered, list by list. */
export const groupsOf = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<ReadonlyArray<Json>> =>
  listed(exchanges).map(({ body }) => thingsIn(body))

/** The thing that a read of one's own answers, such as the project: it is asked for by no id. */
const selfIn = ({ body }: Exchange): Json | undefined =>
  nodes(body, 3)
    .map(({ value }) => value)
    .filter(isObject)
    .find((value) => Object.keys(value).some((name) => ids.includes(name) && isScalar(value[name])))

/** Answers of reads of one's own. */
const selves = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<Exchange> =>
  exchanges.filter(
    (each) =>
      isSuccess(each) && each.method === "GET" && each.call.endsWith(".self") && selfIn(each) !== undefined
  )

/** All things that were read: those of lists, those that were asked for by their ids, and one's own. */
export const thingsOf = (exchanges: ReadonlyArray<Exchange>): ReadonlyArray<unknown> => {
  const answers = exchanges.filter(isSuccess)
  return [
    ...groupsOf(answers).flat(),
    ...answers.filter(({ purpose }) => purpose === "thing").map(({ body }) => body),
    ...selves(answers).map(selfIn)
  ]
}

/** How things are wrapped and named. */
export const entities = (exchanges: ReadonlyArray<Exchange>): Recognised => {
  const answers = exchanges.filter(isSuccess)
  const groups = groupsOf(answers)
  const asked = answers.filter(({ purpose }) => purpose === "thing")
  const own = selves(answers)
  // One's own show it where nothing could be asked for by an id.
  const single = asked.length > 0 ? asked : own.map((each) => ({ ...each, id: idOf(selfIn(each)) }))
  const isApi = [
    ...single.map(({ body }) => (isObject(body) ? body.data : undefined)),
    ...listed(answers).flatMap(({ body }) => itemsIn(body)?.items[0] ?? [])
  ].some(isResource)
  const { fits, lines, unseen } = wrapping(single, isApi)
  const style = styleOf(namesIn([...groups.flat(), ...single.map(({ body }) => body)]))
  const id = identity(groups.length > 0 ? groups : own.map((each) => [selfIn(each) ?? {}]))
  const wrapped = wrap(
    answers.filter(({ purpose }) => purpose === "write"),
    isApi,
    answers.some(({ headers }) => /^application\/vnd\.api\+json\b/i.test(headers["content-type"] ?? ""))
  )
  return {
    lines: [
      ...lines,
      ...wrapped.lines,
      ...id.lines,
      ...(style === undefined
        ? []
        : [{ at: "entities.names", value: style.name, reason: "fields that the SDK knows are written so" }])
    ],
    fits: [
      ...fits,
      ...wrapped.fits,
      ...id.fits,
      ...(style === undefined && groups.flat().length > 0 ? ["names of fields are in camelCase"] : [])
    ],
    unseen: [...unseen, ...id.unseen, ...wrapped.unseen]
  }
}
