"use client"
/** The hooks for what lasts: a chat, and the session. */
import { useMemo } from "react"
import type { Draft } from "../../core/chat/model.js"
import type { Identity } from "./account.js"
import { useRegistry, useValue } from "./engine.js"
import { type ChatState, type ChatStore, ChatStoreId } from "./live.js"
import type { Outcome } from "./mutation.js"
import type { PermissionArgs, Session, SessionState } from "./session.js"

/** Ways to act in a chat. */
export interface ChatActions {
  /** Sends a draft: it is shown as pending at once, and its id is answered. */
  readonly send: (draft: Draft) => string
  /** Sends a message that failed again, under the same id. */
  readonly retry: (clientId: string) => void
  /** Forgets a message that failed. */
  readonly discard: (clientId: string) => void
  /** Opens a chat anew that was closed or has failed. */
  readonly reopen: () => void
}

/**
 * A chat, open while a component shows it: its connection, what was said, and what is on its way out. With a
 * `conversationId`, of that conversation alone.
 */
export const useChat = <E>(
  live: ChatStore<E>,
  { conversationId }: { readonly conversationId?: string } = {}
): ChatState<E> & ChatActions => {
  const registry = useRegistry()
  const { connection, messages, outgoing } = useValue(live)
  const actions = useMemo((): ChatActions => {
    const { discard, reopen, retry, send } = live[ChatStoreId]
    return {
      send: (draft) => send(registry, draft),
      retry: (clientId) => retry(registry, clientId),
      discard: (clientId) => discard(registry, clientId),
      reopen: () => reopen(registry)
    }
  }, [live, registry])
  return useMemo(() => {
    const isHere = (id: string | null | undefined): boolean =>
      conversationId === undefined || id === conversationId
    return {
      connection,
      messages: messages.filter((message) => isHere(message.conversationId)),
      outgoing: outgoing.filter(({ draft }) => isHere(draft.conversationId)),
      ...actions
    }
  }, [connection, messages, outgoing, conversationId, actions])
}

/** Ways to act on a session. */
export interface SessionActions<C, E> {
  /** Signs in with these credentials, and tells how it ended. It never rejects. */
  readonly signIn: (credentials: C) => Promise<Outcome<Identity, E>>
  readonly signOut: () => Promise<void>
  /** Whether a call, or a slice's action, is permitted; false while nobody is signed in. The platform stays the judge. */
  readonly can: (...wish: PermissionArgs) => boolean
}

/**
 * Who is signed in, ways to sign in and out, and what they may do:
 *
 * ```tsx
 * const session = useSession(client.session)
 * if (session.status === "signed-in" && session.can(Admin.requests.markSeen)) …
 * ```
 */
export const useSession = <C, E>(session: Session<C, E>): SessionState<E> & SessionActions<C, E> => {
  const registry = useRegistry()
  const state = useValue(session)
  return useMemo(
    () => ({
      ...state,
      signIn: (credentials: C) => session.signIn(registry, credentials),
      signOut: () => session.signOut(registry),
      can: (...wish: PermissionArgs) => session.can(registry, ...wish)
    }),
    [state, session, registry]
  )
}
