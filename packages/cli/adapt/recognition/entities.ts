/** How a thing is wrapped, which field holds its id, and in which style its fields are named. */

import { own, sliceOf } from "@quartet/sdk/extend"
import { described } from "@quartet/sdk/extend/description"
import { isData } from "../../recording/keys.js"
import {
  common,
  type Exchange,
  isCount,
  isId,
  isObject,
  isScalar,
  isSuccess,
  type Json,
  kindOf,
  nodes,
  whyNoWrite,
  wordOf
} from "./exchange.js"
import { fields } from "./known.js"
import { type Line, nothing, type Recognised } from "./line.js"
import { isResource, itemsIn, listed, thingsIn } from "./lists.js"

const ids = ["_id", "id", "uuid", "guid", "uid", "ID", "Id", "_key", "pk", "oid", "objectId"]

/** Names that stand for an id where they come first in a thing. */
const weak = new Set(["ref", "reference", "nr", "no", "num", "number", "key", "code", "handle"])

/** The names of fields that the SDK knows of things, such as of the user that a thing is about, in one form for all styles. */
const knownWords = (): ReadonlySet<string> => new Set([...fields().keys()].map(wordOf))

/** How well a name fits an id: a higher number is better; undefined where it does not. A field that the SDK knows is no id. */
const rankOf = (name: string, at = 0): number | undefined => {
  const index = ids.indexOf(name)
  if (index >= 0) return 100 - index
  if (/^[a-z]+(_id|Id|-id|ID|_uuid|Uuid)$/i.test(name)) return knownWords().has(wordOf(name)) ? undefined : 10
  return at === 0 && weak.has(wordOf(name)) ? 5 : undefined
}

/** The fields of things that each of them has, and no two with the same value, with how well their names fit an id. */
const candidatesIn = (things: ReadonlyArray<Json>) =>
  Object.keys(things[0] ?? {}).flatMap((name, at) => {
    const values = things.map((thing) => own(thing, name))
    const isUnique = values.every(isScalar) && new Set(values).size === values.length
    return isUnique ? [{ name, at, rank: rankOf(name, at) }] : []
  })

/** The field that holds the id of each of these things, and of no two the same. */
export const idIn = (things: ReadonlyArray<Json>): string | undefined =>
  candidatesIn(things)
    .flatMap(({ at, name, rank }) => (rank === undefined ? [] : [{ name, rank: rank - at / 100 }]))
    .sort((a, b) => b.rank - a.rank)[0]?.name

/** The same, or else the first field that differs from thing to thing, by which a thing may be asked for: the answer shows whether it is an id. */
export const maybeIdIn = (things: ReadonlyArray<Json>): string | undefined =>
  idIn(things) ?? (things.length < 2 ? undefined : candidatesIn(things).find(({ at }) => at === 0)?.name)

const idOf = (thing: Json | undefined): string =>
  String(thing?.[idIn(thing === undefined ? [] : [thing]) ?? ""])

/** The names of a thing's fields that hold an id, the likeliest first. */
const holdersOf = (value: unknown, id: string): ReadonlyArray<string> =>
  isObject(value)
    ? Object.entries(value)
        .flatMap(([name, inner], at) => (isId(inner, id) ? [{ name, rank: rankOf(name, at) }] : []))
        .filter(({ name, rank }) => rank !== undefined || (id.length > 1 && !knownWords().has(wordOf(name))))
        .sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0))
        .map(({ name }) => name)
    : []

/** The thing with an id in an answer, and the path to it. */
const thingWith = (body: unknown, id: string) =>
  nodes(body, 3).find(({ value }) => holdersOf(value, id).length > 0)

/** Whether a name is that of a field that the SDK knows beside the id, such as of the user that a thing is about. */
export const isOtherField = (name: string): boolean => !ids.includes(name) && knownWords().has(wordOf(name))

/** The fields that held the id by which a thing was asked for. */
export const idsAt = ({ body, id = "" }: Exchange): ReadonlyArray<string> =>
  holdersOf(thingWith(body, id)?.value, id)

