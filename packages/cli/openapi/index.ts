/**
 * The calls as OpenAPI 3.1, lifted from the operation values: one document a client, because a document holds one
 * operation per method and path, and the clients share many of them with different credentials and inputs.
 *
 * ```ts
 * import * as OpenApi from "@quartet/cli/openapi"
 *
 * const document = OpenApi.make("public", { version: "1", baseUrl: "https://api.example.com" })
 * ```
 */

import {
  type Audience,
  type Declared,
  type Known,
  Options as OptionReader,
  Path,
  sliceOf
} from "@quartet/sdk/extend"
import { operations } from "@quartet/sdk/extend/catalogue"
import {
  aboutOf,
  bodyModel,
  credentials,
  type Field,
  fieldsOf,
  groupText,
  isAssumedInput,
  modelOf,
  ruleOf,
  samplesOf,
  summaries
} from "@quartet/sdk/extend/description"
import { permissionOf } from "@quartet/sdk/extend/description/access"
import { failureSchema, failures } from "./failures.js"
import {
  bodySchema,
  type Definitions,
  describedField,
  fieldSchema,
  type Json,
  type JsonObject,
  modelRef
} from "./json-schemas.js"

export type { Json, JsonObject }

/** The options of a document. @category models */
export interface Options {
  /** The version of the document, such as that of your deployment. */
  readonly version: string
  /** The new API's address, as in the client's configuration. */
  readonly baseUrl: string
  /** The legacy service's address; `baseUrl` by default. */
  readonly legacyUrl?: string
  /** `Quartet: the <client> client's calls` by default. */
  readonly title?: string
  readonly description?: string
  /** The samples of a call, by its `operationId`; by default those whose account and values are to be filled in. */
  readonly samples?: (operationId: string) => Json
}

/** A call of the document's client. */
interface Call {
  readonly client: Audience
  readonly name: string
  readonly declared: Declared
}

/** The parts that several calls of a document share, collected while it is made. */
class Components {
  readonly schemas: Definitions = {}
  private readonly kinds: Record<"parameters" | "requestBodies" | "responses", Record<string, Json>> = {
    parameters: {},
    requestBodies: {},
    responses: {}
  }

  /** A reference to a part, the same for all uses of its name. */
  ref(kind: "parameters" | "requestBodies" | "responses", name: string, part: Json): Json {
    const known = this.kinds[kind][name]
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(part))
      throw new Error(`${kind} has two different parts named ${name}`)
    this.kinds[kind][name] = part
    return { $ref: `#/components/${kind}/${name}` }
  }

  all(): JsonObject {
    const sorted = (parts: Readonly<Record<string, Json>>): JsonObject =>
      Object.fromEntries(Object.entries(parts).sort(([left], [right]) => left.localeCompare(right)))
    const kinds = Object.entries(this.kinds).filter(([, parts]) => Object.keys(parts).length > 0)
    return {
      ...Object.fromEntries(kinds.map(([kind, parts]) => [kind, sorted(parts)])),
      schemas: sorted(this.schemas)
    }
  }
}

const pathField = (field: Field, components: Components): Json =>
  components.ref("parameters", field.name, {
    name: field.name,
    in: "path",
    required: true,
    schema: fieldSchema(field, components.schemas)
  })

/** On the wire further parameters are open, as the platform is: in the SDK they stand in one field. */
const further = {
  name: "query",
  in: "query",
  description: "further parameters, each under its own name; a list is joined by commas",
  style: "form",
  explode: true,
  schema: { type: "object", additionalProperties: true }
}

/** What choose a page: every list that takes them has the same, though not each of their models has a name to be described by. */
const paging = ["page", "limit"]

const aboutQuery = (field: Field): string =>
  aboutOf(paging.includes(field.name) ? { model: "Requests.ListRequests", name: field.name } : field)

