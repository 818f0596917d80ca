/**
 * Decodes the socket's events, drops repetitions, and delivers the rest to callbacks and streams: new messages as
 * messages, changed ones as updates. While a gap is open, live messages are held back, so that missed ones are
 * delivered first; if a message arrives again meanwhile, its newest content is delivered.
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Exit from "effect/Exit"
import { isPromiseLike } from "effect/Predicate"
import type { Failure } from "../kernel/codec/decoder.js"
import { Broadcast } from "./broadcast.js"
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
 * `Live`: delivered at once. `Behind`: a reader is full, and only updates are kept. `Gap`: held until missed messages
 * are delivered; `isComplete` as long as nothing was deferred since the platform's pages were read, so that all can be
 * delivered in order. `isFirst`: no gap was opened yet, so that a history is that of the first connection.
 */
export type State =
  | { readonly _tag: "Live" | "Behind"; readonly isFirst: boolean }
  | { readonly _tag: "Gap"; readonly isComplete: boolean }

export type Event =
  /** A live message arrived that is not among the waiting ones. */
  | {
      readonly _tag: "Message"
      readonly news: News
      /** Whether the platform's pages can be read for it: it names its conversation. */
      readonly isRecoverable: boolean
      readonly isReaderFull: boolean
      /** Whether the maximum of messages waits. */
      readonly isGapFull: boolean
    }
  | { readonly _tag: "History" }
  /** The connection was lost, or the full reader has room. */
  | { readonly _tag: "GapOpened" }
  /** The reading of the platform's pages begins. */
  | { readonly _tag: "ReadingBegan" }
  /** All waiting messages were delivered; a history may have arrived meanwhile. */
  | { readonly _tag: "Drained"; readonly hasHistories: boolean }

/** The action for a message. */
type Placement = "Tell" | "Skip" | "Hold" | "HoldUpdate" | "DropUpdate" | "Defer" | "Drop"

/** The actions: for the message or the history of the event, or for the inbox. */
export type Action =
  | Placement
  | "DropOldest"
  | "CatchUp"
  | "TellHistory"
  | "TellMissed"
  | "HoldHistory"
  | "OpenGap"
  | "AwaitHistory"
  | "CloseGap"

export type Step = readonly [state: State, actions: ReadonlyArray<Action>]

const complete: State = { _tag: "Gap", isComplete: true }
const incomplete: State = { _tag: "Gap", isComplete: false }

/** A message that is not kept: the platform's pages have it. An update waits for them, because they may not show it. */
const deferral = ({ isGapFull, isRecoverable, news }: Extract<Event, { _tag: "Message" }>): Placement => {
  if (news === "changed") return isGapFull ? "DropUpdate" : "HoldUpdate"
  return isRecoverable ? "Defer" : "Drop"
}