/** The field that held the ids by which things were asked for; undefined where answers show none, or several. */
const provenId = (things: ReadonlyArray<Exchange>): string | undefined => {
  const all = things.map(idsAt)
  const [first = []] = all
  return first.find((name) => all.every((names) => names.includes(name)))
}

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

/** Whether a name is that of the kind of thing that a request is about, such as `order` in `/order/{id}`. */
const isKindIn = (name: string, { call, path }: Pick<Exchange, "call" | "path">): boolean =>
  [...path.split("/"), sliceOf(call)].some((segment) => segment !== "" && kindOf(segment) === kindOf(name))

/** What names of kinds stand for, where others stand in their place for other calls. */
const ofKinds = (at: string, names: ReadonlyArray<string>, how: string): string => {
  const all = [...new Set(names)]
  return all.length === 1
    ? `${at}: \`${all[0]}\` may be the name of the kind of thing, which differs by the call: then write a function ${how}`
    : `${at}: ${all.map((name) => `\`${name}\``).join(", ")} are names of kinds of things, which differ by the call: write a function ${how}`
}

const wrapping = (
  things: ReadonlyArray<Exchange>,
  selves: ReadonlyArray<Exchange>,
  isApi: boolean
): Recognised => {
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
  const paths = things.map(({ body, id = "" }) => thingWith(body, id)?.path)
  if (paths.length === 0)
    return {
      ...nothing,
      unseen: [
        selves.length === 0
          ? "entities.unwrap: no single thing was read, so what wraps it was not seen"
          : "entities.unwrap: no thing was read by its id, and the project that was read does not show what wraps it"
      ]
    }
  const kinds = paths.flatMap((path) => (path === undefined || path === "" ? [] : [path]))
  const areKinds =
    kinds.length === paths.length && things.every((each, at) => isKindIn(kinds[at] ?? "", each))
  const unseen = areKinds ? [ofKinds("entities.unwrap", kinds, "(body, { call, isList })")] : []
  const path = common(paths)
  if (path === undefined)
    return {
      ...nothing,
      unseen: areKinds
        ? unseen
        : ["entities.unwrap: answers hold their thing in different places, or not at all"]
    }
  return path === ""
    ? { ...nothing, fits: ["a thing is answered as it is"] }
    : {
        fits: [],
        unseen,
        lines: [
          {
            at: "entities.unwrap",
            value: path,
            reason: `${things.length} ${things.length === 1 ? "answer" : "answers"} had the thing that was asked for there`
          }
        ]
      }
}

const identity = (
  things: ReadonlyArray<ReadonlyArray<Json>>,
  asked: ReadonlyArray<Exchange>,
  all: ReadonlyArray<Exchange>
): Recognised => {
  const groups = things.filter((group) => group.length > 0)
  const names = groups.map(idIn)
  const proven = provenId(asked)
  const name = proven ?? common(names) ?? common(names.filter((each) => each !== undefined))
  if (name === undefined)
    return {
      ...nothing,
      unseen: [
        groups.length === 0
          ? "entities.id: nothing was answered that has an id"
          : names.every((each) => each === undefined)
            ? "entities.id: no field of things is called as ids are, and no answer to a read of one thing shows which it is"
            : `entities.id: things of different lists have their ids in different fields (${[...new Set(names)].map((each) => (each === undefined ? "none" : `\`${each}\``)).join(", ")})`
      ]
    }
  const values = [
    ...groups.flatMap((group) => group.map((thing) => thing[name])),
    ...asked.map(({ body, id = "" }) => own(thingWith(body, id)?.value, name))
  ].filter((id) => id !== undefined)
  const lines: Array<Line> = []
  if (name !== "_id")
    lines.push({
      at: "entities.id",
      value: name,
      reason:
        proven !== undefined
          ? "things that were asked for by an id had it there"
          : values.length === 1
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
  const isNumber = (id: unknown): boolean => isCount(id, name, all)
  const areNumbers = values.every(isNumber) || (isApi && inner.length > 0 && inner.every(isNumber))
  const isBeyond = values.some((id) => isNumber(id) && typeof id !== "number")
  if (areNumbers)
    lines.push({
      at: "entities.numericIds",
      value: true,
      reason: `all ids that were seen are numbers${isBeyond ? ", some beyond what JavaScript counts exactly" : ""}`
    })
  const isMixed = !areNumbers && values.some(isNumber)
  return {
    lines,
    fits: name === "_id" ? ["ids stand in `_id`"] : [],
    unseen: isMixed ? ["entities.numericIds: some ids are numbers, and some are text"] : []
  }
}

/** What request bodies are wrapped in, where writes were seen. */
const wrap = (all: ReadonlyArray<Exchange>, isApi: boolean, isDeclared: boolean): Recognised => {
  const why = whyNoWrite(all) ?? "since none had a body"
  const writes = all.filter((each) => each.purpose === "write" && isSuccess(each))
  const sent = writes.filter(({ input }) => isObject(input) && Object.keys(input).length > 0)
  const bodies = sent.map(({ input }) => input).filter(isObject)
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
        `entities.wrap: how the bodies of writes are wrapped, ${why}${isApi ? ' (with JSON:API it is likely "json:api")' : ""}`
      ]
    }
  if (
    bodies.every(({ data }) => isObject(data) && typeof data.type === "string" && isObject(data.attributes))
  )
    return {
      ...nothing,
      lines: [{ at: "entities.wrap", value: "json:api", reason: "bodies of writes have `data.attributes`" }]
    }
  const holders = sent.map(({ input }) => {
    const [only, ...others] = Object.keys(Object(input))
    return only !== undefined && others.length === 0 && isObject(own(input, only)) ? only : undefined
  })
  const isOwn = (name: string, { call }: Exchange): boolean =>
    described.some((each) => each.name === call && each.fields.some((field) => isNameOf(name, field.name)))
  const wrapped = holders.filter((name, at) => {
    const write = sent[at]
    return name !== undefined && write !== undefined && !(isOwn(name, write) && !isKindIn(name, write))
  })
  const name = wrapped.length === sent.length ? common(holders) : undefined
  const areKinds = wrapped.length === sent.length && holders.every((each, at) => isKind(each, sent[at]))
  const unseen = areKinds
    ? [
        ofKinds(
          "entities.wrap",
          holders.flatMap((each) => each ?? []),
          "(body, { call })"
        )
      ]
    : []
  if (name !== undefined)
    return {
      fits: [],
      unseen,
      lines: [{ at: "entities.wrap", value: name, reason: `bodies of writes stood in \`${name}\`` }]
    }
  if (areKinds) return { ...nothing, unseen }
  return wrapped.length === 0
    ? { ...nothing, fits: ["bodies of writes are not wrapped"] }
    : { ...nothing, unseen: ["entities.wrap: some bodies of writes stand in one field, and others do not"] }
}

const isKind = (name: string | undefined, write: Exchange | undefined): boolean =>
  name !== undefined && write !== undefined && isKindIn(name, write)

/** Whether a name is that of one of our fields, in whatever style. */
const isNameOf = (name: string, field: string): boolean =>
  field.split(".").some((part) => wordOf(part) === wordOf(name))

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
  const selfReads = selves(answers)
  const read = answers.filter((each) => each.call.endsWith(".self") && isObject(each.body))
  // One's own show it where nothing could be asked for by an id.
  const single = asked.length > 0 ? asked : selfReads.map((each) => ({ ...each, id: idOf(selfIn(each)) }))
  const isApi = [
    ...single.map(({ body }) => (isObject(body) ? body.data : undefined)),
    ...listed(answers).flatMap(({ body }) => itemsIn(body)?.items[0] ?? [])
  ].some(isResource)
  const { fits, lines, unseen } = wrapping(single, read, isApi)
  const style = styleOf(namesIn([...groups.flat(), ...single.map(({ body }) => body)]))
  const id = identity(
    groups.length > 0 ? groups : selfReads.map((each) => [selfIn(each) ?? {}]),
    asked,
    exchanges
  )
  const wrapped = wrap(
    exchanges,
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