const queryField = (field: Field, components: Components): Json => {
  const { ast, isRequired, name, writing } = field
  const about = aboutQuery(field)
  const parameter = {
    name,
    in: "query",
    ...(about === "" ? {} : { description: about }),
    ...(isAssumedInput(field) ? { "x-assumed": true } : {}),
    ...(isRequired ? { required: true } : {})
  }
  if (writing.as === "text") {
    const plain = { ...parameter, schema: fieldSchema(field, components.schemas) }
    return paging.includes(name) ? components.ref("parameters", name, plain) : plain
  }
  if (writing.as === "list")
    return { ...parameter, style: "form", explode: false, schema: fieldSchema(field, components.schemas) }
  if (writing.as === "further") return components.ref("parameters", "further", further)
  const text = { type: "string" }
  // How the names begin, the description says: mock servers hang on patternProperties here, and linters refuse them.
  const schema = { type: "object", additionalProperties: { anyOf: [text, { type: "array", items: text }] } }
  const description = `${about} ${ruleOf(ast)}; sent as ${writing.prefix}<k>`.trim()
  return { ...parameter, description, style: "form", explode: true, schema }
}

const project = { name: "projectId", required: true, schema: { type: "string", minLength: 1 } }

/** The client's own project: in the path, or in the query of an admin's other calls on the new API. */
const projectOf = ({ client, declared }: Call, fields: ReadonlyArray<Field>, components: Components) => {
  const isInPath = Path.parse(declared.path).names.includes("projectId")
  if (isInPath && !fields.some(({ name }) => name === "projectId"))
    return [components.ref("parameters", "projectIdInPath", { ...project, in: "path" })]
  const isAdmins = client === "admin" && declared.host !== "legacy" && declared.credentials !== "none"
  return isAdmins ? [components.ref("parameters", "projectId", { ...project, in: "query" })] : []
}

const parametersOf = (call: Call, fields: ReadonlyArray<Field>, components: Components): JsonObject => {
  const parameters = [
    ...projectOf(call, fields, components),
    ...fields.filter(({ place }) => place === "path").map((field) => pathField(field, components)),
    ...fields.filter(({ place }) => place === "query").map((field) => queryField(field, components))
  ]
  return parameters.length === 0 ? {} : { parameters }
}

/** What is sent of a field that is left out. */
const standardOf = (field: Field): JsonObject => {
  const schema = Object(fieldSchema(field, {}))
  return "default" in schema ? { default: schema.default } : {}
}

/** The known fields of a body, under the name of their model. */
const knownBody = (declared: Declared, components: Components): Json | undefined => {
  const schema = bodySchema(declared, components.schemas)
  const model = bodyModel(declared)
  if (schema === undefined || model === undefined) return schema
  components.schemas[model] = schema
  return { $ref: `#/components/schemas/${model}` }
}

const bodyOf = (declared: Declared, fields: ReadonlyArray<Field>, components: Components): JsonObject => {
  const payload = fields.find(({ place }) => place === "payload")
  if (payload !== undefined) {
    const known = knownBody(declared, components)
    if (known !== undefined)
      return {
        requestBody: { required: payload.isRequired, content: { "application/json": { schema: known } } }
      }
    const body = { required: payload.isRequired, content: { "application/json": { schema: {} } } }
    const name = payload.isRequired ? "payload" : "optionalPayload"
    return { requestBody: components.ref("requestBodies", name, body) }
  }
  const named = fields.filter(({ place }) => place === "body" || place === "form")
  if (named.length === 0) return {}
  const required = named.filter(({ isRequired }) => isRequired).map(({ name }) => name)
  const schema = {
    type: "object",
    properties: Object.fromEntries(
      named.map((field) => [
        field.name,
        { ...describedField(field, components.schemas), ...standardOf(field) }
      ])
    ),
    ...(required.length === 0 ? {} : { required })
  }
  const media = named.some(({ place }) => place === "form") ? "multipart/form-data" : "application/json"
  return { requestBody: { required: required.length > 0, content: { [media]: { schema } } } }
}

