/**
 * The wire of a platform: the form in which it takes requests and gives answers. That of this file is the sandbox's own,
 * and changes nothing; `dialects` holds others.
 */
import { type Body, isCredential } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Answer from "./answer.js"
import type { Refusal } from "./refusal.js"
import type { Match, Route } from "./routing.js"

/** One request, from any adapter. */
export interface Request {
  readonly method: string
  /** Path with query, from `/`. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Body | undefined
}

/** A request at the platform's own address and with its own credentials. */
export interface Received extends Request {
  /** The project, where the request names it outside of its query. */
  readonly projectId?: string | undefined
}

/** The rows of a list that a request asks for. */
export interface Range {
  readonly offset: number
  readonly limit: number
  /** How many of the first rows that the platform answers are not asked for. */
  readonly skipped: number
}

/** What a request says, in the platform's own names and values. */
export interface Content {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Body | undefined
  /** The rows that are asked for, where the answer says so. */
  readonly range?: Range
}

/** What an answer is written of. */
export interface Told {
  readonly route: Route
  readonly value: unknown
  readonly request: Request
  readonly range: Range | undefined
  readonly now: Date
}

/** The names of a chat. */
export interface ChatNames {
  /** The engine's path. */
  readonly path: string
  readonly namespace: string
  /** The event by which a client sends a message. */
  readonly say: string
  /** The event of a message. */
  readonly chat: string
  /** The event of the last messages. */
  readonly history: string
}

/** The form of a chat. */
export interface ChatWire extends ChatNames {
  /** The headers and the query of a handshake, with the platform's own credentials. */
  readonly handshake: (handshake: Handshake, now: Date) => Handshake
  /** What a client says, in the platform's own names and values. */
  readonly heard: (payload: unknown) => Effect.Effect<unknown, Refusal>
  /** What an event or an acknowledgement holds, as it is sent. */
  readonly told: (what: "chat" | "history" | "acknowledgement", payload: unknown) => unknown
}

/** What a chat is opened with. Names of headers in lower case. */
export interface Handshake {
  readonly query: Readonly<Record<string, string | undefined>>
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Where files are downloaded from, if not from the platform itself. */
export interface Storage {
  /** The origin of the storage; downloads are answered directly without one. */
  origin: string | undefined
  /** The file under a key that an answer has named. */
  readonly find: (key: string) => Answer.Answer | undefined
}

/** The form in which a platform takes requests and gives answers. */
export interface Wire {
  /** The request at its own address, or the answer to one that only this wire knows. */
  readonly receive: (request: Request, now: Date) => Effect.Effect<Received | Answer.Answer, Refusal>
  /** The path of a call as the platform has it, and the methods that it is asked by. */
  readonly methods: (path: string, known: (path: string) => ReadonlyArray<string>) => ReadonlyArray<string>
  /** What a request says. `isProjectNamed`: whether it must name the project outside of its path. */
  readonly read: (
    match: Match,
    request: Received,
    query: URLSearchParams,
    isProjectNamed: boolean
  ) => Effect.Effect<Content, Refusal>
  readonly answer: (told: Told) => Answer.Answer
  readonly refusal: (refusal: Refusal, requestId: string, path: string) => Answer.Answer
  /** An answer with the id of its request. */
  readonly numbered: (answer: Answer.Answer, requestId: string) => Answer.Answer
  /** The header of the idempotency key. */
  readonly idempotencyKey: string
  /** Whether a header holds a credential. */
  readonly isCredential: (name: string) => boolean
  /** The parameters of the query that hold a credential. */
  readonly secretParameters: ReadonlyArray<string>
  /** Headers of answers that pages of other origins may read, besides the usual ones. */
  readonly exposed: ReadonlyArray<string>
  /** Methods beside the usual ones. */
  readonly furtherMethods: ReadonlyArray<string>
  /** Whether browsers keep the session in a cookie. */
  readonly hasCookies: boolean
  readonly storage: Storage | undefined
  /** The platform's own id behind one that an answer has. */
  readonly idOf: (sent: string) => string
  readonly chat: ChatWire
}

/** The engine's path of the platform's chat (specification, point 7). */
export const chatPath = "/api_private/v1/chat"

/** The sandbox's own wire. */
export const plain: Wire = {
  receive: Effect.succeed,
  methods: (path, known) => known(path),
  read: ({ params }, { body }, query) => Effect.succeed({ params, query, body }),
  answer: ({ route, value }) => Answer.ofValue(route, value),
  refusal: Answer.ofRefusal,
  numbered: (answer, requestId) => ({
    ...answer,
    headers: { ...answer.headers, "x-request-id": requestId }
  }),
  idempotencyKey: "idempotency-key",
  isCredential,
  secretParameters: [],
  exposed: [],
  furtherMethods: [],
  hasCookies: false,
  storage: undefined,
  idOf: (sent) => sent,
  chat: {
    path: chatPath,
    namespace: "/",
    say: "chat",
    chat: "chat",
    history: "history",
    handshake: (handshake) => handshake,
    heard: Effect.succeed,
    told: (_, payload) => payload
  }
}