/** The transition for an event. */
export const reduce = (overflow: Policy["overflow"], state: State, event: Event): Step => {
  switch (event._tag) {
    case "Message":
      if (event.news === "told") return [state, ["Skip"]]
      if (state._tag === "Gap") {
        // After a deferred one, none is held: the next reading delivers both in order.
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
      // A gap that is open goes on from where it began, whatever was recovered meanwhile.
      if (state._tag === "Gap") return [state, ["AwaitHistory"]]
      return [state._tag === "Live" ? complete : incomplete, ["OpenGap", "AwaitHistory"]]
    case "ReadingBegan":
      return [state._tag === "Gap" ? complete : state, []]
    case "Drained":
      return state._tag === "Gap" && state.isComplete && !event.hasHistories
        ? [{ _tag: "Live", isFirst: false }, ["CloseGap"]]
        : [state, []]
  }
}

/** Maximum messages that are delivered at once. */
const slice = 256

/** Maximum histories that wait for a reader of the stream. */
const histories = 100

/** Longest name of a place in a problem, in characters: a deeply nested value has a path as long. */
const longestField = 200

/** Each message once, at its first position, with its last content. Messages without an id are all kept. */
const newestOf = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => [
  ...new Map(messages.map((message) => [nameOf(message) ?? message, message])).values()
]

export class Inbox {
  readonly known: Known
  readonly events: Broadcast<ChatEvent, ChatError>
  readonly history: Broadcast<ReadonlyArray<Message>, ChatError>
  /** Open once a reader is full: the chat is then behind, and the gap has to be recovered. */
  readonly fellBehind = Effect.unsafeMakeLatch(false)
  /** Open once a history arrived since the gap was opened, if the server sends histories. */
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
    private readonly onSent: (message: Message) => void,
    /** Runs what a callback answers, until the chat ends. */
    private readonly start: (effect: Effect.Effect<void>) => void
  ) {
    this.known = new Known(Math.max(20_000, policy.buffer * 2))
    const { onHistory, onMessage, onUpdate } = listeners
    this.events = new Broadcast<ChatEvent, ChatError>({
      bound: policy.buffer,
      // A callback never waits for a stream that may never be read.
      early: onMessage !== undefined ? "pass" : onUpdate !== undefined ? "keep" : "wait",
      kindOf: ({ _tag }) => _tag,
      onLost: (count) => {
        figures.dropped += count
      }
    })
    this.history = new Broadcast({ bound: histories, early: onHistory === undefined ? "keep" : "pass" })
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

  /** Records what cannot be read; only that is omitted. */
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
      news: this.newsOf(message),
      isRecoverable: conversationOf(message) !== undefined,
      isReaderFull: this.state._tag === "Live" && !this.hasRoom,
      isGapFull: this.gap.size >= this.policy.buffer
    }
    this.dispatch(event, [message])
  }

  /** A live message without an id cannot be distinguished from its repetition: it is delivered rather than lost. */
  private newsOf(message: Message): News {
    return nameOf(message) === undefined ? "new" : this.known.compare(message)
  }

  private get hasRoom(): boolean {
    return this.policy.overflow === "drop-oldest" || this.events.takes()
  }

  private dispatch(event: Event, messages: ReadonlyArray<Message> = []): void {
    const [state, actions] = reduce(this.policy.overflow, this.state, event)
    this.state = state
    const news = event._tag === "Message" ? event.news : "new"
    for (const action of actions) this.perform(action, messages, news)
  }

  private perform(action: Action, messages: ReadonlyArray<Message>, news: News): void {
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
        return this.fellBehind.unsafeClose()
      case "AwaitHistory":
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
    for (const message of messages) this.place(action, message, news)
  }

  /** Runs the actions for one message. */
  private place(action: Placement, message: Message, news: News): void {
    const { figures, gap } = this
    if (action === "Tell") this.tell(message, news)
    else if (action === "Skip") figures.duplicates += 1
    else if (action === "Drop") figures.dropped += 1
    else if (action === "DropUpdate") gap.dropUpdate(message)
    else if (action === "Defer") {
      figures.deferred += 1
      this.known.note(conversationOf(message) ?? "", timeOf(message))
    } else {
      if (action === "Hold") gap.hold(message)
      else gap.holdUpdate(message)
      figures.peakHeld = Math.max(figures.peakHeld, gap.size)
    }
  }

  /** The history of the first connection is delivered as such, without earlier messages. */
  private tellHistory(messages: ReadonlyArray<Message>): void {
    const changed = messages.filter((message) => this.known.compare(message) === "changed")
    const unknown = messages.filter((message) => this.known.compare(message) === "new")
    for (const message of unknown) this.known.add(message, this.known.compare(message))
    this.figures.duplicates += messages.length - unknown.length - changed.length
    this.figures.history += unknown.length
    this.call(this.listeners.onHistory, unknown)
    this.history.tell(unknown)
    for (const message of changed) this.take(message)
  }

  /** Delivers a message to all. */
  private tell(message: Message, news: News): void {
    this.gap.note(message)
    this.gap.regain(message)
    this.known.add(message, news)
    const isChanged = news === "changed"
    this.figures[isChanged ? "updates" : "delivered"] += 1
    this.call(isChanged ? this.listeners.onUpdate : this.listeners.onMessage, message)
    this.events.tell({ _tag: isChanged ? "Update" : "Message", message })
    this.figures.peak = this.events.highest
  }

  /** Delivers a waiting or missed message, unless it was delivered meanwhile. */
  private tellOnce(message: Message, isLive: boolean): News {
    const news = isLive ? this.newsOf(message) : this.known.compare(message)
    if (news !== "told") {
      this.tell(message, news)
      return news
    }
    this.gap.note(message)
    this.figures.duplicates += 1
    return news
  }

  /** Calls a callback, and runs an Effect that it answers. A Promise that rejects is a failure, too. */
  private call<A>(
    callback: ((value: A) => unknown) | undefined,
    value: A,
    onFailure = (cause: unknown): void => this.report({ _tag: "CallbackFailed", cause })
  ): void {
    if (callback === undefined) return
    const called = Either.try(() => callback(value))
    if (Either.isLeft(called)) return onFailure(called.left)
    const answer = called.right
    if (isPromiseLike(answer)) answer.then(undefined, onFailure)
    if (!Effect.isEffect(answer)) return
    // One that needs a service fails as a defect: the types take none.
    const effect = answer as Effect.Effect<unknown, unknown>
    this.start(
      Effect.catchAllCause(Effect.asVoid(effect), (cause) =>
        Cause.isInterruptedOnly(cause) ? Effect.void : Effect.sync(() => onFailure(Cause.squash(cause)))
      )
    )
  }

  report(problem: Problem): void {
    this.figures.problems += 1
    // If this callback fails too, there is no further receiver.
    this.call(this.listeners.onProblem, problem, () => undefined)
  }

  /** Opens a gap, unless one is open: from now on live messages are held. */
  openGap(): void {
    this.dispatch({ _tag: "GapOpened" })
  }

  /** The platform's pages are read again: messages deferred from now on need another reading. */
  beginReading(): void {
    this.dispatch({ _tag: "ReadingBegan" })
    this.gap.beginReading()
  }

  /** The conversations that may have a gap: the known ones, and those with messages since it was opened. */
  conversations(): ReadonlySet<string> {
    return new Set([...this.known.conversations(), ...this.gap.conversations()])
  }

  /** Records the messages of a page of the platform, and its invalid items. */
  turnPage(messages: ReadonlyArray<Message>, unreadable: ReadonlyArray<number>): void {
    this.gap.cover(messages)
    for (const index of unreadable)
      this.refuse("history", { field: `items.${index}`, rule: "must be an object" })
  }

  /** The missed messages of the histories since the gap was opened. */
  takeHistories(): ReadonlyArray<Message> {
    return this.gap.takeHistories(this.known, this.opened)
  }

  /** Delivers missed messages, as fast as the readers allow. */
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

  /** Delivers the held messages, and closes the gap; false if the platform's pages must be read again. */
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

  /** Delivers in slices, and waits for the readers between them. */
  private pour<A, B>(next: () => A | undefined, tell: (item: A) => void, finish: () => B): Effect.Effect<B> {
    return Effect.suspend(() => {
      for (let count = 0; count < slice; count++) {
        const item = next()
        // In one step with the check of the rest, so that nothing comes in between.
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
