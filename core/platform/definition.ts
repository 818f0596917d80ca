/**
 * What may be said of a platform that differs from the specification's own: data and pure functions, every field of which
 * may be left out. What is left out is as the SDK assumes it.
 */

import type { Audience, Method } from "../kernel/operation/operation.js"
import type { Level } from "../permissions/level.js"
import type { CallName, FieldName } from "./names.js"

/** An answer of the platform, as it came. @category models */
export interface Answer {
  /** The HTTP status. */
  readonly status: number
  /** Reads a header by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** The body: parsed JSON, or text. Whole numbers beyond ±(2⁵³ − 1) are their digits, as text. */
  readonly body: unknown
}

/**
 * Where something stands in an answer: a path of names in its body, such as `data.token.access`; a header; a cookie that
 * the answer sets; or a function that finds it. The path `""` is the body itself.
 * @category models
 */
export type Place =
  | string
  | {
      /** Name of the header. */
      readonly header: string
    }
  | {
      /** Name of the cookie that the answer sets. */
      readonly cookie: string
    }
  | ((answer: Answer) => unknown)

/** Where the parts of a session stand in the answer of a sign-in. @category models */
export interface SessionPlaces {
  /** The access token of an admin; `accessToken` by default. `false`: there is none, and calls are sent without one. */
  readonly accessToken?: Place | false
  /** The session id; `sessionId` by default. `false`: there is none, and calls are sent without one. */
  readonly sessionId?: Place | false
  /** Who has signed in; `user` by default. */
  readonly user?: Place
  /** The token with which the session is renewed; `refreshToken` by default. */
  readonly refreshToken?: Place
  /** Seconds until the session ends, where the token does not say it. */
  readonly expiresIn?: Place
}

/** How the platform is asked for a new session without a password. @category models */
export interface Refresh {
  /** Path relative to the base URL, such as `auth/refresh`. */
  readonly path: string
  /** POST by default. */
  readonly method?: "POST" | "PUT" | "PATCH"
  /** The service that is asked: the new API by default. */
  readonly host?: "api" | "legacy"
  /**
   * Name of the body's field that holds the refresh token; `refreshToken` by default. Where something else carries the token, no field
   * does unless it is said here.
   */
  readonly field?: string
  /**
   * What carries the refresh token in place of a field, such as `{ header: "authorization", scheme: "Bearer" }`. A token that stands in a
   * cookie, as `signIn.admin.refreshToken: { cookie: "rt" }` says, is sent as that cookie by default; in pages the browser sends it.
   */
  readonly carrier?: Carrier & {
    /** The token is sent to the service that is asked, and to no other. */
    readonly on?: never
  }
  /** Where the parts of the session stand in the answer; as in that of the sign-in by default. */
  readonly answer?: SessionPlaces
}

/**
 * How somebody signs in: what is sent, where the parts of a session stand in the answer, and how a session is renewed without the
 * password.
 * @category models
 */
export interface SignIn {
  /** Names of the fields that are sent; `email` and `password` by default. */
  readonly fields?: {
    /** Name of the e-mail's field. */
    readonly email?: string
    /** Name of the password's field. */
    readonly password?: string
  }
  /** The answer to an admin's sign-in on the new service. */
  readonly admin?: SessionPlaces
  /** The answer to an admin's sign-in on the legacy service. `false`: there is one sign-in for both services. */
  readonly legacy?: SessionPlaces | false
  /** The answer to an end user's sign-in and sign-up. */
  readonly endUser?: SessionPlaces
  /** How an admin's session is renewed without the password, where the sign-in answers a refresh token. */
  readonly refresh?: Refresh
}

/** What a token says, or with an opaque token what the sign-in says of the user. @category models */
export type Claims = Readonly<Record<string, unknown>>

/** Where something stands in claims: a path of names, or a function. @category models */
export type Claim = string | ((claims: Claims) => unknown)

/** How access tokens are read. @category models */
export interface Token {
  /**
   * `jwt`, the default: its payload holds the claims. `opaque`: nothing of it is read, and the claims are those of the user
   * whom the sign-in answers.
   */
  readonly kind?: "jwt" | "opaque"
  /** The admin's id; `sub`, or `_id` of an opaque token's user, by default. */
  readonly subject?: Claim
  /** The admin's e-mail; `email` by default. */
  readonly email?: Claim
  /** The admin's full name; `name` by default, or `fullName` of an opaque token's user. */
  readonly name?: Claim
  /**
   * What the admin may do: resource to action to level; `p` by default. An opaque token without this is not checked, as
   * with `permissions: "off"`.
   */
  readonly permissions?: Claim
  /** The platform's words or numbers for levels: `{ view: 1, edit: 3, owner: 9 }`. Levels that are not here are as they are. */
  readonly levels?: Readonly<Record<string, Level>>
}

