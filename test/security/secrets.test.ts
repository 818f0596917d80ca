// No error, log line or span holds a secret, whatever a server repeats and however it writes it.

import { afterAll, describe, expect, it } from "@effect/vitest"
import { json } from "@quartet/support/fake-transport.js"
import { patient } from "@quartet/support/patience.js"
import { isWhole } from "@quartet/support/scale.js"
import { allCanaries, type Canary, canaries, leaksIn } from "@quartet/support/secrets/canaries.js"
import { Search } from "@quartet/support/secrets/search.js"
import { failure, sinks } from "@quartet/support/secrets/sinks.js"
import { failures, outcomeOf } from "@quartet/support/secrets/spill.js"
import { baseUrl, local, platform, type Subject, subjects } from "@quartet/support/secrets/subjects.js"
import { writings } from "@quartet/support/secrets/writings.js"
import { Data, Effect, Redacted, Stream } from "effect"
import * as Admin from "../../clients/admin/index.js"
import * as EndUser from "../../clients/end-user/index.js"
import * as Private from "../../clients/private/index.js"
import * as Public from "../../clients/public/index.js"
import { pages } from "../../core/kernel/dispatch/streaming.js"
import { type NetworkReason, Rejected } from "../../core/kernel/errors/errors.js"
import { ChatSocket, type Connection, type Trouble } from "../../core/ports/chat-socket.js"
import { type Outcome, type Request, type Service, Transport } from "../../core/ports/transport.js"

const { accessToken, apiKey, email, password, powerless, privateKey, sessionId } = canaries
const search = new Search()

describe("the search itself", () => {
  it.each(Object.entries(writings))(
    "finds a canary that is written %s, and takes no other for it",
    (_, write) => {
      for (const { name, value } of allCanaries)
        expect(leaksIn(`said: ${write(value)}; no more`)).toEqual([name])
    }
  )

  it("finds a canary that was cut at either end, and none in what was masked", () => {
    for (const { core, name } of allCanaries) {
      for (const part of [core.slice(0, 12), core.slice(-12)])
        expect(leaksIn(`said: ${part}`)).toEqual([name])
      for (const text of ["", "Bearer ***", "c4n4ry", name, core.slice(0, 11), core.slice(-11)])
        expect(leaksIn(text)).toEqual([])
    }
  })

  class Leaky extends Data.TaggedError("Leaky")<{ readonly message: string; readonly cause: unknown }> {}
  const echo = `you sent ${password.value}`
  const rejected = (more: object) =>
    Effect.fail(new Rejected({ operation: "boxes.get", status: 400, ...more }))
  const all = Object.keys(sinks)
  const logs = all.filter((name) => name.includes("log"))

  it.live.each<[where: string, call: Effect.Effect<unknown, unknown>, atLeast: ReadonlyArray<string>]>([
    [
      "its message",
      Effect.fail(new Leaky({ message: echo, cause: new Leaky({ message: echo, cause: 1 }) })),
      all
    ],
    [
      "its server's words",
      rejected({ serverMessage: echo }),
      all.filter((name) => name !== "structuredClone")
    ],
    ["its cause", rejected({ cause: new Error(echo) }), ["cause chain", "Cause.pretty", "spans", ...logs]],
    ["a field", rejected({ field: echo }), ["own properties", "JSON.stringify", "spans", ...logs]],
    ["a defect", Effect.die(new Error(echo)), ["Cause.pretty", "a cause, inspected", "spans", ...logs]],
    ["a span", Effect.zipRight(Effect.annotateCurrentSpan("key", echo), rejected({})), ["spans"]],
    ["nothing", rejected({ serverMessage: "no" }), []]
  ])("finds a canary in every sink that shows it, where %s holds one", ([where, call, atLeast]) =>
    Effect.gen(function* () {
      const failed = yield* Effect.promise(() => failure(Effect.withSpan(call, "work")))
      if (failed === undefined) throw new Error("it did not fail")
      const showing = all.filter((name) => leaksIn(sinks[name]?.(failed) ?? "").length > 0)
      expect(showing).toEqual(expect.arrayContaining([...atLeast]))
      if (where === "nothing") expect(showing).toEqual([])
    })
  )
})

/** An error as adapters and their libraries make them: what was sent stands all over it. */
const troubled = (text: string, request: Request): Error =>
  Object.assign(new Error(`fetch failed for ${text}`), {
    code: "ECONNRESET",
    headers: request.headers,
    request,
    cause: Object.assign(new Error(`inner ${text}`), { code: "ECONNRESET", request })
  })

