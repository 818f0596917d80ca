/**
 * Takes what the socket says: decodes it, knows what was told before, and tells the rest to callbacks and streams: what
 * is new as a message, what was told with other content as an update. While a gap is open, what comes in live is held
 * back, so that what was missed is told first; of a message that comes again meanwhile, the newest content is told.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import type { Failure } from "../kernel/codec/decoder.js"
import { Relay } from "../kernel/dispatch/relay.js"
import type { Reader } from "./decoding.js"
import type { ChatError } from "./errors.js"
import { Gap } from "./gap.js"
import { conversationOf, nameOf } from "./identity.js"
import { Known, missedOf, type News } from "./known.js"
import type { ChatEvent, Message } from "./model.js"
import { oldestFirst, timeOf } from "./order.js"
import type { Policy } from "./policy.js"
import type { Figures, Listeners, Problem } from "./state.js"

/**
 * `Live`: told at once. `Behind`: a reader is full, and nothing is kept but updates. `Gap`: held until what was missed has
 * been told; `isComplete` as long as nothing was deferred since the platform's pages were read, so that all can be told in
 * order. `isFirst`: no gap was opened yet, so that a history is that of the first connection.
 */
export type State =
  | { readonly _tag: "Live" | "Behind"; readonly isFirst: boolean }
  | { readonly _tag: "Gap"; readonly isComplete: boolean }

export type Event =
  /** A message came in live, which is not among those that wait. */
  | {
      readonly _tag: "Message"
      readonly news: News
      /** Whether the platform's pages can be asked for it: it names its conversation. */
      readonly isRecoverable: boolean
      readonly isReaderFull: boolean
      /** Whether as many messages wait as may. */
      readonly isGapFull: boolean
    }
  | { readonly _tag: "History" }
  /** The connection was lost, or the reader that was full has room. */
  | { readonly _tag: "GapOpened" }
  /** The platform's pages are read from here on. */
  | { readonly _tag: "ReadingBegan" }
  /** All that waited was told; meanwhile a history may have come. */
  | { readonly _tag: "Drained"; readonly hasHistories: boolean }

/** What is done with a message. */
type Placement = "Tell" | "Skip" | "Hold" | "HoldUpdate" | "ForgoUpdate" | "Defer" | "Drop"

/** What is to be done: with the message or the history of the event, or with the inbox. */
export type Action =
  | Placement
  | "DropOldest"
  | "CatchUp"
  | "TellHistory"
  | "TellMissed"
  | "HoldHistory"
  | "OpenGap"
  | "CloseGap"

export type Step = readonly [state: State, actions: ReadonlyArray<Action>]

const complete: State = { _tag: "Gap", isComplete: true }
const incomplete: State = { _tag: "Gap", isComplete: false }

/** A message that is not kept: the platform's pages have it. An update waits for them, for they may not show it. */
const deferral = ({ isGapFull, isRecoverable, news }: Extract<Event, { _tag: "Message" }>): Placement => {
  if (news === "changed") return isGapFull ? "ForgoUpdate" : "HoldUpdate"
  return isRecoverable ? "Defer" : "Drop"
}

/** What an event leads to. */
export const reduce = (overflow: Policy["overflow"], state: State, event: Event): Step => {
  switch (event._tag) {
    case "Message":
      if (event.news === "told") return [state, ["Skip"]]
      if (state._tag === "Gap") {
        // Behind one that was deferred, none is held: the next reading tells both in their order.
        if (state.isComplete && !event.isGapFull) return [state, ["Hold"]]
        return overflow === "drop-oldest" ? [state, ["DropOldest", "Hold"]] : [incomplete, [deferral(event)]]
      }
      if (state._tag === "Behind") return [state, [deferral(event)]]
      if (event.isReaderFull) return [{ ...state, _tag: "Behind" }, ["CatchUp", deferral(event)]]
      return [state, ["Tell"]]
    case "History":
      if (state._tag === "Gap") return [state, ["HoldHistory"]]
      return [state, [state.isFirst ? "TellHistory" : "TellMissed"]]
    case "GapOpened":
      return [state._tag === "Live" ? complete : state._tag === "Behind" ? incomplete : state, ["OpenGap"]]
    case "ReadingBegan":
      return [state._tag === "Gap" ? complete : state, []]
    case "Drained":
      return state._tag === "Gap" && state.isComplete && !event.hasHistories
        ? [{ _tag: "Live", isFirst: false }, ["CloseGap"]]
        : [state, []]
  }
}

/** Most messages that are told in one go. */
const slice = 256

/** Most histories that wait for a reader of the stream. */
const histories = 100

/** Longest name of a place in a problem, in characters: what is nested a thousand times deep has a path as long. */
const longestField = 200

/** Each message once, where it stood first, with the content that stood last. What nothing names stays as often as it is. */
const newestOf = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => [
  ...new Map(messages.map((message) => [nameOf(message) ?? message, message])).values()
]

