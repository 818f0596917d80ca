/** Prints the calls that were searched for: a line each, or all about the one that was named. */
import * as Effect from "effect/Effect"
import type { ClientName } from "../connection.js"
import { Problem } from "../exit.js"
import { colours, json, print } from "../output.js"
import * as Names from "./names.js"
import { type CallFacts, search } from "./search.js"

const told = (about: string): string => (about === "" ? "" : `. ${about}`)

const fieldLine = ({ about, isRequired, name, place, rule }: CallFacts["input"][number]): string =>
  `  ${colours.cyan(name)}${isRequired ? "" : "?"} ${colours.dim(`(${place})`)} ${rule}${told(about)}`

/** A field of the answer. Its docstring says that it is assumed, where it has one. */
const answerLine = ({ about, isAssumed, kind, name }: CallFacts["fields"][number]): string =>
  `  ${colours.cyan(name)} ${kind}${isAssumed && about === "" ? ". Assumed." : told(about)}`

/** All about one call. */
const whole = (facts: CallFacts): string => {
  const { answer, clients, fields: answered, host, input, method, operation, path, requires, summary } = facts
  const fields = input.map(fieldLine)
  return [
    `${colours.bold(operation)}  ${colours.dim(clients.join(", "))}`,
    summary,
    "",
    `${colours.dim("wire")}    ${method} ${path}${host === "legacy" ? " (legacy)" : ""}`,
    ...(requires === undefined ? [] : [`${colours.dim("needs")}   ${requires} in the admin's token`]),
    `${colours.dim("answer")}  ${answer}`,
    ...answered.map(answerLine),
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