type Answer = (text: string, request: Request) => Outcome | undefined
const reasons: ReadonlyArray<NetworkReason> = [
  ...(["Refused", "Unresolved", "ConnectTimeout", "Tls", "Reset", "Timeout", "Protocol", "Unknown"] as const)
]
const answers: ReadonlyArray<readonly [name: string, answer: Answer]> = [
  ...failures.map(([name, spill]) => [name, (text: string) => outcomeOf(spill(text), text)] as const),
  ...reasons.flatMap((reason) =>
    [true, false].map((sent): readonly [string, Answer] => [
      `no answer (${reason}, ${sent ? "sent" : "not sent"})`,
      (text, request) => ({ _tag: "Failed", reason, sent, cause: troubled(text, request) })
    ])
  ),
  ...[200, 401, 404, 422, 503].map((status): readonly [string, Answer] => [
    `too large, with status ${status}`,
    (text) => ({ _tag: "TooLarge", status, header: () => text })
  ])
]

/** Writings are tried in turn, one in so many: each subject and each failure begins elsewhere. */
const share = 17
/** `npm test` tries one failure in so many, each subject others. */
const part = isWhole ? 1 : 8

const runAll = async (subject: Subject): Promise<void> => {
  const place = subjects.indexOf(subject)
  for (const [at, [name, answer]] of answers.entries()) {
    if ((at + place) % part !== 0) continue
    for (const [turn, [writing, write]] of Object.entries(writings).entries()) {
      if ((turn + at + place) % share !== 0) continue
      const text = subject.canaries.map(({ value }) => write(value)).join(" ")
      const subjectMade = subject.make(
        platform((request) => answer(text, request)),
        local,
        "id-1"
      )
      const call = Effect.flatMap(subjectMade, (world) => world.call)
      await search.run(`${subject.name}, ${name}, ${writing}`, call, subject.canaries)
    }
  }
}

describe("a server that repeats every secret it was told", () => {
  it.each(subjects)(
    "$name: no error shows one by any sink",
    async (subject) => {
      const before = search.errors
      await runAll(subject)
      expect(search.errors - before).toBeGreaterThan(250 / part)
      expect(search.leaks).toEqual([])
    },
    patient(120_000)
  )
})

const never = platform(() => undefined)
const over = <A, E, R>(effect: Effect.Effect<A, E, R | Transport>, service: Service = never) =>
  Effect.provideService(effect, Transport, service)
const ofAdmin = { baseUrl, projectId: "p", policy: { attempts: 1, deadline: 50 } }
const signedIn = { email: email.value, password: password.value, apiKey: apiKey.value }
const broken = "\r\n"

/** A platform that refuses the sign-in in words that it should not use. */
const refusing = (status: number): Service => ({
  start: (request, settle) => {
    const text = `${request.body?._tag === "Json" ? request.body.text : ""} ${password.value}`
    const outcome = outcomeOf({ status, body: JSON.stringify({ message: text, error: text }) }, text)
    if (outcome !== undefined) settle(outcome)
    return () => undefined
  }
})

const byVisitor = <A, E>(call: Effect.Effect<A, E, Public.Client>, transport: Service = never) =>
  Effect.flatMap(over(Public.make({ ...ofAdmin, apiKey: apiKey.value }), transport), (client) =>
    Effect.provideService(call, Public.Client, client)
  )
const byAdmin = <A, E>(call: Effect.Effect<A, E, Admin.Client>, config: object, transport: Service = never) =>
  Effect.flatMap(over(Admin.make({ ...ofAdmin, ...config } as Admin.ClientConfig), transport), (client) =>
    Effect.provideService(call, Admin.Client, client)
  )
const makeAdmin = (config: object) => over(Admin.make({ ...ofAdmin, ...config } as Admin.ClientConfig))

/** A socket whose server answers every handshake with its own content. */
const chatting = (reason: Trouble["reason"]): typeof ChatSocket.Service => ({
  open: (address, handshake, listener): Connection => {
    const texts = JSON.stringify([
      address,
      handshake,
      ...allCanaries.map(({ value }) => encodeURIComponent(value))
    ])
    const message = `${texts} ${accessToken.value} ${sessionId.value}`
    queueMicrotask(() => listener.onTrouble({ reason, message }))
    return { connected: () => false, emit: () => undefined, close: () => undefined }
  }
})
const chat = (reason: Trouble["reason"]) =>
  byAdmin(
    Effect.scoped(
      Admin.chat.open({ policy: { attempts: 1, deadline: 2_000, pause: 1, longestPause: 1 } })
    ).pipe(Effect.provideService(ChatSocket, chatting(reason))),
    signedIn
  )

const throwing = () => {
  throw new Error(password.value)
}
const get = Admin.users.get({ id: "1" })
const bad: unknown = { password: password.value, list: [Number.NaN] }
const twice = json(200, { items: [{ _id: apiKey.value }], message: apiKey.value })
const uri = encodeURIComponent
const session = { sessionId: sessionId.value, accessToken: accessToken.value }
type Failing = Effect.Effect<unknown, unknown>

/** Failures of the client's own: everything that the caller gave is a canary. */
type Quiet = [name: string, error: string, given: ReadonlyArray<Canary>, call: Failing]
const failing = (error: string, canaries: ReadonlyArray<Canary>, calls: Record<string, Failing>) =>
  Object.entries(calls).map(([name, call]): Quiet => [name, error, canaries, call])