const list = (items: Json, key: string | undefined): Json => {
  const all = { type: "array", items }
  return key === undefined
    ? { anyOf: [all, { type: "object", description: "an object that holds the list, and its paging" }] }
    : { type: "object", properties: { [key]: all, paging: { type: "object" } }, required: [key] }
}

const answerOf = ({ success }: Declared, components: Components): Json => {
  const json = (name: string, description: string, schema: Json) =>
    components.ref("responses", name, { description, content: { "application/json": { schema } } })
  if ("bytes" in success) {
    const isText = success.bytes === "text/csv"
    const schema = { type: "string", ...(isText ? {} : { contentMediaType: success.bytes }) }
    const name = isText ? "csv" : "bytes"
    return components.ref("responses", name, { description: name, content: { [success.bytes]: { schema } } })
  }
  if (!("page" in success)) {
    const model = modelOf(success)
    return json(model ?? "anything", model ?? "anything", modelRef(success, components.schemas))
  }
  const model = modelOf(success.page) ?? "anything"
  const name = success.key === undefined ? `pageOf.${model}` : `pageOf.${model}.${success.key}`
  return json(name, `a page of ${model}`, list(modelRef(success.page, components.schemas), success.key))
}

const failuresOf = (components: Components): JsonObject => {
  components.schemas.Failure = failureSchema
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } }
  return Object.fromEntries(
    failures.map(({ description, name, status }) => [
      status,
      components.ref("responses", name, { description, content })
    ])
  )
}

const operationOf = (
  call: Call,
  { baseUrl, legacyUrl = baseUrl, samples }: Options,
  components: Components
): JsonObject => {
  const { client, declared, name } = call
  const operationId = `${client}.${name}`
  const called = { audience: client, operation: name, declared, input: {} }
  const fields = fieldsOf(declared)
  return {
    operationId,
    tags: [sliceOf(name)],
    summary: summaries[`${declared.audiences[0]}.${name}`] ?? name,
    description: permissionOf(client, declared, name),
    ...(declared.host === "legacy" ? { servers: [{ url: legacyUrl }] } : {}),
    ...(declared.credentials === "none" ? { security: [] } : {}),
    ...parametersOf(call, fields, components),
    ...bodyOf(declared, fields, components),
    responses: { "200": answerOf(declared, components), ...failuresOf(components) },
    "x-codeSamples": samples?.(operationId) ?? samplesOf(called, { baseUrl, legacyUrl })
  }
}

const known: Known<Options> = {
  version: "string",
  baseUrl: "string",
  legacyUrl: "string",
  title: "string",
  description: "string",
  samples: "function"
}

/**
 * The OpenAPI document of one client's calls, as a value that JSON.stringify writes. Throws InputError for an option that there is not.
 * @category constructors
 */
export const make = (client: Audience, options: Options): JsonObject => {
  OptionReader.check("OpenApi.make", options, known)
  const calls = operations.flatMap(({ declaration, name }): ReadonlyArray<Call> => {
    const declared = declaration()
    return declared.audiences.includes(client) ? [{ client, name, declared }] : []
  })
  const components = new Components()
  const paths: Record<string, JsonObject> = {}
  for (const call of calls) {
    const { method, path } = call.declared
    const operation = operationOf(call, options, components)
    paths[`/${path}`] = { ...paths[`/${path}`], [method.toLowerCase()]: operation }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: options.title ?? `Quartet: the ${client} client's calls`,
      version: options.version,
      license: { name: "MIT", identifier: "MIT" },
      ...(options.description === undefined ? {} : { description: options.description })
    },
    servers: [{ url: options.baseUrl }],
    security: [Object.fromEntries(Object.keys(credentials[client]).map((name) => [name, []]))],
    tags: [...new Set(calls.map(({ name }) => sliceOf(name)))].map((name) => ({
      name,
      description: groupText(client, name)
    })),
    paths,
    components: { securitySchemes: credentials[client], ...components.all() }
  }
}
