/** Where an error says what is wrong, in which field, by which code, and under which id it was logged. */

import { readBody } from "@quartet/sdk/extend"
import { common, type Exchange, isObject, isSuccess, type Node, nodes, split, wordOf } from "./exchange.js"
import { type Line, nothing, type Recognised, type Value } from "./line.js"
import { statusIn } from "./refusals.js"

const messages = [
  "message",
  "errormessage",
  "msg",
  "detail",
  "errordescription",
  "description",
  "reason",
  "title",
  "text",
  "error",
  "info"
]
const codes = [
  "code",
  "errorcode",
  "reasoncode",
  "errcode",
  "key",
  "kind",
  "type",
  "error",
  "no",
  "errno",
  "number"
]
const fieldNames = ["field", "pointer", "param", "parameter", "property", "path", "attribute"]
const requestIds = ["requestid", "traceid", "correlationid", "trackingid", "incidentid", "reference", "trace"]

/** Headers that the SDK reads the request's id of. */
const knownIds = ["x-request-id", "request-id", "x-correlation-id"]

const bodyOf = ({ body }: Exchange) =>
  readBody(
    new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body ?? null)),
    typeof body === "string" ? "text/plain" : "application/json"
  )

const isSentence = (value: unknown): value is string =>
  typeof value === "string" && /\S\s+\S/.test(value) && value.length < 1000

const isWord = (value: unknown): value is string | number =>
  (typeof value === "string" && /^[\w.:/-]{2,80}$/.test(value)) ||
  (typeof value === "number" && Number.isSafeInteger(value))

/** The values of a body whose names are among `names`, in their order. */
const among = (
  body: unknown,
  names: ReadonlyArray<string>,
  is: (node: Node) => boolean
): ReadonlyArray<Node> =>
  nodes(body, 4, true)
    .filter((node) => names.includes(wordOf(node.name)) && is(node))
    .sort((a, b) => names.indexOf(wordOf(a.name)) - names.indexOf(wordOf(b.name)))

