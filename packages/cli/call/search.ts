/** Finds calls by words, and says what one takes and answers. */

import { Levels as Level, sliceOf } from "@quartet/sdk/extend"
import {
  type Described,
  described,
  groupText,
  modelOf,
  type ShownFields,
  shownFields
} from "@quartet/sdk/extend/description"
import { type ClientName, clientOf } from "../connection.js"
import * as Names from "./names.js"

/** One call, for a program to read. */
export interface CallFacts {
  /** `requests.list`: what `quartet call` takes. */
  readonly operation: string
  /** The clients that have it with this declaration. */
  readonly clients: ReadonlyArray<ClientName>
  readonly summary: string
  /** What its group of calls is for, and which other one may be meant. */
  readonly group: string
  readonly method: string
  /** Relative to the address, such as `request-action/{id}`. */
  readonly path: string
  readonly host: "api" | "legacy"
  /** The level that an admin's token must grant on the operation. */
  readonly requires?: string
  readonly input: ShownFields["input"]
  /** The fields that the body, the field `payload` of the input, is known to take. */
  readonly body: ShownFields["body"]
  readonly answer: string
  /** The known fields of the answer, or of the items of a list: further ones may come. */
  readonly fields: ShownFields["answer"]
}

const answerOf = ({ declared: { success } }: Described): string => {
  if ("bytes" in success) return success.bytes === "text/csv" ? "a CSV" : "a file"
  if ("page" in success) return `a page of ${modelOf(success.page) ?? "anything"}`
  return modelOf(success) ?? "anything"
}

const levelOf = (level: number): string =>
  Object.entries(Level).find(([, value]) => value === level)?.[0] ?? String(level)

const factsOf = (of: Described): CallFacts => {
  const { declared, name, summary } = of
  const { answer, body, input } = shownFields(of)
  return {
    operation: name,
    clients: declared.audiences.map(clientOf),
    summary,
    group: [...new Set(declared.audiences.map((audience) => groupText(audience, sliceOf(name))))].join(" "),
    method: declared.method,
    path: declared.path,
    host: declared.host ?? "api",
    ...(declared.requires === undefined ? {} : { requires: levelOf(declared.requires) }),
    input,
    body,
    answer: answerOf(of),
    fields: answer
  }
}

/**
 * The calls whose names, summaries or paths hold all of the words, best first: those whose name holds them before those whose
 * summary or path does. An operation that serves several clients is found once.
 */
export const search = (words: ReadonlyArray<string>, client?: ClientName): ReadonlyArray<CallFacts> => {
  const read = words
    .flatMap((word) => word.split(/\s+/))
    .filter((word) => word !== "")
    .map(Names.read)
  const wanted = read.map(({ name }) => name.toLowerCase())
  const clients = [
    client ?? [],
    read.flatMap((word) => (word.client === undefined ? [] : clientOf(word.client)))
  ].flat()
  const once = new Map(described.map((of) => [of.operation, of]))
  const matches = [...once.values()].flatMap((of) => {
    const name = of.name.toLowerCase()
    const all = `${name} ${of.summary.toLowerCase()} ${of.declared.method.toLowerCase()} ${of.declared.path.toLowerCase()}`
    if (!wanted.every((word) => all.includes(word))) return []
    const rank = wanted.every((word) => name === word)
      ? 0
      : wanted.every((word) => name.includes(word))
        ? 1
        : 2
    return [{ rank, facts: factsOf(of) }]
  })
  return matches
    .filter(({ facts }) => clients.every((wantedClient) => facts.clients.includes(wantedClient)))
    .sort((left, right) => left.rank - right.rank)
    .map(({ facts }) => facts)
}