export class Inbox {
  readonly known: Known
  readonly events: Relay<ChatEvent, ChatError>
  readonly history: Relay<ReadonlyArray<Message>, ChatError>
  /** Open once a reader is full: the chat is then behind, and the gap has to be recovered. */
  readonly fellBehind = Effect.unsafeMakeLatch(false)
  /** Open once a history came since the gap was opened. There is one where the server sends histories. */
  historyCame: Effect.Latch | undefined
  private state: State = { _tag: "Live", isFirst: true }
  private readonly gap = new Gap()

  constructor(
    private readonly policy: Policy,
    private readonly listeners: Listeners,
    private readonly figures: Figures,
    private readonly reader: Reader,
    /** When the chat was opened. */
    private readonly opened: Date,
    private readonly onSent: (message: Message) => void
  ) {
    this.known = new Known(Math.max(20_000, policy.buffer * 2))
    const { onHistory, onMessage, onUpdate } = listeners
    this.events = new Relay<ChatEvent, ChatError>({
      bound: policy.buffer,
      // A callback never waits for a stream that nobody may ever read.
      early: onMessage !== undefined ? "pass" : onUpdate !== undefined ? "keep" : "wait",
      kindOf: ({ _tag }) => _tag,
      onLost: (count) => {
        figures.dropped += count
      }
    })
    this.history = new Relay({ bound: histories, early: onHistory === undefined ? "keep" : "pass" })
  }

  /** One event of the socket. */
  receive(event: "chat" | "history", payload: unknown): void {
    if (event === "history") {
      const read = this.reader.history(payload)
      if (Either.isLeft(read)) return this.refuse(event, read.left)
      const { failures, messages } = read.right
      for (const failure of failures) this.refuse(event, failure)
      for (const message of messages) this.onSent(message)
      this.historyCame ??= Effect.unsafeMakeLatch(false)
      const newest = newestOf(oldestFirst(messages))
      this.figures.duplicates += messages.length - newest.length
      this.dispatch({ _tag: "History" }, newest)
    } else {
      const read = this.reader.message(payload)
      if (Either.isLeft(read)) return this.refuse(event, read.left)
      this.onSent(read.right)
      this.figures.received += 1
      this.take(read.right)
    }
  }

  /** Notes what cannot be read: nothing but that is left out. */
  private refuse(event: "chat" | "history", { field, rule }: Pick<Failure, "field" | "rule">): void {
    this.figures.malformed += 1
    const place = field.length > longestField ? `${field.slice(0, longestField - 1)}…` : field
    this.report({ _tag: "Malformed", event, field: place, rule })
  }

  private take(message: Message): void {
    if (this.gap.supersede(message)) {
      this.figures.duplicates += 1
      return
    }
    const event: Event = {
      _tag: "Message",
      // What nothing names cannot be told from its repetition: it is told rather than lost.
      news: nameOf(message) === undefined ? "new" : this.known.compare(message),
      isRecoverable: conversationOf(message) !== undefined,
      isReaderFull: this.state._tag === "Live" && !this.hasRoom,
      isGapFull: this.gap.size >= this.policy.buffer
    }
    this.dispatch(event, [message])
  }

  private get hasRoom(): boolean {
    return this.policy.overflow === "drop-oldest" || this.events.takes()
  }

  private dispatch(event: Event, messages: ReadonlyArray<Message> = []): void {
    const [state, actions] = reduce(this.policy.overflow, this.state, event)
    this.state = state
    for (const action of actions) this.perform(action, messages)
  }

  private perform(action: Action, messages: ReadonlyArray<Message>): void {
    const { figures, gap, known } = this
    switch (action) {
      case "CatchUp":
        return this.fellBehind.unsafeOpen()
      case "DropOldest":
        if (gap.oldest !== undefined) gap.remove(gap.oldest[0])
        figures.dropped += 1
        return
      case "OpenGap":
        known.openGap()
        this.fellBehind.unsafeClose()
        return this.historyCame?.unsafeClose()
      case "CloseGap":
        figures.dropped += gap.close()
        return
      case "TellHistory":
        return this.tellHistory(messages)
      case "HoldHistory":
        gap.addHistory(messages)
        return this.historyCame?.unsafeOpen()
      case "TellMissed":
        for (const message of missedOf(messages, known, this.opened)) this.take(message)
        return
    }
    for (const message of messages) this.place(action, message)
  }

  /** Does with one message what was decided. */
  private place(action: Placement, message: Message): void {
    const { figures, gap } = this
    if (action === "Tell") this.tell(message)
    else if (action === "Skip") figures.duplicates += 1
    else if (action === "Drop") figures.dropped += 1
    else if (action === "ForgoUpdate") gap.forgo(message)
    else if (action === "Defer") {
      figures.deferred += 1
      this.known.note(conversationOf(message) ?? "", timeOf(message))
    } else {
      if (action === "Hold") gap.hold(message)
      else gap.holdUpdate(message)
      figures.peakHeld = Math.max(figures.peakHeld, gap.size)
    }
  }

