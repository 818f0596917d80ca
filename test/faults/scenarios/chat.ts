/** A chat over a socket that is cut again and again, read by someone slow: no message is lost, told twice or misplaced. */

import { Random } from "@quartet/sandbox/extend"
import { Effect, Either, Exit, Fiber, Scope, Stream } from "effect"
import * as Socket from "../../../adapters/socket/index.js"
import * as Admin from "../../../clients/admin/index.js"
import type { Chat } from "../../../core/chat/chat.js"
import type { SendError } from "../../../core/chat/errors.js"
import type { Message } from "../../../core/chat/model.js"
import type { Problem } from "../../../core/chat/state.js"
import { ChatSocket } from "../../../core/ports/chat-socket.js"
import { makeAdmin } from "../clients.js"
import * as Clock from "../clock.js"
import { numberIn } from "../far/chatter.js"
import { calm } from "../proxy/schedule.js"
import type { Finding } from "../reconcile.js"
import { scenario } from "../scenario.js"
import { grouped, tally, toldTally } from "../tally.js"

const conversations = 10
/** Messages that may wait for the reader, or be held while a gap is closed. */
const buffer = 1_000
/** Messages that are said at once, and milliseconds from one such moment to the next. */
const pace = { atOnce: 50, every: 20 }
/** The reader takes a break of so many milliseconds after so many messages. */
const breakAfter = 2_000
const breakMillis = 600
const patience = 60_000

const policy = { buffer, poll: 20, pause: 20, longestPause: 200, historyWait: 200, outbox: 2_000 }

class Reader {
  total = 0
  readonly findings: Array<Finding> = []
  readonly none = { duplicated: 0, "out of order": 0 }
  private readonly next = new Map<string, number>()
  private sinceBreak = 0

  take({ conversationId, text }: Message): void {
    if (!conversationId?.startsWith("qt-chat-")) return
    const number = numberIn(text ?? "")
    const expected = this.next.get(conversationId) ?? 0
    this.total += 1
    if (number >= expected) this.next.set(conversationId, number + 1)
    if (number === expected) return
    this.none[number < expected ? "duplicated" : "out of order"] += 1
    const what = `message ${number} came where ${expected} was due`
    this.findings.push({ call: conversationId, what })
  }

  read(chat: Chat): Effect.Effect<void, unknown> {
    return Stream.runForEachChunk(chat.messages, (chunk) => {
      for (const message of chunk) this.take(message)
      this.sinceBreak += chunk.length
      if (this.sinceBreak < breakAfter) return Effect.void
      this.sinceBreak = 0
      return Effect.sleep(breakMillis)
    })
  }
}

const wordOf = (error: SendError): string =>
  "reason" in error ? `${error._tag} ${error.reason}` : error._tag

const speak = async (
  chat: Chat,
  conversationId: string,
  count: number,
  millis: number
): Promise<ReadonlyMap<string, string>> => {
  const outcomes = new Map<string, string>()
  const sends: Array<Promise<void>> = []
  for (let number = 0; number < count; number++) {
    const clientId = `own-${number}`
    const send = Effect.either(chat.send({ conversationId, text: `own ${number}`, clientId }))
    sends.push(
      Effect.runPromise(send).then((sent) => {
        outcomes.set(clientId, Either.isRight(sent) ? "sent" : wordOf(sent.left))
      })
    )
    await Clock.sleep(millis)
  }
  await Promise.all(sends)
  return outcomes
}

const checkSends = (
  outcomes: ReadonlyMap<string, string>,
  heard: ReadonlyMap<string, number>
): ReadonlyArray<Finding> =>
  [...outcomes].flatMap(([clientId, outcome]) => {
    const times = heard.get(clientId) ?? 0
    const isRight =
      outcome === "sent" ? times === 1 : outcome.startsWith("OutcomeUnknown") ? times <= 1 : times === 0
    return isRight ? [] : [{ call: clientId, what: `ended as ${outcome}, and is there ${times} times` }]
  })

