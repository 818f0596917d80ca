/** Everything that a client does, at once and in random order, with calls that are cancelled in every state. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Random as Seeded } from "@quartet/sandbox/extend"
import { Effect, Exit, Fiber, Scope, Stream } from "effect"
import * as Socket from "../../../adapters/socket/index.js"
import * as Admin from "../../../clients/admin/index.js"
import * as EndUser from "../../../clients/end-user/index.js"
import * as Private from "../../../clients/private/index.js"
import * as Public from "../../../clients/public/index.js"
import { pages } from "../../../core/kernel/dispatch/streaming.js"
import { ChatSocket } from "../../../core/ports/chat-socket.js"
import { asAdmin, asEndUser, asServer, asVisitor, type Group, makeGroup, openWay } from "../clients.js"
import { weighted } from "../tally.js"

export interface Ground {
  readonly groups: ReadonlyArray<Group>
  readonly url: string
  readonly sessionId: string
  readonly policy: { readonly attempts: number; readonly pause: number; readonly deadline: number }
  /** Rows that are there: `qt-soak-0` up to, but not, this. */
  readonly rows: number
  /** A signal that outlives every call. */
  readonly signal: AbortSignal
}

type Job = (ground: Ground, group: Group, random: Seeded.Random) => Promise<unknown>

const idOf = (ground: Ground, random: Seeded.Random): string => `qt-soak-${random.int(0, ground.rows - 1)}`

const settled = (effect: Effect.Effect<unknown, unknown>): Promise<unknown> => Effect.runPromiseExit(effect)

const reads: Job = (ground, group, random) => {
  const id = idOf(ground, random)
  const read = random.pick([
    asVisitor(Public.boxes.get({ id })),
    asAdmin(Admin.payments.get({ id })),
    asServer(Private.payments.get({ id })),
    asAdmin(Admin.requests.list({ limit: 20 }))
  ])
  return settled(read(group))
}

const writes: Job = (ground, group, random) => {
  const id = idOf(ground, random)
  const write = random.pick([
    asVisitor(Public.boxes.update({ id, payload: { score: random.int(0, 9) } })),
    asEndUser(EndUser.auth.update({ payload: { city: `city ${random.int(0, 9)}` } })),
    asAdmin(Admin.requests.update({ id, payload: { title: `title ${random.int(0, 9)}` } }))
  ])
  return settled(write(group))
}

/** Interrupted somewhere between its first step and its answer. */
const cancelled: Job = async (ground, group, random) => {
  const fiber = Effect.runFork(asVisitor(Public.boxes.get({ id: idOf(ground, random) }))(group))
  await sleep(random.int(0, 8))
  return settled(Fiber.interrupt(fiber))
}

/** The same for Promises, by a signal of its own and one that lives on. */
const aborted: Job = async (ground, { promised }, random) => {
  const own = new AbortController()
  const signal = random.chance(0.5) ? ground.signal : own.signal
  const call = promised.boxes.get({ id: idOf(ground, random) }, { signal })
  const ended = call.then(
    () => undefined,
    () => undefined
  )
  await sleep(random.int(0, 5))
  own.abort()
  return ended
}

/** A download that is read to its end, or left after its first piece. */
const downloads: Job = (_, group, random) => {
  const bytes = Stream.provideService(Admin.payments.csv(), Admin.Client, group.admin)
  return settled(Stream.runDrain(random.chance(0.5) ? bytes : Stream.take(bytes, 1)))
}

/** All pages of a list, or the first items of it. */
const walks: Job = (_, group, random) => {
  const items = Stream.provideService(
    pages(Public.boxes.list, {}, { limit: 50 }),
    Public.Client,
    group.visitor
  )
  return settled(Stream.runDrain(Stream.take(items, random.pick([1, 60, 200]))))
}

/** Whole clients, made, used and given up, with a transport of their own. */
const clients: Job = async (ground, group, random) => {
  const way = openWay(group.way, 4)
  const fresh = makeGroup(way, ground.url, ground.sessionId, ground.policy)
  await reads(ground, fresh, random)
  await fresh.promised.close()
  return way.close()
}

/** A chat that is opened, spoken in, and closed; or closed before it stands. */
const chats: Job = async (_, group, random) => {
  const scope = Effect.runSync(Scope.make())
  const open = Admin.chat.open({ policy: { poll: 10, sendDeadline: 2_000 } }).pipe(
    Effect.flatMap((chat) => chat.send({ conversationId: "qt-own-0", text: "soak" })),
    Effect.provideService(Admin.Client, group.admin),
    Effect.provideService(ChatSocket, Socket.make()),
    Scope.extend(scope)
  )
  const fiber = Effect.runFork(open)
  if (random.chance(0.3)) {
    await sleep(random.int(0, 60))
    await settled(Fiber.interrupt(fiber))
  } else await Effect.runPromise(Fiber.await(fiber))
  return Effect.runPromise(Scope.close(scope, Exit.void))
}

const jobs: ReadonlyArray<{ readonly weight: number; readonly name: string; readonly job: Job }> = [
  { weight: 40, name: "reads", job: reads },
  { weight: 20, name: "writes", job: writes },
  { weight: 12, name: "cancelled calls", job: cancelled },
  { weight: 12, name: "aborted calls", job: aborted },
  { weight: 4, name: "downloads", job: downloads },
  { weight: 4, name: "walks over pages", job: walks },
  { weight: 4, name: "clients opened and closed", job: clients },
  { weight: 2, name: "chats opened and closed", job: chats }
]

export const load = async (
  ground: Ground,
  random: Seeded.Random,
  inFlight: number,
  millis: number
): Promise<ReadonlyMap<string, number>> => {
  const done = new Map<string, number>()
  const until = performance.now() + millis
  const worker = async (): Promise<void> => {
    while (performance.now() < until) {
      const { job, name } = weighted(random, jobs)
      await job(ground, random.pick(ground.groups), random)
      done.set(name, (done.get(name) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  return done
}
