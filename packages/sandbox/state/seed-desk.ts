/** Seeds the day's work: requests with comments, conversations with messages, notifications, boxes and events. */
import { boxTypes } from "@quartet/sdk/extend/models/boxes"
import type {
  Admin,
  Author,
  Box,
  Comment,
  Conversation,
  Event,
  Message,
  Notification,
  Request,
  User
} from "./entities.js"
import type { Random } from "./random.js"
import { detailedRequest } from "./seed-details.js"
import type { Pictures } from "./seed-files.js"
import * as Words from "./vocabulary.js"

export interface Desk {
  readonly requests: ReadonlyArray<Request>
  readonly conversations: ReadonlyArray<Conversation>
  readonly messages: ReadonlyArray<Message>
  readonly notifications: ReadonlyArray<Notification>
  readonly boxes: ReadonlyArray<Box>
  readonly events: ReadonlyArray<Event>
}

const minute = 60_000
const later = (date: Date, minutes: number): Date => new Date(date.getTime() + minutes * minute)

/** An end user as an author. */
export const userAuthor = ({ _id, fullName }: User): Author => ({ kind: "endUser", _id, name: fullName })
/** An admin as an author. */
export const adminAuthor = ({ _id, fullName }: Admin): Author => ({ kind: "admin", _id, name: fullName })

const request = (random: Random, user: User, admins: ReadonlyArray<Admin>): Request => {
  const [type, titles] = random.pick(Object.entries<ReadonlyArray<string>>(Words.wishes))
  const createdAt = random.date(Words.began, Words.ended)
  let time = createdAt
  const comments = Array.from({ length: random.int(0, 4) }, (_, index): Comment => {
    time = later(time, random.int(5, 3_000))
    const isAdmin = index % 2 === 0
    return {
      _id: random.id(),
      text: isAdmin ? random.pick(Words.answers) : random.pick(Words.replies),
      author: isAdmin ? adminAuthor(random.pick(admins)) : userAuthor(user),
      createdAt: time
    }
  })
  const status =
    comments.length === 0
      ? "pending"
      : random.pick(["pending", "confirmed", "rejected", "reviewed", "user_accepted", "archived"])
  const version = 1 + comments.length + (status === "pending" ? 0 : 1)
  return {
    _id: random.id(),
    userId: user._id,
    type,
    status,
    title: random.pick(titles),
    data: { district: random.pick(Words.districts), apartment: random.int(1, 240) },
    version,
    comments,
    seenByAdmin: random.int(0, version),
    seenByUser: random.int(1, version),
    createdAt,
    updatedAt: time
  }
}

const conversation = (random: Random, user: User, admins: ReadonlyArray<Admin>) => {
  const _id = random.id()
  const admin = random.pick(admins)
  const createdAt = random.date(Words.began, Words.ended)
  let time = createdAt
  const length = random.int(3, 14)
  const messages = Array.from({ length }, (_, index): Message => {
    time = later(time, random.int(1, 240))
    const isUser = index % 2 === 0
    const lines = isUser ? Words.replies : Words.answers
    return {
      _id: random.id(),
      conversationId: _id,
      text: index === 0 ? random.pick(Words.questions) : random.pick<string>(lines),
      sender: isUser ? userAuthor(user) : adminAuthor(admin),
      seen: index < length - 2,
      createdAt: time
    }
  })
  const conversation: Conversation = {
    _id,
    userId: user._id,
    userName: user.fullName,
    topic: random.pick(Words.topics),
    status: random.pick(["open", "open", "closed"]),
    lastMessage: messages.at(-1)?.text ?? null,
    createdAt,
    updatedAt: time
  }
  return { conversation, messages }
}

const notification = (random: Random, user: User): Notification => {
  const createdAt = random.date(Words.began, Words.ended)
  const seen = random.chance(0.6)
  const isPayment = random.chance(0.3)
  return {
    _id: random.id(),
    userId: user._id,
    channel: random.pick(["IN_APP", "IN_APP", "PUSH", "EMAIL"]),
    type: isPayment ? "PAYMENT" : null,
    sourceType: isPayment ? null : "News",
    title: isPayment ? "A payment is due" : "News from your house",
    body: isPayment ? "Please pay by the end of the month." : `Works in ${random.pick(Words.districts)}.`,
    seen,
    seenAt: seen ? later(createdAt, random.int(1, 900)) : null,
    createdAt,
    updatedAt: createdAt
  }
}

const event = (random: Random, user: User): Event => {
  const createdAt = random.date(Words.began, Words.ended)
  const startsAt = later(createdAt, random.int(1, 40) * 1_440)
  return {
    _id: random.id(),
    userId: user._id,
    title: random.pick(["Visit of a flat", "Signing of the contract", "Meeting with the designer", "Keys"]),
    place: random.pick(Words.districts),
    startsAt,
    endsAt: later(startsAt, 60),
    createdAt,
    updatedAt: createdAt
  }
}

const box = (random: Random, user: User | undefined): Box => {
  const createdAt = random.date(Words.began, Words.ended)
  return {
    _id: random.id(),
    type: random.pick(boxTypes),
    userId: user?._id ?? null,
    data: { score: random.int(0, 10), choices: random.some(Words.interests, 2) },
    createdAt,
    updatedAt: createdAt
  }
}

/** The users who can sign in recur often, so that their lists are never empty. */
const often = (random: Random, users: ReadonlyArray<User>, index: number): User =>
  users[index % 6] !== undefined && index % 6 < 2
    ? (users[index % 6] ?? random.pick(users))
    : random.pick(users)

export const seedDesk = (
  random: Random,
  users: ReadonlyArray<User>,
  admins: ReadonlyArray<Admin>,
  pictures: Pictures
): Desk => {
  const each = <A>(count: number, make: (user: User) => A): ReadonlyArray<A> =>
    Array.from({ length: count }, (_, index) => make(often(random, users, index)))
  const talks = each(20, (user) => conversation(random, user, admins))
  return {
    requests: each(80, (user) => request(random, user, admins)).map(detailedRequest(pictures)),
    conversations: talks.map((talk) => talk.conversation),
    messages: talks.flatMap((talk) => talk.messages),
    notifications: each(90, (user) => notification(random, user)),
    boxes: [
      ...each(24, (user) => box(random, user)),
      ...Array.from({ length: 16 }, () => box(random, undefined))
    ],
    events: each(36, (user) => event(random, user))
  }
}