export const chat = scenario("chat", {
  /** `sends`: messages that the client itself sends meanwhile. */
  sizes: {
    full: { messages: 100_000, drops: 100, sends: 2_000 },
    quick: { messages: 10_000, drops: 10, sends: 300 },
    sample: { messages: 1_500, drops: 3, sends: 60 }
  },
  title: ({ drops, messages }) => `chat: ${grouped(messages)} messages, ${drops} forced drops, slow consumer`,
  must: "0 lost, 0 duplicated, 0 out of order given the server's history; peak buffer within its bound",
  run: async ({ far, open, seed, size: { drops, messages, sends } }) => {
    await far.start(seed)
    const { conversations: ids, own } = await far.openChatter({ ...pace, messages, conversations })
    const proxy = await far.openProxy(calm)
    const admin = makeAdmin(open("undici"), proxy.url, { pause: 20 })
    const scope = Effect.runSync(Scope.make())
    const problems: Array<Problem> = []
    const opened = await Admin.chat
      .open({
        policy,
        conversations: ids,
        history: { query: { limit: 500 } },
        onProblem: (problem) => problems.push(problem)
      })
      .pipe(
        Effect.provideService(Admin.Client, admin),
        Effect.provideService(ChatSocket, Socket.make()),
        Scope.extend(scope),
        Effect.runPromise
      )
    const reader = new Reader()
    const reading = Effect.runFork(reader.read(opened))
    const began = Clock.now()
    const planned = (messages / pace.atOnce) * pace.every
    await far.startChatter()
    const speaking = speak(opened, own, sends, planned / sends)

    const random = Random.make(seed, "drops")
    let dropped = 0
    const limit = () => Clock.now() - began > planned * 4 + patience
    while (dropped < drops && !limit()) {
      await Clock.sleep(random.int(0, (2 * planned) / drops))
      // A connection that is still being made is left alone; one that is catching up is not.
      while ((await far.drop(proxy.id)) === 0 && !limit()) await Clock.sleep(20)
      dropped += 1
    }
    while ((reader.total < messages || (await far.said()) < messages) && !limit()) await Clock.sleep(50)
    // What is told twice would come late.
    await Clock.sleep(1_000)
    const outcomes = await speaking
    const figures = Effect.runSync(opened.figures)
    await Effect.runPromise(Scope.close(scope, Exit.void))
    const end = await Effect.runPromise(Fiber.await(reading))
    const findings = [...reader.findings, ...checkSends(outcomes, new Map(await far.heard()))]
    return {
      got: `peak buffer ${grouped(figures.peak)} and ${grouped(figures.peakHeld)} held, of ${grouped(buffer)}; `,
      none: { lost: messages - (reader.total - reader.none.duplicated), ...reader.none },
      holds:
        dropped === drops &&
        Math.max(figures.peak, figures.peakHeld) <= buffer &&
        figures.dropped === 0 &&
        outcomes.size === sends &&
        Exit.isSuccess(end),
      details: [
        `${dropped} drops, ${grouped(figures.connections)} connections came to stand (others were cut before); ${grouped(figures.received)} came live, ${grouped(figures.recovered)} from the platform's history, ${grouped(figures.deferred)} put off while the reader was behind, ${grouped(figures.duplicates)} repetitions left out, ${problems.length} problems`,
        `${grouped(sends)} messages sent meanwhile: ${toldTally(tally(outcomes.values()))}; ${grouped(figures.emitted)} put on the wire, each at most once on the platform`,
        `${((Clock.now() - began) / 1000).toFixed(1)} s`,
        ...problems
          .slice(0, 3)
          .map((problem) => `✗ ${problem._tag} ${"error" in problem ? problem.error.message : ""}`)
      ],
      findings,
      figures: { messages, drops: dropped, ...figures }
    }
  }
})
