"use client"
/** Hooks of what changes by itself: chats, live lists and sessions. */
import { identity } from "effect/Function"
import * as React from "react"
import type { ChatActions, ChatState, ChatStore } from "../chat-store.js"
import type { Live, LiveActions, LiveState } from "../live.js"
import type { Session, SessionActions, SessionState } from "../session.js"
import { useStore } from "./store.js"

/**
 * A chat, open while a component shows it: its connection, its messages, and those that wait to be sent. With a
 * `conversationId`, that conversation alone. All components that use one chat share one connection.
 * @category hooks
 */
export const useChat = <E>(
  chat: ChatStore<E>,
  { conversationId }: { readonly conversationId?: string } = {}
): ChatState<E> & ChatActions => {
  const view = React.useCallback(
    ({ connection, messages, outgoing }: ChatState<E>): ChatState<E> => {
      const isHere = (place: { readonly conversationId?: string | null | undefined }): boolean =>
        conversationId === undefined || place.conversationId === conversationId
      return {
        connection,
        messages: messages.filter(isHere),
        outgoing: outgoing.filter(({ draft }) => isHere(draft))
      }
    },
    [conversationId]
  )
  return useStore(chat, view)
}

type LiveShown<E> = Exclude<LiveState<E>, { readonly status: "defect" }>

const liveState = <E>(state: LiveState<E>): LiveShown<E> => {
  if (state.status === "defect") throw state.defect
  return state
}

/**
 * Keeps answers up to date by events while a component uses it: the answers of queries change as the events of its
 * source say, and nothing is fetched where the event holds the new thing. A fault in a source or a rule is thrown to
 * the nearest error boundary.
 * @category hooks
 */
export const useLive = <E>(live: Live<E>): LiveShown<E> & LiveActions => useStore(live, liveState)

/**
 * Who is signed in, ways to sign in and out, and what they may do. `can` reads the token's permissions and sends
 * nothing; it knows the level of a call.
 *
 * @example
 * ```tsx
 * import * as FetchTransport from "@quartet/sdk/adapters/fetch"
 * import * as Admin from "@quartet/sdk/admin"
 * import { makeQueryClient, useSession } from "@quartet/react"
 * import * as Layer from "effect/Layer"
 *
 * const account = { baseUrl: "https://api.example.com", projectId: "p1", email: "ada@example.com", password: "…" }
 * const client = makeQueryClient(Layer.provide(Admin.layer(account), FetchTransport.layer))
 * const Seen = () => {
 *   const session = useSession(client.session)
 *   return session.status === "signed-in" && session.can(Admin.requests.markSeen) ? <button type="button">Seen</button> : null
 * }
 * ```
 * @category hooks
 */
export const useSession = <C, E>(session: Session<C, E>): SessionState<E> & SessionActions<C, E> =>
  useStore(session, identity)
