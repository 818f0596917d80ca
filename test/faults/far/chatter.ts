/** People who chat on the platform: they say numbered messages in several conversations, at a steady pace. */

import type { Served } from "@quartet/sandbox/server"
import * as Effect from "effect/Effect"
import { tally } from "../tally.js"

export interface Pace {
  readonly messages: number
  readonly conversations: number
  /** Messages that are said at once, and milliseconds from one such moment to the next. */
  readonly atOnce: number
  readonly every: number
}

const textOf = (number: number): string => `message ${number}`
export const numberIn = (text: string): number => Number(text.slice(text.lastIndexOf(" ") + 1))

export const make = ({ control, hub }: Served, pace: Pace) => {
  const { state } = control
  const user = state.users.all()[0]
  const userId = user?._id ?? ""
  const now = new Date()
  const conversation = {
    userId,
    userName: user?.fullName ?? "",
    topic: "General",
    createdAt: now,
    updatedAt: now
  }
  const open = (id: string): string =>
    state.conversations.put({ _id: id, status: "open", ...conversation })._id
  const conversations = Array.from({ length: pace.conversations }, (_, index) => open(`qt-chat-${index}`))
  const own = open("qt-own-0")
  let said = 0
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => clearInterval(timer)
  const say = (): void => {
    for (let count = 0; count < pace.atOnce && said < pace.messages; count++) {
      const conversationId = conversations[said % conversations.length] ?? ""
      const text = textOf(Math.floor(said / conversations.length))
      Effect.runSync(hub.sayAs(userId, { conversationId, text }))
      said += 1
    }
    if (said >= pace.messages) stop()
  }
  return {
    /** Ids of the conversations, and of the one in which the client under torture speaks. */
    opened: { conversations, own },
    start: () => {
      timer = setInterval(say, pace.every)
    },
    said: () => said,
    /** How often each message of the own conversation is there, by the id that its sender made. */
    heard: (): ReadonlyArray<readonly [clientId: string, times: number]> => {
      const spoken = state.messages.all().filter(({ conversationId }) => conversationId === own)
      return [...tally(spoken.flatMap(({ clientId }) => (typeof clientId === "string" ? [clientId] : [])))]
    },
    stop
  }
}
