/**
 * The chat: connections, messages and their receivers. An admin receives all conversations; an end user, who may
 * connect with session and API key, only their own. Used by the in-process socket and socket.io.
 */

import { Grants, Levels as Level } from "@quartet/sdk/extend"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Caller from "../platform/caller.js"
import { forbidden, invalid, notFound, type Refusal, unauthenticated } from "../platform/refusal.js"
import { type ChatWire, type Handshake, plain } from "../platform/wire.js"
import type { Author, Conversation, Message } from "../state/entities.js"
import { fieldsOf, textOf } from "../state/rows.js"
import { adminAuthor, userAuthor } from "../state/seed-desk.js"
import type { State } from "../state/state.js"

/** Sends an event to one connection. */
export type Tell = (event: string, payload: unknown) => void

/** One connection. */
export interface Seat {
  /** Sends a message; returns the acknowledgement: the message, or an error. */
  readonly say: (payload: unknown) => Effect.Effect<unknown>
  readonly leave: () => void
}

/** The participants. */
export type Speaker = Caller.AdminCaller | Caller.EndUserCaller

/** What a user says, as a chat sends it. @category models */
export interface Saying {
  /** Id of a conversation of theirs. */
  readonly conversationId: string
  /** What is written. */
  readonly text: string
  /** The id that the sending client made. */
  readonly clientId?: string
}

/** The sandbox's chat. @category models */
export interface Hub {
  /** The participant of a handshake. */
  readonly identify: (handshake: Handshake) => Effect.Effect<Speaker, Refusal>
  /** Connects a participant and sends the history at once. `end` ends the connection. */
  readonly join: (speaker: Speaker, tell: Tell, end: () => void) => Seat
  /** Sends a message as an end user, without a connection. It fails where there is no such user, or where the conversation is not theirs. */
  readonly sayAs: (userId: string, payload: Saying) => Effect.Effect<Message, Refusal>
  /** Ends all connections, like a restart of the platform. */
  readonly disconnectAll: () => void
  /** How many connections are open now: one for each chat that is open. */
  readonly size: () => number
}

interface Member {
  readonly caller: Speaker
  readonly tell: Tell
  readonly end: () => void
}

/** Maximum messages of the history. */
const historyLength = 50

const hears = (caller: Speaker, conversation: Conversation | undefined): boolean =>
  conversation !== undefined && (caller.audience === "admin" || conversation.userId === caller.user._id)

const identify = (
  state: State,
  { headers, query }: Handshake,
  now: Date
): Effect.Effect<Speaker, Refusal> => {
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? "")?.[1]
  const token = query.token ?? bearer
  const sessionId = headers["x-session-id"]
  const apiKey = headers["x-api-key"]
  if (apiKey === undefined) return Effect.fail(unauthenticated("the API key is missing"))
  if (apiKey !== state.project.api_key) return Effect.fail(unauthenticated("the API key is wrong"))
  if (token !== undefined) return Caller.admin(state, token, sessionId, now)
  return sessionId === undefined
    ? Effect.fail(unauthenticated("the token is missing"))
    : Caller.endUser(state, sessionId, apiKey, now)
}

export const make = (state: State, wire: ChatWire = plain.chat): Hub => {
  const members = new Set<Member>()
  /** Ids of messages by sender, conversation and the sender's own id: a repeated message is sent once. */
  const named = new Map<string, string>()

  const history = (caller: Speaker): ReadonlyArray<Message> =>
    [
      ...state.messages.filter(({ conversationId }) =>
        hears(caller, state.conversations.peek(conversationId))
      )
    ]
      .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
      .slice(-historyLength)

  const tellAll = (message: Message): void => {
    const conversation = state.conversations.peek(message.conversationId)
    for (const member of members)
      if (hears(member.caller, conversation)) member.tell(wire.chat, wire.told("chat", message))
  }
  // A changed message, such as a seen one, is sent again.
  state.messages.onChange = tellAll

  const say = (
    sender: Author,
    mayUse: (conversation: Conversation) => boolean,
    payload: unknown
  ): Effect.Effect<Message, Refusal> =>
    Effect.gen(function* () {
      const now = new Date(yield* Effect.clockWith((clock) => clock.currentTimeMillis))
      const fields = yield* fieldsOf(payload)
      const conversationId = yield* textOf(fields, "conversationId")
      const text = yield* textOf(fields, "text")
      const { clientId } = fields
      if (clientId !== undefined && typeof clientId !== "string")
        return yield* invalid("clientId", "must be text")
      const conversation = yield* state.conversations.get(conversationId, mayUse)
      const name = `${sender._id}/${conversationId}/${clientId}`
      const known = clientId === undefined ? undefined : state.messages.peek(named.get(name) ?? "")
      if (known !== undefined) return known
      const message: Message = {
        ...fields,
        _id: state.random.id(),
        conversationId,
        text,
        sender,
        seen: false,
        createdAt: now
      }
      state.messages.put(message)
      if (clientId !== undefined) named.set(name, message._id)
      state.conversations.put({ ...conversation, lastMessage: text, updatedAt: now })
      tellAll(message)
      return message
    })

  const speak = (caller: Speaker, payload: unknown): Effect.Effect<Message, Refusal> => {
    if (caller.audience === "endUser")
      return say(userAuthor(caller.user), (conversation) => hears(caller, conversation), payload)
    const verdict = Grants.check(caller.grants, "conversations", "send", Level.Write, "intended")
    return verdict.allowed
      ? say(adminAuthor(caller.admin), () => true, payload)
      : Effect.fail(forbidden(`${caller.admin.email} lacks conversations.send at level ${Level.Write}`))
  }

  return {
    identify: (handshake) =>
      Effect.clockWith((clock) => {
        const now = new Date(clock.unsafeCurrentTimeMillis())
        return identify(state, wire.handshake(handshake, now), now)
      }),
    join: (caller, tell, end) => {
      const member: Member = { caller, tell, end }
      members.add(member)
      tell(wire.history, wire.told("history", { messages: history(caller) }))
      const heard = (payload: unknown) =>
        Effect.flatMap(wire.heard(payload), (message) => speak(caller, message))
      return {
        say: (payload) =>
          Effect.map(Effect.either(heard(payload)), (result) =>
            wire.told(
              "acknowledgement",
              Either.isRight(result)
                ? { message: result.right }
                : { error: { code: result.left.code, message: result.left.message } }
            )
          ),
        leave: () => {
          members.delete(member)
        }
      }
    },
    sayAs: (userId, payload) => {
      const user = state.users.peek(userId)
      if (user === undefined) return Effect.fail(notFound("the user"))
      return say(userAuthor(user), (conversation) => conversation.userId === userId, payload)
    },
    disconnectAll: () => {
      for (const member of [...members]) member.end()
    },
    size: () => members.size
  }
}
