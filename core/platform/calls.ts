/** What is known of a call: what it is for, where it is sent, and what the platform calls the fields that it sends. */
import type { DialectOperation } from "../kernel/dispatch/dialect.js"
import * as Path from "../kernel/operation/path.js"
import { urlOf } from "../kernel/operation/url.js"
import { own } from "../permissions/own.js"
import type { CallInfo, Definition, Lists, Route } from "./definition.js"
import { type Rules, shapeOf } from "./fields.js"
import type { CallName } from "./names.js"

/** The name of the call that renews a session. It is no call of the platform's list, and stands in errors alone. */
export const refreshName = "auth.refresh"

/** The calls that obtain a session. */
const signIns = ["auth.login", "auth.legacyLogin", "auth.signup", refreshName]

/** Whether a call opens a session. */
export const isSignIn = (name: string): boolean => signIns.includes(name)

/** Whether a call sends who signs in, and nothing else. */
export const isLogin = (name: string): boolean => name !== "auth.signup" && isSignIn(name)

/** What is said of how a call is sent: of one client's before that of all. */
export const routeOf = ({ routes = {} }: Definition, audience: string, name: string): Route | undefined =>
  // The check lets routes alone pass.
  (own(routes, `${audience}.${name}`) ?? own(routes, name)) as Route | undefined

/** What is said of the lists of a call. */
export const listsOf = (definition: Definition, { audience, name }: DialectOperation): Lists =>
  routeOf(definition, audience, name)?.lists ?? definition.lists ?? {}

/** What a function of the platform is told of a call. */
export const infoOf = ({ declared, name }: DialectOperation): CallInfo => ({
  // The names are written from the same operations.
  call: name as CallName,
  isList: "page" in declared.success
})

/** Whether a call names the project beside its path. */
export const namesProject = ({ audience, declared }: DialectOperation): boolean =>
  audience === "admin" &&
  declared.credentials !== "none" &&
  declared.host !== "legacy" &&
  !Path.parse(declared.path).names.includes("projectId")

/** The one place where the project is named; none of them where it is not sent. */
interface ProjectNames {
  readonly query?: string
  readonly header?: string
  readonly path?: string
  readonly host?: string
}

/** Where somebody says that the project is named. */
export const saidProject = ({ credentials: { project = false } = {} }: Definition): ProjectNames =>
  project === false ? {} : project

/** Where calls name the project. */
export const projectIn = (definition: Definition): ProjectNames =>
  definition.credentials?.project === undefined ? { query: "projectId" } : saidProject(definition)

/** The header that names the project, where one does. */
export const projectHeader = (
  { header }: ProjectNames,
  projectId: string | undefined
): Readonly<Record<string, string>> =>
  header === undefined || projectId === undefined ? {} : { [header.toLowerCase()]: projectId }

/** Scheme, host and port of a project: its own host where it has one. */
export const originOf = (origin: string, { host }: ProjectNames, projectId: string | undefined): string => {
  if (host === undefined || projectId === undefined) return origin
  const url = urlOf(origin)
  const port = url?.port ?? ""
  return `${url?.protocol ?? "https:"}//${host.replaceAll("{projectId}", projectId)}${port === "" ? "" : `:${port}`}`
}

/** Parameters of the query that the client itself writes: the project, and credentials. */
export const reservedNames = (
  definition: Definition,
  operation: DialectOperation
): ReadonlyArray<unknown> => [
  namesProject(operation) ? projectIn(definition).query : undefined,
  ...Object.values(definition.credentials ?? {}).map((carrier) => own(carrier, "query"))
]

/** The platform's names of what a call sends. */
export interface SentNames {
  /** That of a field which the call declares. */
  readonly declared: (field: string) => string
  /** The same; what further parameters are called is the caller's to say. */
  readonly any: (field: string) => string
}

/** Compiles the platform's names of what an operation sends. */
export const sentNames = (
  definition: Definition,
  rules: Rules,
  { audience, declared, name }: DialectOperation
): SentNames => {
  const single: Readonly<Record<string, unknown>> = {
    ...(isLogin(name) ? definition.signIn?.fields : {}),
    ...routeOf(definition, audience, name)?.parameters
  }
  const { fields } = shapeOf(declared.input.ast)
  const nameOf = (field: string): string => {
    const said = own(single, field)
    if (typeof said === "string") return said
    // What a sign-in sends is no thing of the platform's.
    return isLogin(name) ? field : rules.nameOf(field)
  }
  return {
    declared: nameOf,
    any: (field) => (fields.has(field) || own(single, field) !== undefined ? nameOf(field) : field)
  }
}
