/** Writes docs/calls.md: every call with its address, what it needs, takes and answers, from the operation values. */

import { defaultPort } from "@quartet/sandbox/extend"
import { aboutOf, assumedMark, isAssumedInput } from "../../clients/description/about.js"
import {
  answerFields,
  type BodyField,
  bodyFields,
  bodyModel,
  type Field,
  fieldsOf,
  kindOf,
  modelOf,
  ruleOf
} from "../../clients/description/fields.js"
import { groupText } from "../../clients/description/groups.js"
import { AssumedId } from "../../core/kernel/operation/answer.js"
import { sliceOf } from "../../core/kernel/operation/operation.js"
import * as Level from "../../core/permissions/level.js"
import { cell } from "../specification/page.js"
import { folders } from "./clients.js"
import { type Found, operations } from "./operations.js"

const levels = Object.entries(Level)

const needs = ({ declared }: Found): string => {
  const level = levels.find(([, level]) => level === declared.requires)?.[0]
  return declared.audiences.includes("admin") ? (level ?? "nothing") : "–"
}

const how = ({ name, standard, writing }: Field): string => {
  const pairs = writing.as === "pairs" ? `; sent as \`${writing.prefix}<key>\`` : ""
  const list = writing.as === "list" ? "; sent joined by commas" : ""
  const left = standard === undefined ? "" : `, \`${String(standard)}\` where it is left out`
  return name === "payload" ? ", the whole body" : `${pairs}${list}${left}`
}

/** A docstring in a table cell: what it shows as code stays code. */
const prose = (text: string): string =>
  text.replaceAll(/(`[^`]*`)|[^`]+/g, (part, code) =>
    code === undefined ? cell(part) : part.replaceAll("|", "\\|")
  )

const markOf = (isAssumed: boolean): string => (isAssumed ? " *(assumed)*" : "")

/** A field of the input. The fields of a body stand with its model. */
const fieldOf = ({ declared }: Found, field: Field): string => {
  const model = field.place === "payload" ? bodyModel(declared) : undefined
  const rule = model === undefined ? cell(ruleOf(field.ast)) : linked(model)
  const place = field.place === "payload" ? "body" : field.place
  return `\`${field.name}\`${field.isRequired ? "" : "?"} (${place}): ${rule}${how(field)}${markOf(isAssumedInput(field))}`
}

const input = (of: Found): string => {
  const fields = fieldsOf(of.declared).map((field) => fieldOf(of, field))
  return fields.length === 0 ? "nothing" : fields.join("<br>")
}

const answer = ({ declared: { success } }: Found): string => {
  if ("bytes" in success) return success.bytes === "text/csv" ? "a CSV, as a stream" : "bytes, as a stream"
  if ("page" in success) return `a page of ${linked(modelOf(success.page) ?? "")}`
  const model = modelOf(success)
  if (model === undefined) return "anything"
  return `${linked(model)}${success.ast.annotations[AssumedId] === "whole" ? ", null or nothing" : ""}`
}

/** A model in its answers: where its fields are listed. */
const linked = (model: string): string => `[\`${model}\`](#${model.replace(".", "").toLowerCase()})`

/** Where the console that `npm start` serves has a call's form. */
const explorer = `http://127.0.0.1:${defaultPort}/explorer?call=`

const row = (operation: Found): string => {
  const { audiences, host, method, path } = operation.declared
  const wire = `\`${method} ${path}\`${host === "legacy" ? " (legacy)" : ""}`
  const cells = [
    `\`${operation.name}\`<br>${prose(operation.summary)}`,
    audiences.map((audience) => `[${audience}](${explorer}${audience}.${operation.name})`).join(", "),
    wire,
    needs(operation),
    input(operation),
    answer(operation)
  ]
  return `| ${cells.join(" | ")} |`
}

const section = (slice: string): string => {
  const own = operations.filter(({ name }) => sliceOf(name) === slice)
  const audiences = [...new Set(own.flatMap(({ declared }) => declared.audiences))]
  const texts = [...new Set(audiences.map((audience) => groupText(audience, slice)))]
  const rows = own.map(row)
  return `## ${slice}\n\n${texts.join(" ")}\n\n| call | clients | wire | needs | input | answer |\n|---|---|---|---|---|---|\n${rows.join("\n")}\n`
}

const fieldRow = (field: BodyField, isAssumed: boolean): string => {
  const { ast, isRequired, name } = field
  const about = aboutOf(field)
  return `\`${name}\`${isRequired ? "" : "?"}: ${kindOf(ast)}${markOf(isAssumed)}${about === "" ? "" : `. ${prose(about.replace(assumedMark, "").trim())}`}`
}

type Models = ReadonlyMap<string, ReadonlyArray<string>>

const models = (title: string, models: Models): string => {
  const each = [...models]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([model, rows]) => `### ${model}\n\n${rows.join("<br>\n")}\n`)
  return `## ${title}\n\n${each.join("\n")}`
}

/** The models that calls answer, with their fields. */
const answered: Models = new Map(
  operations.flatMap(({ declared }) => {
    const { success } = declared
    const model = "bytes" in success ? undefined : modelOf("page" in success ? success.page : success)
    const rows = answerFields(declared).map((field) => fieldRow(field, field.isAssumed))
    return model === undefined ? [] : [[model, rows] as const]
  })
)

/** The models of the bodies that calls take, with their fields. */
const taken: Models = new Map(
  operations.flatMap(({ declared }) => {
    const model = bodyModel(declared)
    const rows = bodyFields(declared).map((field) => fieldRow(field, isAssumedInput(field)))
    return model === undefined ? [] : [[model, rows] as const]
  })
)

/** The page as it stands in docs/. */
export const page = (): string => {
  const slices = [...new Set(operations.map(({ name }) => sliceOf(name)))].sort()
  const served = operations.flatMap(({ declared }) => declared.audiences)
  const each = Object.keys(folders).map(
    (client) => `${client} ${served.filter((audience) => audience === client).length}`
  )
  return [
    "# All calls\n",
    `${served.length} calls (${each.join(", ")}) of ${operations.length} operations; one that serves several clients stands here once. ` +
      "Written by `npm run generate` from the operation values.\n",
    "**clients**: who offers the call, by this name; each leads to the call's form in the console's explorer, as long as `npm start` " +
      `serves it (\`/explorer?call=\`, then client and call). **wire**: method and path below \`baseUrl\`, or below \`legacyUrl\` where it says ` +
      "legacy; `{projectId}` is the client's own, and a query parameter of an admin's other calls on the new API. **needs**: the level " +
      "that an admin's token must grant on the call. **input**: one flat object; `?` marks what may be left out; the known fields of bodies are listed [below](#bodies). **answer**: models are " +
      "`Schemas` of `@quartet/sdk`, listed [at the end](#models); a field that is marked as assumed is not the specification's, and may be " +
      "missing or of another kind ([answers](answers.md)); what is not declared is kept. The same as OpenAPI: [openapi](openapi), or `OpenApi.make` of " +
      "`@quartet/cli/openapi` with your own addresses and version.\n",
    ...slices.map(section),
    models("Models", answered),
    models("Bodies", taken)
  ].join("\n")
}