/** What carries a credential: a header, with a scheme before the value where there is one; a parameter of the query; or a cookie. @category models */
export type Carrier =
  | {
      /** Name of the header. */
      readonly header: string
      /** What stands before the value, such as `Token`; nothing by default. `write` is said in its place, not beside it. */
      readonly scheme?: string
      /** Writes the header's value, where a scheme is not enough: `(key) => "Basic " + btoa(key + ":")`. */
      readonly write?: (credential: string) => string
      /** The one service that it is sent to; both by default. */
      readonly on?: "api" | "legacy"
    }
  | {
      /** Name of the parameter. */
      readonly query: string
      /** The one service that it is sent to; both by default. */
      readonly on?: "api" | "legacy"
    }
  | {
      /** Name of the cookie. */
      readonly cookie: string
      /** The one service that it is sent to; both by default. */
      readonly on?: "api" | "legacy"
    }

/**
 * Where the project is named that an admin's calls are about: by a parameter, a header, a part of the path or the host. The host is that of
 * all calls on the new service; sign-ins, calls of the legacy service and those whose own path names the project have none of the others.
 * @category models
 */
export type ProjectPlace =
  | {
      /** Name of the parameter. */
      readonly query: string
    }
  | {
      /** Name of the header. */
      readonly header: string
    }
  | {
      /** A prefix of the path, such as `projects/{projectId}`. */
      readonly path: string
    }
  | {
      /** The host, such as `{projectId}.api.example.com`. Scheme and port stay those of the address. */
      readonly host: string
    }

/** The header that proves that a page of the platform's own sends a request, where cookies carry credentials. @category models */
export interface Csrf {
  /** Name of the header. */
  readonly header: string
  /** Its value, or a function that gives it. */
  readonly value?: string | (() => string | undefined)
  /** The cookie whose value it repeats, without percent-encoding, and which is sent beside it. In browsers cookies are not read: give `value` there. */
  readonly cookie?: string
}

/** What is sent beside path, query and body. A credential that is `false` is not sent. @category models */
export interface Credentials {
  /** An admin's access token; `{ header: "authorization", scheme: "Bearer" }` by default. */
  readonly accessToken?: Carrier | false
  /** The session id of an admin or an end user; `{ header: "x-session-id" }` by default. */
  readonly session?: Carrier | false
  /** The session id of an end user, where it stands elsewhere than an admin's; as `session` by default. */
  readonly endUserSession?: Carrier | false
  /** The project's API key; `{ header: "x-api-key" }` by default. */
  readonly apiKey?: Carrier
  /** The private key of a server; `{ header: "x-private-key" }` by default. */
  readonly privateKey?: Carrier
  /** The project of an admin client; `{ query: "projectId" }` by default. `false`: it is not sent. */
  readonly project?: ProjectPlace | false
  /** The header of idempotency keys; `idempotency-key` by default. */
  readonly idempotencyKey?: string
  /**
   * Headers that every request has. `accept` and `content-type` say what the platform calls its JSON, in place of `application/json`:
   * that of JSON:API is said by `entities` already. Downloads and forms keep their own.
   */
  readonly headers?: Readonly<Record<string, string>>
  /** Where cookies carry a credential: the header that writes have besides. */
  readonly csrf?: Csrf
}

/** How a page of a list is asked for. Names are those of parameters, or of fields of a search's body. @category models */
export type PageRequest =
  | {
      /** By its number. */
      readonly by: "page"
      /** Name of its number; `page` by default. */
      readonly parameter?: string
      /** Name of the number of items; `limit` by default. `false`: it is not sent. */
      readonly limit?: string | false
      /** Number of the first page; 1 by default. */
      readonly first?: number
    }
  | {
      /** By the number of its first item. */
      readonly by: "offset"
      /** Name of the offset; `offset` by default. */
      readonly parameter?: string
      /** Number of the first item of the list; 0 by default. */
      readonly first?: number
      /** Name of the number of items; `limit` by default. */
      readonly limit?: string | false
    }
  | {
      /** By what the page before it answered. */
      readonly by: "cursor"
      /** Name of the cursor; `cursor` by default. */
      readonly parameter?: string
      /** Name of the number of items; `limit` by default. */
      readonly limit?: string | false
    }
  | {
      /** By the address that the page before it answered, of which the query is taken. */
      readonly by: "link"
      /** Name of the number of items, of the first page; `limit` by default. */
      readonly limit?: string | false
    }

