/**
 * All that the project shows, keeps or passes on of a client's calls, in one list, each with the same canaries: none shows a secret that the
 * client knows, though the call held none of them and the server repeats all of them, in every place of an answer and every writing.
 */

import { makeWire, type WireCall, type WireDrift } from "@quartet/react/devtools"
import * as Tap from "@quartet/sdk/adapters/tap"
import * as Telemetry from "@quartet/sdk/adapters/telemetry"
import * as Admin from "@quartet/sdk/admin"
import * as EndUser from "@quartet/sdk/end-user"
import {
  type Outcome,
  PermissionDenied,
  type TransportService as Service,
  SessionStore,
  type SessionStoreService,
  type StoredSession,
  Transport
} from "@quartet/sdk/extend"
import * as Private from "@quartet/sdk/private"
import { json } from "@quartet/support/fake-transport.js"
import { type Canary, canaries, leaksIn } from "@quartet/support/secrets/canaries.js"
import { failure, sinks as waysOut } from "@quartet/support/secrets/sinks.js"
import { platform } from "@quartet/support/secrets/subjects.js"
import { writings } from "@quartet/support/secrets/writings.js"
import { Effect, Logger, Metric } from "effect"
import { describe, expect, it } from "vitest"
import { value as answerOfMcp } from "../mcp/text.js"
import * as Recording from "../recording/index.js"

const { accessToken, apiKey, password, privateKey, sessionId } = canaries
const baseUrl = "https://api.example.test"
const quick = { baseUrl, policy: { attempts: 1, deadline: 1_000 } }

/** A client, a call of it that holds none of its secrets, and all that it knows. */
interface Subject {
  readonly known: ReadonlyArray<Canary>
  readonly run: (
    transport: Service,
    config: object
  ) => Effect.Effect<
    { readonly call: Effect.Effect<unknown, unknown>; readonly secrets: () => ReadonlyArray<string> },
    unknown
  >
}

const subjects: Readonly<Record<string, Subject>> = {
  "an admin with a password, after the sign-in": {
    known: [password, apiKey, sessionId, accessToken],
    run: (transport, config) =>
      Effect.gen(function* () {
        const client = yield* Admin.make({
          ...quick,
          ...config,
          projectId: "p",
          email: "ada@example.test",
          password: password.value,
          apiKey: apiKey.value
        })
        yield* Effect.clockWith(client.session.getCredentials)
        return {
          call: Effect.provideService(Admin.requests.get({ id: "1" }), Admin.Client, client),
          secrets: client.session.secrets
        }
      }).pipe(Effect.provideService(Transport, transport))
  },
  "a server with its private key": {
    known: [privateKey],
    run: (transport, config) =>
      Effect.map(Private.make({ ...quick, ...config, privateKey: privateKey.value }), (client) => ({
        call: Effect.provideService(Private.payments.get({ id: "1" }), Private.Client, client),
        secrets: client.dispatcher.settings.credentialsProvider.secrets
      })).pipe(Effect.provideService(Transport, transport))
  },
  "an end user after a sign-in with a password": {
    known: [password, apiKey, sessionId],
    run: (transport, config) =>
      Effect.map(
        EndUser.signIn({
          ...quick,
          ...config,
          email: "u@x.test",
          password: password.value,
          apiKey: apiKey.value
        }),
        (client) => ({
          call: Effect.provideService(EndUser.boxes.get({ id: "1" }), EndUser.Client, client),
          secrets: client.dispatcher.settings.credentialsProvider.secrets
        })
      ).pipe(Effect.provideService(Transport, transport))
  }
}

/** An answer that repeats a text in all of its places: its body, the names of fields in it, and every header. */
const echoing = (status: number, text: string): Outcome => {
  const body = {
    message: text,
    error: text,
    field: text,
    [text]: text,
    deep: [{ [`a ${text}`]: { note: text, number: 1 } }]
  }
  return {
    _tag: "Answered",
    status,
    header: (name) => (name === "content-encoding" ? undefined : text),
    body: new TextEncoder().encode(JSON.stringify(body))
  }
}

const answers: Readonly<Record<string, (text: string) => Outcome>> = {
  "a value": (text) => echoing(200, text),
  "a value of another shape": (text) => json(200, { _id: { [text]: text }, [text]: [text] }),
  "a refusal": (text) => echoing(403, text),
  "a refused credential": (text) => echoing(401, text),
  "a fault": (text) => echoing(500, text),
  "a redirect": (text) => echoing(302, text),
  "a page of the Web": (text) => ({
    _tag: "Answered",
    status: 200,
    header: () => "text/html",
    body: new TextEncoder().encode(`<html>${text}</html>`)
  }),
  "a broken connection": (text) => ({
    _tag: "Failed",
    reason: "Reset",
    sent: true,
    cause: new Error(`reset ${text}`)
  })
}

/** What is looked at in every writing; the others in those that differ most. */
const whole = ["a value", "a refusal"]
const few = ["in hexadecimal", "in base64", "as JSON in a URL", "escaped for HTML"]
const writingsFor = (kind: string) =>
  Object.entries(writings).filter(([name], at) => whole.includes(kind) || at === 0 || few.includes(name))

