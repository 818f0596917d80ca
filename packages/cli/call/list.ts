/** Prints the calls that were searched for: a line each, or all about the one that was named. */
import type { ShownField } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import type { ClientName } from "../connection.js"
import { Problem } from "../exit.js"
import { colours, json, print } from "../output.js"
import { plain } from "../text.js"
import * as Names from "./names.js"
import { type CallFacts, search } from "./search.js"

/** A line for a person: on a terminal, what does not fit goes on below, a little to the right. */
const wrapped = (text: string, indent: number): string => {
  const width = process.stdout.isTTY === true ? process.stdout.columns : 0
  if (width <= indent + 20) return " ".repeat(indent) + text
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    const room = width - indent - (lines.length === 0 ? 0 : 2)
    if (line !== "" && plain(`${line} ${word}`).length > room) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line].map((part, at) => " ".repeat(at === 0 ? indent : indent + 2) + part).join("\n")
}

/** What a field is. Its docstring says that it is assumed. */
const fieldLine = ({ about, isRequired, name }: ShownField, what: string, indent = 2): string =>
  wrapped(`${colours.cyan(name)}${isRequired ? "" : "?"} ${what}${about === "" ? "" : `. ${about}`}`, indent)

const inputLines = (field: CallFacts["input"][number], body: CallFacts["body"]): ReadonlyArray<string> => {
  const isWhole = field.place === "payload"
  const place = colours.dim(`(${isWhole ? "the whole body" : field.place})`)
  const what = isWhole && body.length > 0 ? place : `${place} ${field.rule}`
  return [fieldLine(field, what), ...(isWhole ? body.map((of) => fieldLine(of, of.rule, 4)) : [])]
}

/** All about one call. */
const whole = (facts: CallFacts): string => {
  const {
    answer,
    body,
    clients,
    fields: answered,
    group,
    host,
    input,
    method,
    operation,
    path,
    requires,
    summary
  } = facts
  const fields = input.flatMap((field) => inputLines(field, body))
  return [
    `${colours.bold(operation)}  ${colours.dim(clients.join(", "))}`,
    summary,
    wrapped(colours.dim(group), 0),
    "",
    `${colours.dim("wire")}    ${method} ${path}${host === "legacy" ? " (legacy)" : ""}`,
    ...(requires === undefined ? [] : [`${colours.dim("needs")}   ${requires} in the admin's token`]),
    `${colours.dim("answer")}  ${answer}`,
    ...answered.map((field) => fieldLine({ ...field, isRequired: true }, field.kind)),
    ...(fields.length === 0 ? [`${colours.dim("input")}   nothing`] : [colours.dim("input"), ...fields]),
    ""
  ].join("\n")
}

const table = (calls: ReadonlyArray<CallFacts>): string => {
  const wide = (of: (facts: CallFacts) => string) => Math.max(...calls.map((facts) => of(facts).length))
  const name = wide(({ operation }) => operation)
  const clients = wide((facts) => facts.clients.join(", "))
  return calls
    .map(
      (facts) =>
        `${colours.bold(facts.operation.padEnd(name))}  ${colours.dim(facts.clients.join(", ").padEnd(clients))}  ${facts.summary}`
    )
    .join("\n")
}

export const list = (words: ReadonlyArray<string>, client: ClientName | undefined, isJson: boolean) =>
  Effect.gen(function* () {
    const calls = search(words, client)
    if (isJson) yield* json(calls)
    if (calls.length === 0)
      return yield* new Problem({
        message: `no call has ${words.map((word) => JSON.stringify(word)).join(" and ")} in its name, summary or path`,
        next: "Try fewer or other words; quartet operations lists all calls."
      })
    if (isJson) return
    const [word, ...others] = words
    const named = calls.filter(
      ({ operation }) => others.length === 0 && operation === Names.read(word ?? "").name
    )
    yield* print(named.length > 0 ? named.map(whole).join("\n") : table(calls))
  })