/**
 * How lists are answered and asked for. It holds for every list of every client, so that `pages` needs no option: with cursors and links
 * it hands on from page to page what the next one is asked for by.
 * @category models
 */
export interface Lists {
  /**
   * Where the items are: a list, or an object whose values they are. Where it is left out, the SDK looks for them as it
   * does without a platform.
   */
  readonly items?: string | ((answer: Answer) => unknown)
  /** Where a thing stands in an item, such as `node`. */
  readonly item?: string
  /** The number of items in the whole list. */
  readonly total?: Place
  /**
   * What says that another page follows: for cursors the next cursor, for links its address, else anything that is not empty.
   * `{ header: "link" }` reads `rel="next"`.
   */
  readonly next?: Place
  /** How a page is asked for; by `page` and `limit` by default. */
  readonly page?: PageRequest
  /** Where a search names its page: in its `body`, the default, or in the `query`, as other lists do. */
  readonly searches?: "body" | "query"
  /**
   * How list parameters are written: `a=1,2` (`comma`, the default), `a=1&a=2` (`repeat`), `a[]=1&a[]=2` (`brackets`), or joined by
   * another text. A value that holds a comma or that text is refused.
   */
  readonly parameters?:
    | "comma"
    | "repeat"
    | "brackets"
    | {
        /** The text between two values. */
        readonly joinedBy: string
      }
}

/** What a function is told of the call whose body it wraps or unwraps. @category models */
export interface CallInfo {
  /** Name of the call, such as `orders.get`. */
  readonly call: CallName
  /** Whether the call answers a list. */
  readonly isList: boolean
}

/** The group of a call, such as `orders` of `orders.get`. @category models */
export type CallGroup = CallName extends `${infer Group}.${string}` ? Group : never

/**
 * How things are wrapped and named. Names, ids and dates are translated where a call declares them; what a project defines itself, such as
 * the fields of its content, stays as it is.
 * @category models
 */
export interface Entities {
  /**
   * How an answer that is one thing is wrapped: a path to it, such as `data`; `json:api` of one, or of the items of a list;
   * or a function.
   */
  readonly unwrap?: string | ((body: unknown, info: CallInfo) => unknown)
  /** How the body of a request is wrapped: by a field of this name, as `json:api`, or by a function. */
  readonly wrap?: string | ((body: unknown, info: CallInfo) => unknown)
  /** What JSON:API calls the type of a body, by the group of its call: `{ orders: "order" }`. The group's name by default. */
  readonly types?: { readonly [Group in CallGroup]?: string }
  /** The field that holds the id; `_id` by default. */
  readonly id?: string
  /** Whether ids are numbers on the wire. They are text in the program, exact to the last digit. */
  readonly numericIds?: boolean
  /** How the platform writes the names of fields that the SDK knows: a style, or a function. */
  readonly names?: "snake_case" | "kebab-case" | "PascalCase" | ((name: string) => string)
  /** The platform's names of single fields: `{ fullName: "display_name" }`. They go before `names`. */
  readonly fields?: { readonly [Name in FieldName]?: string }
}

/**
 * Where the words of an error stand. What nothing is said of, the SDK finds by itself: problems of RFC 9457, errors of JSON:API, plain
 * text, and the usual names.
 * @category models
 */
export interface Errors {
  /** What the platform says of it. */
  readonly message?: Place
  /** The field that it minds. */
  readonly field?: Place
  /** Its code, such as `out_of_stock`. */
  readonly code?: Place
  /** The id under which the platform has logged the request. */
  readonly requestId?: Place
  /**
   * The HTTP status that an answer stands for, where the platform answers errors with another one, such as 200. Undefined
   * leaves it as it is.
   */
  readonly status?: (answer: Answer) => number | undefined
}

/** What a number of a date counts, since 1970. Where it counts seconds, a part of one is sent as a fraction. @category models */
export type EpochUnit = "seconds" | "milliseconds"

