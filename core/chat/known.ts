/**
 * A chat's memory of delivered messages: a digest of each, to detect repetitions and changes, and the position of each
 * conversation, to find gaps. Bounded: the oldest entries are dropped first.
 */
import { clientNameOf, conversationOf, digest, idOf, keyOf } from "./identity.js"
import type { Message } from "./model.js"
import { timeOf, timesOf } from "./order.js"

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

  /** Sets a value without making its entry younger: what is forgotten first stays what came first. */
  replace(key: string, value: V): void {
    if (!this.young.has(key) && this.old.has(key)) this.old.set(key, value)
    else this.set(key, value)
  }

  keys(): ReadonlyArray<string> {
    return [...new Set([...this.old.keys(), ...this.young.keys()])]
  }
}

/** The position of a conversation. */
export interface Anchor {
  /** The key of the last delivered message; undefined if there is none. */
  readonly key: string | undefined
  /** The time of the last delivered message, or from which messages count as missed. */
  readonly time: Date | undefined
}

const later = (a: Date | undefined, b: Date | undefined): Date | undefined =>
  b === undefined || (a !== undefined && a.getTime() >= b.getTime()) ? a : b

/** A message compared with the delivered ones: new, changed, or repeated. */
export type News = "new" | "changed" | "told"

/** A delivered message's digest compared with that of a message with its key. */
export const newsOf = (was: number, message: Message): News => (was === digest(message) ? "told" : "changed")

/** What is known of the delivered messages. */
export interface Memory {
  readonly compare: (message: Message) => News
  /** Whether the message with this key is remembered. */
  readonly remembers: (key: string) => boolean
  readonly anchor: (conversationId: string, opened: Date) => Anchor
}

/** The entry of a message under the id of its sender's client. */
interface Said {
  /** The platform's id, once known. */
  readonly id: string | undefined
  readonly text: number
}

/** Minimum number of remembered conversations. */
const conversations = 1_000

export class Known implements Memory {
  /** Digests of the delivered messages by key. */
  private readonly digests: Generations<number>
  private readonly said: Generations<Said>
  private readonly anchors = new Generations<Anchor>(conversations)
  private latest: Date | undefined
  /** The latest message when the last gap was opened. */
  private horizon: Date | undefined

  /** Remembers at least the last `size` messages. */
  constructor(size: number) {
    this.digests = new Generations(size)
    this.said = new Generations(size)
  }

  remembers(key: string): boolean {
    return this.digests.get(key) !== undefined
  }

  compare(message: Message): News {
    const was = this.digests.get(keyOf(message))
    return was === undefined ? this.compareSaid(message) : newsOf(was, message)
  }

  /** A platform may send a message without an id, and again with one: it is recognised by its client's id. */
  private compareSaid(message: Message): News {
    const name = clientNameOf(message)
    const said = name === undefined ? undefined : this.said.get(name)
    // A client may reuse an id for a later message.
    if (said === undefined || said.text !== digest(message.text)) return "new"
    const id = idOf(message)
    if (id === undefined) return "told"
    return said.id === undefined || said.id === id ? "changed" : "new"
  }

  private remember(message: Message): void {
    this.digests.replace(keyOf(message), digest(message))
    const name = clientNameOf(message)
    if (name === undefined) return
    this.said.replace(name, { id: idOf(message) ?? this.said.get(name)?.id, text: digest(message.text) })
  }

  /** Remembers a message that is being delivered, as it compared with the delivered ones. */
  add(message: Message, news: News): void {
    if (news === "told") return
    this.remember(message)
    if (news === "changed") return
    const time = timeOf(message)
    this.latest = later(this.latest, time)
    const conversation = conversationOf(message)
    if (conversation === undefined) return
    const anchor = this.anchors.get(conversation)
    const isLate = anchor?.time !== undefined && time !== undefined && time < anchor.time
    // One that comes late, or again because it is forgotten, leaves the position where it is.
    const key = (isLate ? anchor.key : undefined) ?? keyOf(message)
    this.anchors.set(conversation, { key, time: later(anchor?.time, time) })
  }

