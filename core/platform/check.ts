/** Checks what is said of a platform when a client is made: unknown names, kinds of values, and rules between them. */
import * as Either from "effect/Either"
import { isRecord } from "effect/Predicate"
import type { Surroundings } from "../kernel/dispatch/dialect.js"
import { address, nameRule, revealed } from "../kernel/dispatch/settings.js"
import type { InputError } from "../kernel/errors/errors.js"
import type { Audience } from "../kernel/operation/operation.js"
import { meant } from "../kernel/operation/spelling.js"
import { urlOf } from "../kernel/operation/url.js"
import { own } from "../permissions/own.js"
import { mediaHeaders } from "./carriers.js"
import {
  all,
  answered,
  type Check,
  type Checked,
  either,
  fine,
  flag,
  fn,
  isFalse,
  isFunction,
  isObject,
  isString,
  isText,
  list,
  must,
  no,
  object,
  record,
  refuse,
  text,
  word
} from "./checks.js"
import { requestsOf, sharedIn } from "./collisions.js"
import { cookieNamed, isCookieValue, isHeaderValue } from "./cookies.js"
import type {
  Chat,
  Credentials,
  Csrf,
  DateForm,
  Definition,
  Entities,
  Errors,
  Lists,
  PageRequest,
  Refresh,
  Route,
  RouteMethod,
  SessionPlaces,
  SignIn,
  Token
} from "./definition.js"
import * as Names from "./names.js"
import { queryIn } from "./paging.js"
import { isForm, styleNames } from "./rules.js"

/** The name of a call, or of a field that the SDK knows. */
const nameOf =
  (what: string, names: ReadonlyArray<string>): ((field: string, name: string) => Checked) =>
  (field, name) =>
    names.includes(name) ? fine : refuse(field, `is no ${what} of the SDK${meant(name, names)}`)

const audiences: ReadonlyArray<Audience> = ["admin", "public", "private", "endUser"]

/** The name of a call, or of that of one client. */
const callName = (field: string, name: string): Checked => {
  const at = name.indexOf(".")
  const [client, call] = [name.slice(0, at), name.slice(at + 1)]
  if (!call.includes(".")) return nameOf("call", Names.calls)(field, name)
  return audiences.some((audience) => audience === client)
    ? nameOf("call", Names.calls)(field, call)
    : refuse(
        field,
        `must begin with a client, which is one of ${audiences.join(", ")}${meant(client, audiences)}`
      )
}

const header: Check = (field, value) => {
  const rule = isString(value) ? nameRule(String(value).toLowerCase()) : "must be a header name"
  return rule === undefined ? fine : refuse(field, rule)
}