/** Runs the call against an answer, and collects what each sink shows, keeps or passes on. */
const shown = async ({ run }: Subject, answer: Outcome): Promise<Readonly<Record<string, string>>> => {
  const exchanges: Array<Tap.Exchange> = []
  const recorder = Recording.make({ enums: ["note", "message"] })
  const lines: Array<unknown> = []
  const wire = makeWire()
  const wired: Array<WireCall | WireDrift> = []
  const below = platform((request) =>
    request.operation === "auth.login" ? json(200, { sessionId: sessionId.value }) : answer
  )
  const over = Recording.wrap(
    Tap.make(below, (exchange) => exchanges.push(exchange)),
    recorder
  )
  const transport = await Effect.runPromise(
    Effect.provide(Transport, wire.tap("one")).pipe(Effect.provideService(Transport, over))
  )
  const config = { middleware: [Telemetry.metrics, Telemetry.logs()], onDrift: wire.onDrift() }
  const { call, secrets } = await Effect.runPromise(run(transport, config))
  const logger = Logger.make(({ annotations, cause, message }) => {
    lines.push(JSON.stringify([message, [...annotations], cause]))
  })
  let answered: unknown
  const failed = await failure(
    Effect.map(call, (value) => {
      answered = value
    }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  )
  wired.push(...wire.lines())
  return {
    ...(failed === undefined
      ? {}
      : Object.fromEntries(
          Object.entries(waysOut).map(([name, write]) => [`an error: ${name}`, write(failed)])
        )),
    "the row of an item that failed":
      failed === undefined ? "" : `${failed.error.name}: ${failed.error.message}`,
    "the log": lines.join("\n"),
    metrics: JSON.stringify(Effect.runSync(Metric.snapshot)),
    "the tap": JSON.stringify(exchanges),
    "a HAR": Tap.har(exchanges),
    "the wire panel": JSON.stringify(wired),
    "a recording": Recording.stringify(recorder.recording()),
    "a module of recorded types": Recording.module(recorder.recording(), "effect"),
    "an answer for a language model": answerOfMcp(answered ?? null, {
      secrets: secrets(),
      fields: [],
      from: 0
    }).text
  }
}

describe.each(Object.entries(subjects))("%s", (_, subject) => {
  it.each(Object.entries(answers))(
    "shows no secret that it knows in any sink, whatever repeats it: %s",
    async (kind, answerOf) => {
      const leaks: Array<string> = []
      for (const [writing, write] of writingsFor(kind)) {
        await new Promise((next) => setImmediate(next))
        const text = subject.known.map(({ value }) => write(value)).join(" ; ")
        for (const [sink, said] of Object.entries(await shown(subject, answerOf(text))))
          for (const name of leaksIn(said, subject.known)) leaks.push(`${sink} shows the ${name}, ${writing}`)
      }
      expect(leaks).toEqual([])
    }
  )
})

describe("a session store", () => {
  it.each(Object.entries(writings))(
    "holds the session, which is its job, and no other secret that the platform's words on the user repeat: %s",
    async (_, write) => {
      const others = [password, apiKey]
      const said = others.map(({ value }) => write(value)).join(" ; ")
      const saves: Array<readonly [string, StoredSession]> = []
      const store: SessionStoreService = {
        load: () => Effect.succeedNone,
        save: (key, session) => Effect.sync(() => void saves.push([key, session])),
        clear: () => Effect.void
      }
      const transport = platform(() => json(200, {}))
      const repeating: Service = {
        start: (request, settle) =>
          transport.start(request, () => {
            const user = { _id: "a1", email: "ada@example.test", said, [said]: [{ said }] }
            settle(json(200, { accessToken: accessToken.value, sessionId: sessionId.value, user }))
          })
      }
      await Effect.runPromise(
        Effect.gen(function* () {
          const client = yield* Admin.make({
            ...quick,
            projectId: "p",
            email: "ada@example.test",
            password: password.value,
            apiKey: apiKey.value
          })
          yield* Effect.clockWith(client.session.getCredentials)
        }).pipe(Effect.provideService(Transport, repeating), Effect.provideService(SessionStore, store))
      )
      expect(saves).toHaveLength(1)
      const [key = "", kept] = saves[0] ?? []
      expect(kept).toMatchObject({
        sessionId: sessionId.value,
        accessToken: accessToken.value,
        user: { _id: "a1", email: "ada@example.test" }
      })
      expect(Object.keys(kept ?? {}).sort()).toEqual(["accessToken", "sessionId", "user"])
      expect(leaksIn(JSON.stringify([key, kept]), others)).toEqual([])
      expect(leaksIn(key)).toEqual([])
    }
  )
})

describe("the list of sinks", () => {
  it("is of sinks that say something of such a call", async () => {
    const [subject] = Object.values(subjects)
    if (subject === undefined) throw new Error("there is no subject")
    const of = async (kind: keyof typeof answers) =>
      Object.entries(await shown(subject, answers[kind]?.("dull") ?? json(200, {})))
    const silent = (all: ReadonlyArray<readonly [string, string]>) =>
      all.filter(([, text]) => text.length < 10).map(([name]) => name)
    expect(silent(await of("a refusal"))).toEqual(["an answer for a language model"])
    expect(silent(await of("a value"))).toEqual(["the row of an item that failed"])
    const said = Object.fromEntries(await of("a value"))
    for (const sink of [
      "the tap",
      "a HAR",
      "the wire panel",
      "a recording",
      "an answer for a language model"
    ])
      expect([sink, said[sink]?.includes("dull")]).toEqual([sink, true])
  })
})

describe("a refusal", () => {
  it.each(["ada@example.test", "Ada Lovelace", "65f0c1a2b3c4d5e6f7a8b9c0", "conversations"])(
    "says who lacks a permission: %s",
    async (who) => {
      const words = `${who} lacks conversations.send`
      const subject = subjects["an admin with a password, after the sign-in"]
      if (subject === undefined) throw new Error("no such subject")
      const { call } = await Effect.runPromise(
        subject.run(
          platform(() => json(403, { message: words })),
          {}
        )
      )
      const error = await Effect.runPromise(Effect.flip(call))
      expect(error).toBeInstanceOf(PermissionDenied)
      expect(error).toMatchObject({ serverMessage: words })
    }
  )
})
