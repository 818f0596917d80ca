/** What an editor shows of a call: what it does, where it goes, who may make it, what it answers, how it fails, and how to write it. */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { defaults } from "../../core/kernel/dispatch/retry.js"
import { AssumedId } from "../../core/kernel/operation/answer.js"
import { isWrite } from "../../core/kernel/operation/operation.js"
import { permissionOf } from "./access.js"
import type { Described } from "./described.js"
import { errorsOf } from "./errors.js"
import { answerFields, type FilterField, type ListFields, listFieldsOf, modelOf } from "./fields.js"
import { type Called, type Style, written } from "./samples.js"

/** A call to describe, as one style of programs has it. */
export interface Subject {
  readonly style: Style
  readonly call: Pick<Described, "audience" | "declared" | "fields" | "name" | "summary">
  /** What its example is given. */
  readonly input: Called["input"]
  /** How the text links to a model, `Orders.Order`, which may be under another name where the text stands. */
  readonly link: (model: string) => string
}

const linked = (name: string): string => `{@link ${name}}`

const answerOf = ({ call: { declared }, link }: Subject): string => {
  const { success } = declared
  if ("bytes" in success)
    return success.bytes === "text/csv" ? "Answers a CSV, as a stream." : "Answers bytes, as a stream."
  const model = modelOf("page" in success ? success.page : success)
  const named = model === undefined ? undefined : linked(link(model))
  if ("page" in success)
    return `Answers a page: \`items\`${named === undefined ? "" : `, each of them ${named}`}, and \`paging\`.`
  return named === undefined
    ? "The shape of its answer is not specified: it is what comes."
    : `Answers ${named}${success.ast.annotations[AssumedId] === "whole" ? ", or perhaps null or nothing" : ""}.`
}

/** The fields of a list as they are told, by what they are for. */
const told = (label: string, fields: ReadonlyArray<FilterField>): string =>
  `${label}: ${fields.map(({ name, standard }) => `\`${name}\`${standard === undefined ? "" : ` (\`${String(standard)}\` if omitted)`}`).join(", ")}`

/** Whether a field holds one of some words, such as a status: what a list is most likely filtered by. */
const isWord = (ast: AST.AST): boolean =>
  AST.isUnion(ast)
    ? ast.types.some(isWord)
    : AST.isStringKeyword(ast) && Option.isSome(AST.getExamplesAnnotation(ast))

/** What else a list can be chosen by, and how. */
const othersOf = ({ call: { declared }, link }: Subject, { isInBody, takesOthers }: ListFields): string => {
  if (isInBody) return "; others through `Input.raw`"
  if (!takesOthers) return ""
  const model = "page" in declared.success ? modelOf(declared.success.page) : undefined
  if (model === undefined) return "; others go into `query`"
  const words = answerFields(declared).flatMap(({ ast, name }) => (isWord(ast) ? [`\`${name}\``] : []))
  const fields = [...words, `${words.length === 0 ? "" : "other "}fields of ${linked(link(model))}`].join(
    ", "
  )
  return `; others go into \`query\`, such as ${fields}: that the platform filters by them is assumed`
}

const filtersOf = (subject: Subject): string => {
  const list = listFieldsOf(subject.call.declared)
  if (list === undefined) return ""
  const { filters, isInBody, language, order } = list
  const others = othersOf(subject, list)
  const none = others === "" ? "It takes no filters" : `Filters: none that is known${others}`
  return [
    filters.length > 0 ? `${told(isInBody ? "Filters, in its body" : "Filters", filters)}${others}` : none,
    ...(language.length > 0 ? [told("Language", language)] : []),
    ...(order.length > 0 ? [told("Order", order)] : [])
  ]
    .map((sentence) => ` ${sentence}.`)
    .join("")
}