const login = { email: "a", password: "b", more: password.value }
const getter = Object.defineProperty({}, "a", { get: throwing, enumerable: true })
const walk = Stream.runDrain(pages(Public.boxes.list, {}, { limit: 1 }))
const twicePlatform = platform(() => twice)
const powerlessSession = { sessionId: sessionId.value, accessToken: powerless.value }
const ofKey = { baseUrl, apiKey: "k-1" }
const quiet: ReadonlyArray<Quiet> = [
  ...failing("CredentialsError.Missing", [email, sessionId], {
    "no credentials": makeAdmin({ email: email.value, sessionId: sessionId.value })
  }),
  ...failing("CredentialsError.Malformed", [sessionId, accessToken], {
    "a malformed session id": makeAdmin({ ...session, sessionId: sessionId.value + broken }),
    "a malformed token": makeAdmin({
      ...session,
      accessToken: Redacted.make(accessToken.value.replaceAll(".", ""))
    })
  }),
  ...failing("CredentialsError.Malformed", [apiKey, sessionId, privateKey], {
    "a malformed API key": over(Public.make({ baseUrl, apiKey: apiKey.value + broken })),
    "a malformed private key": over(
      Private.make({ baseUrl, privateKey: Redacted.make(broken + privateKey.value) })
    ),
    "a malformed session of an end user": over(
      EndUser.make({ baseUrl, apiKey: apiKey.value, sessionId: `${sessionId.value} ` })
    )
  }),
  ...failing("InputError", [password, apiKey], {
    "a base URL with a password": over(
      Public.make({ ...ofKey, baseUrl: `https://u:${uri(password.value)}@api.example.test` })
    ),
    "a base URL with a key in its query": over(
      Public.make({ ...ofKey, baseUrl: `${baseUrl}/?key=${uri(apiKey.value)}` })
    ),
    "a header's name that is a key": over(Public.make({ ...ofKey, headerNames: { apiKey: apiKey.value } })),
    "a payload that cannot be said": byVisitor(Public.auth.signup({ payload: bad })),
    "a password that is none": byVisitor(
      Public.auth.login({ email: "", password: [password.value] } as never)
    ),
    "a field too many": byVisitor(Public.auth.login(login)),
    "half of a surrogate pair in a path": byVisitor(Public.boxes.get({ id: `${password.value}\ud800` })),
    "an idempotency key that is a password": byVisitor(
      Public.boxes.get({ id: "1" }, { idempotencyKey: `${password.value}${broken}` })
    ),
    "a getter that throws what it holds": byVisitor(Public.boxes.create({ payload: getter })),
    "a toJSON that throws what it holds": byVisitor(Public.boxes.create({ payload: { toJSON: throwing } }))
  }),
  ...[400, 401, 403, 404, 422, 409, 429, 500].flatMap((status) =>
    failing(
      { 409: "Conflict", 429: "RateLimited", 500: "ServerFault" }[status] ?? "CredentialsError.Rejected",
      [password],
      { [`a sign-in that is answered ${status}`]: byAdmin(get, signedIn, refusing(status)) }
    )
  ),
  ...failing("CredentialsError.Cooldown", [password], {
    "a sign-in within the cooldown": byAdmin(
      Effect.zipRight(Effect.ignore(get), get),
      signedIn,
      refusing(500)
    )
  }),
  ...failing("PermissionDenied.Grant", [sessionId, powerless], {
    "a token that grants nothing": byAdmin(get, powerlessSession)
  }),
  ...failing("AnswerError.Paging", [apiKey], { "a page twice": byVisitor(walk, twicePlatform) }),
  ...(["Refused", "Unreachable"] as const).flatMap((reason) =>
    failing(`ChatError.${reason}`, [apiKey, sessionId, accessToken, password], {
      [`a chat: ${reason}`]: chat(reason)
    })
  )
]

describe("a failure of the client's own", () => {
  it.each(quiet)("%s: no sink shows what was given", async (name, error, canaries, call) => {
    expect(await search.run(name, call, canaries)).toBe(error)
    expect(search.leaks).toEqual([])
  })
})

describe("all in all", () => {
  it("there were 0 leaks, in enough cases to be worth something, and every kind of error came about", () => {
    expect(search.leaks).toEqual([])
    expect(search.cases).toBeGreaterThan(150_000 / part)
    const tags = [...search.outcomes.keys()].map((name) => name.split(".")[0])
    expect(tags).toEqual(
      expect.arrayContaining([
        ...["InputError", "CredentialsError", "PermissionDenied", "Unauthenticated", "NotFound", "Conflict"],
        ...["Rejected", "RateLimited", "ServerFault", "NetworkError", "DeadlineExceeded", "AnswerError"],
        ...["OutcomeUnknown", "ChatError"]
      ])
    )
  })
  afterAll(() =>
    console.info(`secrets: ${search.leaks.length} leaks in ${search.cases} cases, ${search.errors} errors`)
  )
})