  /** From now on messages are missed: the messages so far bound the gap of unknown conversations. */
  openGap(): void {
    this.horizon = this.latest
  }

  /** Remembers a conversation without messages yet, from a time on. */
  note(conversationId: string, time: Date | undefined): void {
    if (this.anchors.get(conversationId) !== undefined) return
    const bound = this.horizon ?? this.latest
    const isEarlier = bound !== undefined && (time === undefined || bound < time)
    this.anchors.set(conversationId, { key: undefined, time: isEarlier ? bound : time })
  }

  /** The position of a conversation. An unknown one continues from the opening of the gap, or from `opened`. */
  anchor(conversationId: string, opened: Date): Anchor {
    return this.anchors.get(conversationId) ?? { key: undefined, time: this.horizon ?? opened }
  }

  /** The conversations that can have a gap. */
  conversations(): ReadonlyArray<string> {
    return this.anchors.keys()
  }
}

/** The missed ones of a run of messages, oldest first: the new and the changed ones. */
export interface Missed {
  readonly messages: ReadonlyArray<Message>
  /** Whether the run holds a delivered message. */
  readonly met: boolean
  /** Whether everything before the run is known, or was there before the chat was opened. */
  readonly reached: boolean
}

/** The messages of a run from an anchor's time on, and those without a known time. */
const since = (run: ReadonlyArray<Message>, { time }: Anchor): ReadonlyArray<Message> => {
  const times = timesOf(run)
  return time === undefined ? run : run.filter((_, index) => (times[index] ?? time) >= time)
}

/**
 * Where the delivered messages of a run begin, -1 if it holds none. Where the position's message is forgotten, those
 * before it are too, and that some were delivered again since says nothing of the others: the position alone counts.
 */
const beginning = (
  run: ReadonlyArray<Message>,
  news: ReadonlyArray<News>,
  known: Memory,
  { key }: Anchor
): number =>
  key === undefined || known.remembers(key)
    ? news.findIndex((comparison) => comparison !== "new")
    : run.findIndex((message) => keyOf(message) === key)

/** Separates the missed messages of a run from delivered ones and those from before the chat was opened. */
export const missed = (run: ReadonlyArray<Message>, known: Memory, anchor: Anchor): Missed => {
  const news = run.map((message) => known.compare(message))
  const first = beginning(run, news, known, anchor)
  if (first !== -1) {
    const messages = run.filter(
      (_, index) => (index > first && news[index] === "new") || news[index] === "changed"
    )
    return { messages, met: true, reached: true }
  }
  const messages = since(run, anchor)
  return { messages, met: false, reached: messages.length < run.length }
}

/** The missed messages of a whole conversation of unknown order, which is found from the delivered ones, if any. */
export const missedOfAll = (
  all: ReadonlyArray<Message>,
  known: Memory,
  anchor: Anchor
): ReadonlyArray<Message> => {
  const isTold = (message: Message | undefined) => message !== undefined && known.compare(message) !== "new"
  const run = isTold(all.at(-1)) && !isTold(all[0]) ? [...all].reverse() : all
  const recent = new Set(since(run, anchor))
  return run.filter((message) => {
    const news = known.compare(message)
    return news === "changed" || (news === "new" && recent.has(message) && keyOf(message) !== anchor.key)
  })
}

/** The missed messages of a list that holds several conversations. */
export const missedOf = (
  list: ReadonlyArray<Message>,
  known: Memory,
  opened: Date
): ReadonlyArray<Message> => {
  const missing = new Set<Message>()
  for (const id of new Set(list.map(conversationOf))) {
    const run = list.filter((message) => conversationOf(message) === id)
    for (const message of missed(run, known, known.anchor(id ?? "", opened)).messages) missing.add(message)
  }
  return list.filter((message) => missing.has(message))
}