/** Which fields of the answer are assumed. */
const assumedOf = ({ call: { declared } }: Subject): string => {
  const fields = answerFields(declared)
  if (!fields.some(({ isAssumed }) => isAssumed)) return ""
  const owner = "page" in declared.success ? "an item" : "the answer"
  const known = fields.filter(({ isAssumed }) => !isAssumed).map(({ name }) => `\`${name}\``)
  return known.length === 0
    ? ` All fields of ${owner} are assumed.`
    : ` The specification gives ${known.join(", ")} of ${owner}; its other fields are assumed.`
}

/** How often it is sent and how long it may take, where neither client nor call says otherwise. */
const patienceOf = ({ call: { declared } }: Subject): string => {
  const { attempts, deadline } = defaults
  const sent = isWrite(declared)
    ? `sent once, or with an \`idempotencyKey\` up to ${attempts} times`
    : `sent up to ${attempts} times`
  return `By default it is ${sent}, and ends within ${deadline / 1000} seconds.`
}

/** A sentence as what follows a colon. */
const lowered = (sentence: string): string => sentence.replace(/^./, (letter) => letter.toLowerCase())

const senseOf = (subject: Subject): string => {
  const { audience, declared, name } = subject.call
  const request = `\`${declared.method} ${declared.path}\`${declared.host === "legacy" ? " on the legacy service" : ""}.`
  return `Sends ${request} ${permissionOf(audience, declared, name)} ${answerOf(subject)}${assumedOf(subject)}${filtersOf(subject)} ${patienceOf(subject)}`
}

/** What stands in place of a name that a program cannot give its answer: the names of the clients, and of what is global. */
const taken = ["admin", "file", "image", "message", "event", "notification"]

const variableOf = ({ call: { declared } }: Subject): string => {
  const { success } = declared
  if ("bytes" in success) return "const text = "
  if ("page" in success) return "const { items } = "
  const [, name] = modelOf(success)?.split(".") ?? []
  if (name === undefined) return ""
  const variable = name.replace(/^[A-Z]/, (letter) => letter.toLowerCase())
  return `const ${taken.includes(variable) ? "answer" : variable} = `
}

/** The longest text of an input that stands on one line. */
const longest = 90

const onOneLine = (text: string): string => {
  const line = text.replaceAll(/\n\s*/g, " ")
  return line.length <= longest ? line : text
}

const exampleOf = (subject: Subject): ReadonlyArray<string> => {
  const { call, input, style } = subject
  const { audience, declared, name: operation } = call
  const made = written(style, { audience, operation, declared, input }, {})
  const code = onOneLine(made.call)
  const files = made.call.includes("openAsBlob(") ? ['import { openAsBlob } from "node:fs"'] : []
  const text = "bytes" in declared.success ? ['import { text } from "@quartet/sdk"'] : []
  const lines =
    style === "promise"
      ? [...files, ...(files.length === 0 ? [] : [""]), `${variableOf(subject)}${code}`]
      : [...files, ...text, `import * as ${made.module} from "${made.entry}"`, "", `const program = ${code}`]
  return ["@example", "```ts", ...lines.join("\n").split("\n"), "```"]
}

/** A tag's text begins with a word: the compilers up to 6 read a brace there as a type. */
const articleOf = (name: string): string => (/^[AEIOU]/.test(name) ? "an" : "a")

const failuresOf = ({ call: { audience, declared }, style }: Subject): ReadonlyArray<string> => {
  const errors = errorsOf(declared, audience)
  return style === "promise"
    ? errors.map(({ tag, when }) => `@throws ${articleOf(tag)} ${linked(`Errors.${tag}`)}: ${lowered(when)}`)
    : ["", `Fails with ${errors.map(({ tag }) => tag).join(", ")}.`, ""]
}

/** The lines of a call's docstring, without the marks of a comment. They are not wrapped; an empty one parts paragraphs. */
export const docstringOf = (subject: Subject): ReadonlyArray<string> => {
  const example = exampleOf(subject)
  const failures = failuresOf(subject)
  const sense = [subject.call.summary, "", senseOf(subject)]
  return subject.style === "promise"
    ? [...sense, "", ...example, ...failures]
    : [...sense, ...failures, ...example]
}