const cookieName = must(
  (value) => isString(value) && /^[!#$%&'*+.^_`|~\w-]+$/.test(String(value)),
  "must be the name of a cookie"
)

const pathText = must(isString, "must be text: a path of names such as data.items")

const place: Check = either(
  [
    [isString, pathText],
    [isFunction, fn],
    [(value) => own(value, "cookie") !== undefined, object<{ cookie: string }>({ cookie: cookieName })],
    [
      isObject,
      object<{ header: string; cookie?: string }>(
        { header: must(isText, "must be the name of a header"), cookie: cookieName },
        "header"
      )
    ]
  ],
  "must be a path such as data.items, { header }, { cookie } or a function"
)

const host = word(["api", "legacy"])

/** A function that writes a credential: it has text for one. */
const writing: Check = must(
  (value) => isHeaderValue(answered(value, "credential")),
  "must be a function that answers ASCII text for a credential"
)

/** That of a header; the names of the other ways are known too, so that a typo in one is told. */
const headerCarrier = object<{
  header: string
  scheme: string
  write: string
  on: string
  query?: string
  cookie?: string
}>(
  {
    query: text,
    cookie: cookieName,
    write: writing,
    header,
    scheme: must(
      (value) => isString(value) && /^[\w!#$%&'*+.^`|~-]+$/.test(String(value)),
      "must be one word, such as Token"
    ),
    on: host
  },
  "header"
)

const carrier: Check = either(
  [
    [
      (value) => own(value, "query") !== undefined,
      object<{ query: string; on: string }>({ query: text, on: host }, "query")
    ],
    [
      (value) => own(value, "cookie") !== undefined,
      object<{ cookie: string; on: string }>({ cookie: cookieName, on: host }, "cookie")
    ],
    [
      isObject,
      (field, value) =>
        own(value, "write") !== undefined && own(value, "scheme") !== undefined
          ? refuse(
              `${field}.scheme`,
              "must not stand beside write, which writes the whole value of the header"
            )
          : headerCarrier(field, value)
    ]
  ],
  "must be { header }, { query } or { cookie }"
)

/** A refresh token goes where its call goes. */
const refreshCarrier: Check = (field, value) =>
  own(value, "on") === undefined
    ? carrier(field, value)
    : refuse(`${field}.on`, "must not be said: the service that is asked is signIn.refresh.host")

/** A credential that is always sent cannot be left out. */
const carrierOrNone: Check = either(
  [
    [isFalse, no],
    [isObject, carrier]
  ],
  "must be { header }, { query } or { cookie }, or false"
)

const headerValue = must(isHeaderValue, "must be ASCII text")

const headers: Check = record(headerValue, (field, name) =>
  mediaHeaders.includes(name.toLowerCase()) ? fine : header(field, name)
)

const hasProject = (value: unknown): boolean => isString(value) && String(value).includes("{projectId}")

const projectHost: Check = (field, value) => {
  const isHost =
    hasProject(value) &&
    urlOf(`http://${String(value).replaceAll("{projectId}", "p")}`)?.host ===
      String(value).replaceAll("{projectId}", "p")
  return isHost ? fine : refuse(field, "must be a host in small letters, such as {projectId}.api.example.com")
}

const project: Check = either(
  [
    [isFalse, no],
    [(value) => own(value, "query") !== undefined, object<{ query: string }>({ query: text })],
    [(value) => own(value, "header") !== undefined, object<{ header: string }>({ header })],
    [
      (value) => own(value, "path") !== undefined,
      object<{ path: string }>({
        path: must(
          (value) =>
            hasProject(value) &&
            /^[\w!$&'()*+,;=:@~.{}/-]+$/.test(String(value)) &&
            !/(^|\/)\.{1,2}(\/|$)/.test(String(value)),
          "must be a part of a path, such as projects/{projectId}"
        )
      })
    ],
    [(value) => own(value, "host") !== undefined, object<{ host: string }>({ host: projectHost })],
    // None of them, so that a typo in one is told.
    [
      isObject,
      object<{ query: string; header?: string; path?: string; host?: string }>(
        { query: text, header, path: text, host: projectHost },
        "query"
      )
    ]
  ],
  "must be { query }, { header }, { path } or { host }, or false"
)

const placeOrNone: Check = (field, value) => (value === false ? fine : place(field, value))

const sessionPlaces = object<SessionPlaces>({
  accessToken: placeOrNone,
  sessionId: placeOrNone,
  user: place,
  refreshToken: place,
  expiresIn: place
})

const routePath = must(
  (value) =>
    isString(value) &&
    !/^((https?|wss?|ftp|file):|([a-z][\w+.-]*:)?\/\/)|^$|[^\u0021-\u007e]|[\\#]|(^|\/)(\.|%2e){1,2}(\/|\?|$)/i.test(
      String(value)
    ),
  "must be a relative path of visible ASCII, without scheme, host, dot segments, backslash or fragment"
)

/** The parameters of a path are named as the SDK names them. */
const parametersOf = (field: string, path: string): Checked =>
  queryIn(path).includes("{")
    ? refuse(field, "must have its parameters before the question mark: what follows is sent as it is")
    : all(
        [...path.matchAll(/\{([^{}]*)\}/g)].map(
          ([, name = ""]) =>
            () =>
              name === "projectId" ? fine : nameOf("field", Names.fields)(field, name)
        )
      )

const limit = either(
  [
    [isFalse, no],
    [isString, text]
  ],
  "must be the name of a parameter, or false"
)

const count = must(
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  "must be a whole number, at least 0"
)

const by = word(["page", "offset", "cursor", "link"])

type Way<Name> = Extract<PageRequest, { readonly by: Name }>

const ways: Readonly<Record<PageRequest["by"], Check>> = {
  page: object<Way<"page">>({ by, parameter: text, limit, first: count }),
  offset: object<Way<"offset">>({ by, parameter: text, limit, first: count }),
  cursor: object<Way<"cursor">>({ by, parameter: text, limit }),
  link: object<Way<"link">>({ by, limit })
}

const pageRequest: Check = (field, value) => {
  const way: unknown = own(value, "by")
  const known = by(`${field}.by`, way)
  // `by` lets the names of the ways pass alone.
  return Either.isLeft(known) ? known : ways[way as PageRequest["by"]](field, value)
}

type DateFunctions = Exclude<DateForm, string>

const dateForm: Check = either(
  [
    [isString, word(["seconds", "milliseconds"])],
    [isObject, object<DateFunctions>({ read: fn, write: fn }, "read", "write")]
  ],
  "must be seconds, milliseconds, or { read, write }"
)

const level = must(
  (value) => [0, 1, 3, 9].includes(Number(value)) && typeof value === "number",
  "must be a level: 0 (none), 1 (read), 3 (write) or 9 (admin)"
)

const pathOrFunction = either(
  [
    [isString, pathText],
    [isFunction, fn]
  ],
  "must be a path such as data, or a function"
)

const claim = pathOrFunction

const tokenKind = word(["jwt", "opaque"])

const cleanPath = must(
  (value) => isString(value) && /^\/[!-"$->@-[\]-~]*$/.test(String(value)),
  "must be a path from /, without a query or spaces"
)

const hostName = must(
  (value) =>
    isString(value) &&
    /^(\*\.)?([a-z\d-]+\.)*[a-z\d-]+(:\d{1,5})?$|^\[[\da-f:]+\](:\d{1,5})?$/i.test(String(value)),
  "must be a host such as files.example.com, or *.example.com for all below"
)

/** A function that names our fields: it has a text for each. */
const naming: Check = must(
  (value) => Names.fields.every((name) => isText(answered(value, name))),
  "must answer text for each name of a field"
)

const lists = object<Lists>({
  items: pathOrFunction,
  item: text,
  total: place,
  next: place,
  page: pageRequest,
  searches: word(["body", "query"]),
  parameters: either(
    [
      [isString, word(["comma", "repeat", "brackets"], ", or { joinedBy }")],
      [isObject, object<{ joinedBy: string }>({ joinedBy: text }, "joinedBy")]
    ],
    "must be one of comma, repeat, brackets, or { joinedBy }"
  )
})

const methods: ReadonlyArray<RouteMethod> = ["GET", "POST", "PUT", "PATCH", "DELETE"]

const method = word(methods)

/** The groups of calls, such as `orders`. */
const groups = [...new Set(Names.calls.map((call) => call.slice(0, call.indexOf("."))))]

const checks = object<Definition>({
  signIn: object<SignIn>({
    fields: object<Required<NonNullable<SignIn["fields"]>>>({ email: text, password: text }),
    admin: sessionPlaces,
    legacy: either(
      [
        [isFalse, no],
        [isObject, sessionPlaces]
      ],
      "must be where the parts of the session stand, or false"
    ),
    endUser: sessionPlaces,
    refresh: object<Refresh>(
      {
        path: routePath,
        method: word(["POST", "PUT", "PATCH"]),
        host,
        field: text,
        carrier: refreshCarrier,
        answer: sessionPlaces
      },
      "path"
    )
  }),
  token: either(
    [
      [isString, tokenKind],
      [
        isObject,
        object<Token>({
          kind: tokenKind,
          subject: claim,
          email: claim,
          name: claim,
          permissions: claim,
          levels: record(level)
        })
      ]
    ],
    "must be jwt, opaque, or an object"
  ),
  permissionNames: fn,
  credentials: object<Credentials>({
    accessToken: carrierOrNone,
    session: carrierOrNone,
    endUserSession: carrierOrNone,
    apiKey: carrier,
    privateKey: carrier,
    project,
    idempotencyKey: header,
    headers,
    csrf: object<Csrf>(
      {
        header,
        value: either(
          [
            [isString, headerValue],
            [isFunction, fn]
          ],
          "must be text or a function"
        ),
        cookie: cookieName
      },
      "header"
    )
  }),
  lists,
  entities: object<Entities>({
    unwrap: pathOrFunction,
    wrap: either(
      [
        [isString, text],
        [isFunction, fn]
      ],
      "must be the name of a field, json:api, or a function"
    ),
    types: record(text, nameOf("group", groups)),
    id: text,
    numericIds: flag,
    names: either(
      [
        [isString, word(styleNames)],
        [isFunction, naming]
      ],
      `must be one of ${styleNames.join(", ")}, or a function`
    ),
    fields: record(text, nameOf("field", Names.fields))
  }),
  errors: object<Errors>({ message: place, field: place, code: place, requestId: place, status: fn }),
  dates: either(
    [
      [isForm, dateForm],
      [isObject, record(dateForm)]
    ],
    "must be seconds, milliseconds, { read, write }, or an object of fields"
  ),
  methods: record(method, (field, name) => word(methods)(field, name)),
  routes: record(
    object<Route>({
      method,
      lists,
      path: (field, value) =>
        Either.flatMap(routePath(field, value), () => parametersOf(field, String(value))),
      parameters: record(text, nameOf("field", Names.fields))
    }),
    callName
  ),
  downloads: object<Required<NonNullable<Definition["downloads"]>>>(
    { redirectTo: list(hostName) },
    "redirectTo"
  ),
  chat: object<Chat>({
    url: (field, value) => Either.mapLeft(address(field, String(value)), (error) => error),
    path: cleanPath,
    namespace: cleanPath,
    events: object<Required<NonNullable<Chat["events"]>>>({ message: text, history: text, send: text }),
    message: text,
    history: text,
    refusal: either(
      [
        [isString, text],
        [isFunction, fn]
      ],
      "must be a path such as fault.reason, or a function"
    ),
    wrap: text,
    token: must(
      (value) => isText(value) && !["EIO", "transport", "sid", "t", "b64", "j"].includes(value),
      "must be text, and no parameter that engine.io itself sends: EIO, transport, sid, t, b64, j"
    )
  })
})

/** Checks the cookies that a configuration has beside a session, as another client has handed them on. */
const cookiesBeside = (cookies: unknown, named: string | undefined): Checked =>
  all(
    (isRecord(cookies) ? Object.entries(cookies) : []).map(([key, value]) => () => {
      if (named === undefined || cookieNamed(key) !== named)
        return refuse(
          `cookies.${key}`,
          `is not the cookie of credentials.csrf of the platform${named === undefined ? "" : meant(key, [named])}`
        )
      return isCookieValue(revealed(value))
        ? fine
        : refuse(`cookies.${key}`, "must be the value of a cookie: ASCII text without a semicolon")
    })
  )

/** What has to be said together. */
const together = (definition: Definition, { config, headerNames, projectId }: Surroundings): Checked => {
  const { credentials = {}, lists, routes = {} } = definition
  const twice = requestsOf(definition, headerNames)
    .map(sharedIn)
    .find((one) => one !== undefined)
  if (twice !== undefined)
    return refuse(
      `platform.${twice.field}`,
      `must not stand where something else does: the ${twice.place} has it already`
    )
  const { email = "email", password = "password" } = definition.signIn?.fields ?? {}
  if (email === password)
    return refuse(
      "platform.signIn.fields",
      "must have two names: the e-mail and the password stand in one body"
    )
  const { csrf } = credentials
  if (csrf !== undefined && csrf.value === undefined && csrf.cookie === undefined)
    return refuse(
      "platform.credentials.csrf",
      "has only its header: add the cookie that it repeats, or in pages its value, as text or a function that gives it"
    )
  const all = [
    ["lists", lists] as const,
    ...Object.entries(routes).map(([name, route]) => [`routes.${name}.lists`, route?.lists] as const)
  ]
  const [unled] = all.find(([, said]) => said?.page?.by === "cursor" && said.next === undefined) ?? []
  if (unled !== undefined)
    return refuse(`platform.${unled}.next`, "is missing: say where an answer has the cursor of the next page")
  if (
    projectId !== undefined &&
    own(credentials.project, "host") !== undefined &&
    !/^[a-z\d]([a-z\d-]*[a-z\d])?$/.test(projectId)
  )
    return refuse("projectId", "must be small letters, digits and hyphens, as it stands in a host")
  if (
    projectId !== undefined &&
    own(credentials.project, "header") !== undefined &&
    !isHeaderValue(projectId)
  )
    return refuse("projectId", "must be ASCII text, as it stands in a header")
  return cookiesBeside(own(config, "cookies"), csrf?.cookie)
}

/** Checks what is said of a platform. */
export const definition = (input: Definition, around: Surroundings): Either.Either<Definition, InputError> =>
  Either.map(
    Either.flatMap(checks("platform", input), () => together(input, around)),
    () => input
  )
