/** The chat, for admins: opened with the client's own session and API key, its gaps closed from `conversations.messages`. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Chat from "../../core/chat/chat.js"
import type { ChatError } from "../../core/chat/errors.js"
import { named } from "../../core/chat/identity.js"
import type { Order } from "../../core/chat/order.js"
import { defaults, type PolicyInput } from "../../core/chat/policy.js"
import type { Listeners } from "../../core/chat/state.js"
import * as Conversations from "../../core/conversations/operations.js"
import type { Answers } from "../../core/kernel/dispatch/call-options.js"
import type { Credentials } from "../../core/kernel/dispatch/credentials.js"
import type { ChatDialect } from "../../core/kernel/dispatch/dialect.js"
import * as Settings from "../../core/kernel/dispatch/settings.js"
import { CredentialsError, InputError } from "../../core/kernel/errors/errors.js"
import { type Known, read } from "../../core/kernel/operation/options.js"
import type * as CredentialsProvider from "../../core/kernel/session/credentials-provider.js"
import type { Address, ChatSocket, Handshake } from "../../core/ports/chat-socket.js"
import { Client, type Service } from "./client.js"

/** The chat's address, if it is not the specified one. @category models */
export interface ChatAddress {
  /** Scheme, host and port; those of `baseUrl` by default. */
  readonly url?: string
  /** The engine's path; `/api_private/v1/chat` by default. */
  readonly path?: string
  /** socket.io's namespace; `/` by default. */
  readonly namespace?: string
}

/** The options of a chat. @category models */
export interface Options extends Listeners {
  /** Where the chat connects; the address of the client by default. */
  readonly address?: ChatAddress
  /** Conversations whose gaps are closed even before the chat has received anything of them. */
  readonly conversations?: ReadonlyArray<string>
  /**
   * How to read missed messages: further query fields of `conversations.messages`, such as a `limit`, and their order,
   * which is otherwise detected. `false` turns it off.
   */
  readonly history?:
    | {
        /** Further query fields of `conversations.messages`, such as `{ limit: 100 }`. */
        readonly query?: Readonly<Record<string, unknown>>
        /** The order in which the platform answers messages; detected if omitted. */
        readonly order?: Order
      }
    | false
  /** How to treat a message that is not what is declared; the client's setting by default. */
  readonly answers?: Answers
  /** How often and how long it tries: to connect, to send and to read what was missed. The client's own policy by default. */
  readonly policy?: PolicyInput
}

const known = {
  address: "object",
  conversations: "any",
  answers: Settings.common.answers,
  history: "any",
  policy: "object",
  onMessage: "function",
  onUpdate: "function",
  onHistory: "function",
  onProblem: "function"
} satisfies Known<Options>

const knownOfAddress = { url: "any", path: "string", namespace: "string" } satisfies Known<ChatAddress>

type History = Exclude<Options["history"], undefined | false>

const knownOfHistory = {
  query: "object",
  order: ["newest-first", "oldest-first"] satisfies ReadonlyArray<Order>
} satisfies Known<History>

const defaultPath = "/api_private/v1/chat"

const refuse = (field: string, rule: string): Effect.Effect<never, InputError> =>
  Effect.fail(new InputError({ operation: "chat.open", field, rule }))

const isListOfIds = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((id) => named(id) !== undefined))

const clean = /^\/[!-"$->@-[\]-~]*$/

/** The address of the chat, checked. */
const addressOf = (
  { api, dialect }: Settings.Base,
  input: ChatAddress
): Effect.Effect<Address, InputError> => {
  const spoken = dialect?.chat
  const {
    namespace = spoken?.namespace ?? "/",
    path = spoken?.path ?? defaultPath,
    url = spoken?.url
  } = input
  if (!clean.test(path)) return refuse("address.path", "must be a path from /, without a query or spaces")
  if (!clean.test(namespace))
    return refuse("address.namespace", "must be a namespace from /, without a query")
  const rest = { path, namespace, events: spoken?.events }
  if (url === undefined) return Effect.succeed({ origin: api.origin, ...rest })
  return Effect.matchEffect(Settings.address("address.url", url), {
    onFailure: ({ rule }) => refuse("address.url", rule),
    onSuccess: (address) =>
      address.prefix === ""
        ? Effect.succeed({ origin: address.origin, ...rest })
        : refuse("address.url", "must end with the host or the port: the path has a field of its own")
  })
}

/** The token as a query, and the session's headers with the API key (specification, point 7). */
const handshakeOf =
  ({ dispatcher, headerNames }: Service, apiKey: string) =>
  ({ headers }: Credentials): Handshake => {
    const token = (headers[headerNames.authorization] ?? "").replace(/^Bearer /, "")
    const all = { ...headers, [headerNames.apiKey]: apiKey }
    return dispatcher.settings.dialect?.chat?.handshake(token, all) ?? { query: { token }, headers: all }
  }

/** The session with the secrets that only the platform's value knows. */
const masking = (
  session: CredentialsProvider.Session,
  chat: Pick<ChatDialect, "secrets"> | undefined
): CredentialsProvider.Session =>
  chat === undefined ? session : { ...session, secrets: () => [...session.secrets(), ...chat.secrets()] }

/**
 * Opens the chat, and waits until it is connected. Admins alone have a chat here: what end users write comes in by it. It closes with the scope, at a sign-out, and with its client. Fails
 * with CredentialsError `Missing` if the client has no API key, with ChatError `Timeout` or `Refused`, and with
 * InputError if an option breaks a rule.
 * @category operations
 */
export const open = (
  options: Options = {}
): Effect.Effect<Chat.Chat, ChatError | CredentialsError | InputError, Client | ChatSocket | Scope.Scope> =>
  Effect.gen(function* () {
    const client = yield* Client
    if (client.apiKey === undefined) {
      const advice = "the chat needs the project's API key: give the admin client its apiKey"
      return yield* new CredentialsError({ operation: "chat.open", reason: "Missing", advice })
    }
    const { settings } = client.dispatcher
    const {
      address = {},
      answers = settings.answers,
      history: past = {},
      ...rest
    } = yield* read("chat.open", "options", options, known, defaults)
    const history = past === false ? past : yield* read("chat.open", "history", past, knownOfHistory)
    if (!isListOfIds(rest.conversations)) return yield* refuse("conversations", "must be a list of ids")
    const chat = {
      ...rest,
      // Ids that the platform answered as numbers may be among them.
      conversations: rest.conversations?.map(String) ?? [],
      drift: settings.drift,
      dialect: settings.dialect?.chat,
      isTolerant: answers === "tolerant",
      address: yield* addressOf(settings, yield* read("chat.open", "address", address, knownOfAddress)),
      credentialsProvider: masking(client.session, settings.dialect?.chat),
      onEnd: client.session.onEnd,
      start: Effect.runFork,
      handshake: handshakeOf(client, Redacted.value(client.apiKey))
    }
    if (history === false) return yield* Chat.open(chat)
    const page = (id: string, page: number) =>
      client.dispatcher.call(Conversations.messages, { ...history.query, id, page }, { answers })
    const recovering = { page, ...(history.order === undefined ? {} : { order: history.order }) }
    return yield* Chat.open({ ...chat, history: recovering })
  })