  /** The history of the first connection is told as such, but for what was told before. */
  private tellHistory(messages: ReadonlyArray<Message>): void {
    const changed = messages.filter((message) => this.known.compare(message) === "changed")
    const unknown = messages.filter((message) => this.known.compare(message) === "new")
    for (const message of unknown) this.known.add(message)
    this.figures.duplicates += messages.length - unknown.length - changed.length
    this.figures.history += unknown.length
    this.call(this.listeners.onHistory, unknown)
    this.history.tell(unknown)
    for (const message of changed) this.take(message)
  }

  /** Tells a message to everyone, and says what it was. */
  private tell(message: Message): News {
    this.gap.note(message)
    this.gap.regain(message)
    const isChanged = this.known.add(message) === "changed"
    this.figures[isChanged ? "updates" : "delivered"] += 1
    this.call(isChanged ? this.listeners.onUpdate : this.listeners.onMessage, message)
    this.events.tell({ _tag: isChanged ? "Update" : "Message", message })
    this.figures.peak = this.events.highest
    return isChanged ? "changed" : "new"
  }

  /** Tells a message that waited or was missed, unless it was told meanwhile. */
  private tellOnce(message: Message, isLive: boolean): News {
    const isRepeatable = isLive && nameOf(message) === undefined
    if (isRepeatable || this.known.compare(message) !== "told") return this.tell(message)
    this.gap.note(message)
    this.figures.duplicates += 1
    return "told"
  }

  private call<A>(callback: ((value: A) => void) | undefined, value: A): void {
    if (callback === undefined) return
    const called = Either.try(() => callback(value))
    if (Either.isLeft(called)) this.report({ _tag: "CallbackFailed", cause: called.left })
  }

  report(problem: Problem): void {
    this.figures.problems += 1
    const { onProblem } = this.listeners
    // Nobody is left to tell where this callback throws too.
    if (onProblem !== undefined) Either.try(() => onProblem(problem))
  }

  /** Opens a gap: from now on live messages are held. */
  openGap(): void {
    this.dispatch({ _tag: "GapOpened" })
  }

  /** The platform's pages are read anew: what is deferred from here on calls for another reading. */
  beginReading(): void {
    this.dispatch({ _tag: "ReadingBegan" })
    this.gap.beginReading()
  }

  /** The conversations that may have a gap: those that are known, and those that were heard of since it was opened. */
  conversations(): ReadonlySet<string> {
    return new Set([...this.known.conversations(), ...this.gap.conversations()])
  }

  /** Notes what a page of the platform holds, and which of its items are no messages. */
  turnPage(messages: ReadonlyArray<Message>, unreadable: ReadonlyArray<number>): void {
    this.gap.cover(messages)
    for (const index of unreadable)
      this.refuse("history", { field: `items.${index}`, rule: "must be an object" })
  }

  /** What was missed of the histories that came since the gap was opened. */
  takeHistories(): ReadonlyArray<Message> {
    return this.gap.takeHistories(this.known, this.opened)
  }

  /** Tells messages that were missed, as fast as the readers allow. */
  tellAll(messages: ReadonlyArray<Message>): Effect.Effect<void> {
    let next = 0
    for (const message of messages) this.onSent(message)
    return this.pour(
      () => messages[next],
      (message) => {
        next += 1
        if (this.tellOnce(this.gap.newestOf(message), false) === "new") this.figures.recovered += 1
      },
      () => undefined
    )
  }

  /** Tells what was held, and closes the gap; false where the platform's pages must be read once more. */
  readonly closeGap: Effect.Effect<boolean> = Effect.suspend(() =>
    this.pour(
      () => this.gap.oldest,
      ([key, message]) => {
        this.gap.remove(key)
        this.tellOnce(message, true)
      },
      () => {
        this.dispatch({ _tag: "Drained", hasHistories: this.gap.hasHistories })
        return this.state._tag !== "Gap"
      }
    )
  )

  /** Tells one after another, a slice at a time, and waits for the readers between them. */
  private pour<A, B>(next: () => A | undefined, tell: (item: A) => void, finish: () => B): Effect.Effect<B> {
    return Effect.suspend(() => {
      for (let told = 0; told < slice; told++) {
        const item = next()
        // In one go with the look at what is left, so that nothing comes in between.
        if (item === undefined) return Effect.succeed(finish())
        if (!this.hasRoom) return Effect.zipRight(this.events.hasRoom, this.pour(next, tell, finish))
        tell(item)
      }
      return Effect.zipRight(Effect.yieldNow(), this.pour(next, tell, finish))
    })
  }

  /** Ends all streams. */
  close(end: Exit.Exit<void, ChatError>): void {
    this.events.close(end)
    this.history.close(end)
    this.figures.dropped += this.gap.close()
  }
}
