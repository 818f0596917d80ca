/**
 * What a chat remembers of the messages that it has told: their ids, so that none is told twice, and where each
 * conversation stands, so that a gap can be found again. Bounded: the oldest memories go first.
 */
import type { Message } from "./model.js"

/** A map that forgets its older half, all at once, whenever its younger half is full. */
export class Generations<V> {
  private young = new Map<string, V>()
  private old = new Map<string, V>()

  /** Between `half` and twice as many entries are remembered. */
  constructor(private readonly half: number) {}

  get(key: string): V | undefined {
    return this.young.get(key) ?? this.old.get(key)
  }

  set(key: string, value: V): void {
    this.young.set(key, value)
    if (this.young.size < this.half) return
    this.old = this.young
    this.young = new Map()
  }

  keys(): ReadonlyArray<string> {
    return [...new Set([...this.old.keys(), ...this.young.keys()])]
  }
}

/** Where a conversation stands. */
export interface Anchor {
  /** The id of the message that was told last; undefined where none was. */
  readonly id: string | undefined
  /** The time of the latest message told, or from which on messages count as missed. */
  readonly time: Date | undefined
}

const later = (a: Date | undefined, b: Date | null | undefined): Date | undefined =>
  b === undefined || b === null || (a !== undefined && a >= b) ? a : b

/** Conversations that are remembered, at least. */
const conversations = 1_000

export class Known {
  private readonly ids: Generations<true>
  private readonly anchors = new Generations<Anchor>(conversations)
  private latest: Date | undefined
  /** The latest message when the last gap was opened. */
  private horizon: Date | undefined

  /** Remembers the ids of at least the last `size` messages. */
  constructor(size: number) {
    this.ids = new Generations(size)
  }

  has(id: string): boolean {
    return this.ids.get(id) === true
  }

  /** Remembers once more a message that was told. */
  remember(id: string): void {
    this.ids.set(id, true)
  }

  /** Remembers a message that is being told; false where it was told before. */
  add(message: Message): boolean {
    if (this.has(message._id)) return false
    this.ids.set(message._id, true)
    this.latest = later(this.latest, message.createdAt)
    const { conversationId } = message
    if (conversationId !== undefined && conversationId !== null) {
      const time = later(this.anchors.get(conversationId)?.time, message.createdAt)
      this.anchors.set(conversationId, { id: message._id, time })
    }
    return true
  }

  /** From here on messages are missed: what was told until now bounds the gap of conversations that are not known. */
  openGap(): void {
    this.horizon = this.latest
  }

  /** Remembers a conversation of which nothing was told yet, where it goes on from a time at the latest. */
  note(conversationId: string, time: Date | undefined): void {
    if (this.anchors.get(conversationId) !== undefined) return
    const bound = this.horizon ?? this.latest
    const isEarlier = bound !== undefined && (time === undefined || bound < time)
    this.anchors.set(conversationId, { id: undefined, time: isEarlier ? bound : time })
  }

  /** Where a conversation stands. One that is not known goes on from where the gap was opened, or from `opened`. */
  anchor(conversationId: string, opened: Date): Anchor {
    return this.anchors.get(conversationId) ?? { id: undefined, time: this.horizon ?? opened }
  }

  /** The conversations that can have a gap. */
  conversations(): ReadonlyArray<string> {
    return this.anchors.keys()
  }
}

/** What of a run of messages, oldest first, was missed. */
export interface Missed {
  readonly messages: ReadonlyArray<Message>
  /** Whether the run holds a message that was told. */
  readonly met: boolean
  /** Whether everything before the run is known, or was there before the chat was opened. */
  readonly reached: boolean
}

/** Whether a message is from the time of an anchor or later, as far as is known. */
const isFrom = ({ createdAt }: Message, { time }: Anchor): boolean =>
  time === undefined || !(createdAt instanceof Date) || createdAt >= time

/** Tells the missed messages of a run from those that were told, or that were there before the chat was opened. */
export const missed = (run: ReadonlyArray<Message>, known: Known, anchor: Anchor): Missed => {
  const first = run.findIndex(({ _id }) => known.has(_id) || _id === anchor.id)
  if (first !== -1) {
    const messages = run.slice(first + 1).filter(({ _id }) => !known.has(_id))
    return { messages, met: true, reached: true }
  }
  const messages = run.filter((message) => isFrom(message, anchor))
  return { messages, met: false, reached: messages.length < run.length }
}

/** The missed messages of a whole conversation whose order is not known: it is told by what was told, if by anything. */
export const missedOfAll = (
  all: ReadonlyArray<Message>,
  known: Known,
  anchor: Anchor
): ReadonlyArray<Message> => {
  const isTold = (message: Message | undefined) => message !== undefined && known.has(message._id)
  const run = isTold(all.at(-1)) && !isTold(all[0]) ? [...all].reverse() : all
  return run.filter((message) => !isTold(message) && isFrom(message, anchor))
}

/** The missed messages of a list that holds several conversations. */
export const missedOf = (
  list: ReadonlyArray<Message>,
  known: Known,
  opened: Date
): ReadonlyArray<Message> => {
  const found = new Set<Message>()
  for (const id of new Set(list.map(({ conversationId }) => conversationId ?? ""))) {
    const run = list.filter(({ conversationId }) => (conversationId ?? "") === id)
    for (const message of missed(run, known, known.anchor(id, opened)).messages) found.add(message)
  }
  return list.filter((message) => found.has(message))
}