/** How a date stands on the wire that is no ISO text: a number since 1970, or what two functions read and write. @category models */
export type DateForm =
  | EpochUnit
  | {
      /** Reads a date from what stands on the wire. Undefined leaves the value as it is. */
      readonly read: (value: unknown) => Date | undefined
      /** Writes a date for the wire. */
      readonly write: (date: Date) => string | number
    }

/** An HTTP method of a call. @category models */
export type RouteMethod = Exclude<Method, "HEAD">

/** How one call is sent. @category models */
export interface Route {
  /** Another HTTP method. */
  readonly method?: RouteMethod
  /**
   * Another path template, with our names of its parameters: `v2/order/{id}?view=full`. A parameter that it leaves out is sent in the
   * query.
   */
  readonly path?: string
  /** The platform's names of parameters and of fields of the body: `{ statusIn: "status" }`. */
  readonly parameters?: Readonly<Record<string, string>>
  /** How the list of this call is answered and asked for, in place of all that `lists` of the platform says. */
  readonly lists?: Lists
}

/** Where the chat is, and how it speaks. @category models */
export interface Chat {
  /** Scheme, host and port; those of the base URL by default. */
  readonly url?: string
  /** The engine's path; `/api_private/v1/chat` by default. */
  readonly path?: string
  /** socket.io's namespace; `/` by default. */
  readonly namespace?: string
  /** Names of the events; `chat` of messages, `history` of earlier ones, and `chat` of those that are sent by default. */
  readonly events?: {
    /** The event of a message. */
    readonly message?: string
    /** The event of earlier messages. */
    readonly history?: string
    /** The event by which a message is sent. */
    readonly send?: string
  }
  /** Where the message stands in what an event and an acknowledgement hold; the whole by default. */
  readonly message?: string
  /** Where the list of earlier messages stands in what their event holds. The SDK looks for it by default. */
  readonly history?: string
  /**
   * Where an acknowledgement that refuses a message says why, such as `fault.reason`, or a function that answers it. Nothing, null, false, 0
   * and empty text accept the message; true refuses it without a reason. By default an acknowledgement is a refusal by what `errors` says, by
   * an `error` or `errors` in it, `ok` or `success` that is false, a `status` of error or from 400, or a `code` in words beside a `message`.
   */
  readonly refusal?: string | ((acknowledgement: unknown) => unknown)
  /** The field that wraps a message that is sent, as a path; none by default. */
  readonly wrap?: string
  /** Name of the token in the handshake's query; `token` by default. */
  readonly token?: string
}

/**
 * How a platform differs from what the SDK assumes: data and pure functions, each of which may be left out. A client reads it when it is
 * made, and refuses a name that it does not know with an InputError, which says what was meant. Types and messages go on speaking the
 * SDK's names; only the wire has the platform's.
 * @category models
 */
export interface Definition {
  /** How somebody signs in, and what the platform answers. */
  readonly signIn?: SignIn
  /** How access tokens are read. */
  readonly token?: Token["kind"] | Token
  /** The token's name of a grant: from our resource and action to its own, such as `request-action.seen`. */
  readonly permissionNames?: (resource: string, action: string) => string
  /** What carries credentials and the project. */
  readonly credentials?: Credentials
  /** How lists are answered and asked for. */
  readonly lists?: Lists
  /** How things are wrapped and named. */
  readonly entities?: Entities
  /** Where the words of an error stand. */
  readonly errors?: Errors
  /**
   * Dates that are no ISO texts: the form of all dates that the SDK knows, or fields by the platform's names and the form of each. Those
   * stand in things of which a call declares fields, not in data below that is a project's own.
   */
  readonly dates?: DateForm | Readonly<Record<string, DateForm>>
  /** The platform's methods in place of the SDK's, for all calls: `{ PUT: "PATCH" }`. */
  readonly methods?: { readonly [M in RouteMethod]?: RouteMethod }
  /**
   * How single calls are sent, by their names: `orders.get`, or `public.items.get` for those of one client. Those of a client's own
   * `routes` go before these.
   */
  readonly routes?: { readonly [Name in CallName | `${Audience}.${CallName}`]?: Route }
  /**
   * Hosts to which a download may redirect, such as `files.example.com` or `*.example.com`. They are asked without
   * credentials, where the runtime shows a redirect: on servers, not in browsers.
   */
  readonly downloads?: {
    /** The hosts, with their port where only that one is meant. */
    readonly redirectTo: ReadonlyArray<string>
  }
  /** Where the chat is, and how it speaks. */
  readonly chat?: Chat
}