/** The path that leads to one in most of the answers, and how many. */
const best = (paths: ReadonlyArray<ReadonlyArray<string>>): string | undefined => {
  const counts = new Map<string, number>()
  for (const path of paths.flat()) counts.set(path, (counts.get(path) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  // Of those that are equally common the first of the first answer is the most telling.
  return [...counts].find(([, count]) => count === most)?.[0]
}

const message = (errors: ReadonlyArray<Exchange>): Recognised => {
  const places = errors.map(({ body }) =>
    among(body, messages, ({ value }) => isSentence(value)).map(({ path }) => path)
  )
  const said = errors.map((error) => bodyOf(error).message)
  const isRead = errors.every(({ body }, at) => {
    const text = said[at]
    return (
      text !== undefined && (isSentence(text) || !nodes(body, 4, true).some(({ value }) => isSentence(value)))
    )
  })
  if (isRead) return { ...nothing, fits: ["the messages of errors are read"] }
  // Words under another name are the message where they are the only ones.
  const others = errors.map(({ body }) =>
    nodes(body, 4, true).flatMap(({ path, value }) => (path !== "" && isSentence(value) ? [path] : []))
  )
  const all = [...new Set(others.flat())]
  const path = best(places) ?? (all.length === 1 ? all[0] : undefined)
  if (path === undefined && all.length > 1)
    return {
      ...nothing,
      unseen: [
        `errors.message: which words of an error say what is wrong; it may be ${all.map((each) => `\`${each}\``).join(", ")}`
      ]
    }
  return path === undefined
    ? { ...nothing, unseen: ["errors.message: no error said in words what is wrong"] }
    : {
        ...nothing,
        lines: [{ at: "errors.message", value: path, reason: "errors said there what is wrong" }]
      }
}

const line = (at: string, path: string | undefined, reason: string): ReadonlyArray<Line> =>
  path === undefined ? [] : [{ at, value: path, reason }]

const requestId = (all: ReadonlyArray<Exchange>): Recognised => {
  const withIds = all.filter(({ headers }) => knownIds.some((name) => headers[name] !== undefined))
  if (withIds.length > 0) return { ...nothing, fits: ["the request's id is read from a header"] }
  const header = common(
    all.map(({ headers }) =>
      Object.keys(headers).find((name) => /^(?!.*parent).*(request|trace|correlation|amz).*id$/.test(name))
    )
  )
  if (header !== undefined)
    return {
      ...nothing,
      lines: [{ at: "errors.requestId", value: { header }, reason: "answers name themselves in this header" }]
    }
  const path = best(
    all
      .filter((answer) => !isSuccess(answer))
      .map(({ body }) => among(body, requestIds, ({ value }) => isWord(value)).map((node) => node.path))
  )
  return path === undefined
    ? { ...nothing, unseen: ["errors.requestId: no error names the request, and no header does"] }
    : { ...nothing, lines: line("errors.requestId", path, "errors name the request there") }
}

const looks: ReadonlyArray<{
  readonly is: (body: unknown) => boolean
  readonly value: Value
  readonly reason: string
}> = [
  {
    is: (body) => isObject(body) && hasTextsByField(body.errors),
    value: { code: "({ body }) => Object.keys(body?.errors ?? {})[0]" },
    reason: "`errors` has the texts of each field that it minds"
  },
  {
    is: (body) =>
      nodes(body, 4, true).some(
        ({ path, value }) => /^errors\.0\.(source\.)?pointer$/.test(path) && typeof value === "string"
      ),
    value: {
      code: `({ body }) => (body?.errors?.[0]?.source?.pointer ?? body?.errors?.[0]?.pointer)?.split("/").at(-1)`
    },
    reason: "the first of `errors` points to the field that it minds"
  }
]

const hasTextsByField = (errors: unknown): boolean =>
  isObject(errors) &&
  Object.keys(errors).length > 0 &&
  Object.values(errors).every(
    (texts) =>
      typeof texts === "string" || (Array.isArray(texts) && texts.every((text) => typeof text === "string"))
  )

/** What may name a field: a text, or the first of a list of names that lead to it. */
const fieldsIn = (body: unknown): ReadonlyArray<Node> =>
  nodes(body, 5, true)
    .map((node) => ({ node, name: wordOf(split(node.name === "0" ? split(node.path)[0] : node.path)[1]) }))
    .filter(
      ({ name, node }) => fieldNames.includes(name) && typeof node.value === "string" && node.value !== ""
    )
    .sort((a, b) => fieldNames.indexOf(a.name) - fieldNames.indexOf(b.name))
    .map(({ node }) => node)

/** Where errors name the field that they mind. */
const field = (minded: ReadonlyArray<Exchange>): Recognised => {
  if (minded.some((error) => bodyOf(error).field !== undefined))
    return { ...nothing, fits: ["the field that an error minds is read"] }
  const look = looks.find(({ is }) => minded.some(({ body }) => is(body)))
  if (look !== undefined)
    return { ...nothing, lines: [{ at: "errors.field", value: look.value, reason: look.reason }] }
  const path = best(minded.map(({ body }) => fieldsIn(body).map(({ path }) => path)))
  return path === undefined
    ? { ...nothing, unseen: ["errors.field: no error named a field"] }
    : { ...nothing, lines: line("errors.field", path, "errors name there the field that they mind") }
}

/** Code that reads a path of a body; a number in it is a place in a list. */
const reading = (path: string): string =>
  path.split(".").reduce((code, name) => `${code}?.${/^\d+$/.test(name) ? `[${name}]` : name}`, "body")

/** How errors with a status of success say their own. */
const status = (errors: ReadonlyArray<Exchange>): Recognised => {
  if (errors.length === 0) return nothing
  const paths = errors.map(({ body }) => statusIn(body))
  const path = best(paths.map((each) => (each === undefined ? [] : [each])))
  if (path === undefined)
    return {
      ...nothing,
      unseen: [
        "errors.status: errors come with a status of success, and the body does not say which status they stand for; a function can tell them apart"
      ]
    }
  const code = reading(path)
  const sure = code.replaceAll("?.[", "[").replaceAll("?.", ".")
  const isText = errors.some(
    ({ body }) => typeof nodes(body, 3, true).find((node) => node.path === path)?.value === "string"
  )
  return {
    fits: [],
    unseen: paths.every((each) => each === path)
      ? []
      : [
          "errors.status: some errors that come with a status of success do not say there which status they stand for"
        ],
    lines: [
      {
        at: "errors.status",
        value: {
          code: isText
            ? `({ body }) => (Number(${code}) >= 400 ? Number(${sure}) : undefined)`
            : `({ body }) => (${code} >= 400 ? ${sure} : undefined)`
        },
        reason: `errors came with a status of success, and their own in \`${path}\``
      }
    ]
  }
}

const counted = (some: number, all: number): string =>
  some === all ? (all === 1 ? "the one error" : `each of ${all} errors`) : `${some} of ${all} errors`

/** How errors are answered. */
export const errors = (exchanges: ReadonlyArray<Exchange>): Recognised => {
  const all = exchanges.filter(({ body, status }) => status >= 400 && body !== undefined && body !== "")
  if (all.length === 0) return { ...nothing, unseen: ["errors: none was answered with a body"] }
  const words = message(all)
  const codesOf = all.map(({ body, status }) =>
    among(
      body,
      codes,
      ({ value }) =>
        isWord(value) &&
        value !== status &&
        !(typeof value === "number" && value >= 400 && value <= 599) &&
        !/^(about:blank|https?:)/.test(String(value))
    ).map(({ path }) => path)
  )
  const code = best(codesOf)
  const withCode = codesOf.filter((paths) => code !== undefined && paths.includes(code)).length
  const isCodeRead = all.some((error) => bodyOf(error).code !== undefined)
  const minded = all.filter(
    ({ isStatusGuessed, status }) => status === 400 || status === 422 || isStatusGuessed === true
  )
  const named = field(minded)
  const id = requestId(exchanges)
  const disguise = status(all.filter(({ wireStatus }) => wireStatus !== undefined))
  return {
    lines: [
      ...words.lines,
      ...named.lines,
      ...(isCodeRead
        ? []
        : line("errors.code", code, `${counted(withCode, all.length)} had a code of its own there`)),
      ...id.lines,
      ...disguise.lines
    ],
    fits: [...words.fits, ...named.fits, ...(isCodeRead ? ["the code of an error is read"] : []), ...id.fits],
    unseen: [
      ...words.unseen,
      ...named.unseen,
      ...(isCodeRead || code !== undefined
        ? []
        : ["errors.code: no error had a code beside its status and its words"]),
      ...id.unseen,
      ...disguise.unseen
    ]
  }
}
