/**
 * A program whose calls fail and are left unhandled, and which prints its clients: run as a process of its own, so that
 * what Node itself writes is seen. `process.argv[2]` names what it does.
 */
import { inspect } from "node:util"
import { canaries } from "@quartet/support/secrets/canaries.js"
import { failures, heldBy, outcomeOf } from "@quartet/support/secrets/spill.js"
import { baseUrl, platform } from "@quartet/support/secrets/subjects.js"
import * as Effect from "effect/Effect"
import * as Promised from "../../../clients/promise/index.js"
import * as Public from "../../../clients/public/index.js"
import { Transport } from "../../../core/ports/transport.js"

const { accessToken, apiKey, email, newPassword, oldPassword, password, privateKey, sessionId } = canaries

/** All failures of a server in turn. */
let turn = 0
const transport = platform(({ body, headers, path }) => {
  const [, spill] = failures[turn++ % failures.length] ?? failures[0]!
  const sent = body?._tag === "Json" ? body.text : ""
  const text = [...heldBy(headers, sent), path, sent].join(" ")
  return outcomeOf(spill(text), text)
})
const settings = { baseUrl, policy: { attempts: 1, deadline: 20 } }
const common = { ...settings, transport, logDrift: false }
const byKey = { ...common, apiKey: apiKey.value }

const admin = Promised.createAdminClient({
  ...byKey,
  projectId: "p",
  email: email.value,
  password: password.value
})
const session = Promised.createAdminClient({
  ...common,
  projectId: "p",
  sessionId: sessionId.value,
  accessToken: accessToken.value
})
const visitor = Promised.createPublicClient(byKey)
const server = Promised.createPrivateClient({ ...common, privateKey: privateKey.value })
const endUser = Promised.createEndUserClient({ ...byKey, sessionId: sessionId.value })

const login = { email: "a@b.test", password: password.value }
const calls: ReadonlyArray<() => Promise<unknown>> = [
  () => admin.users.get({ id: "1" }),
  () => session.payments.refund({ id: "1", payload: {} }),
  () => visitor.auth.login(login),
  () => server.project.self(),
  () => endUser.auth.updatePassword({ oldPassword: oldPassword.value, newPassword: newPassword.value })
]

const modes: Readonly<Record<string, () => unknown>> = {
  /** Ends the process at the first rejection. */
  unhandled: () => void calls[2]?.(),
  /** As `unhandled`, for an effect. */
  effect: () =>
    void Effect.runPromise(
      Effect.flatMap(Public.make({ ...settings, apiKey: apiKey.value }), (client) =>
        Effect.provideService(Public.auth.login(login), Public.Client, client)
      ).pipe(Effect.provideService(Transport, transport))
    ),
  /** For a process that only warns of rejections. */
  warned: () => {
    for (let round = 0; round < failures.length; round++) for (const call of calls) void call()
  },
  thrown: () => {
    calls[3]?.().catch((error: unknown) => {
      setImmediate(() => {
        throw error
      })
    })
  },
  printed: async () => {
    const clients = { admin, session, visitor, server, endUser }
    for (let round = 0; round < 2; round++) {
      console.log(clients)
      console.dir(clients, { depth: 10, showHidden: true })
      console.log(inspect(clients, { depth: 10, showHidden: true, getters: true }), "%o", clients)
      console.log(JSON.stringify(clients))
      const settled = await Promise.allSettled(calls.map((call) => call()))
      console.log(settled)
      console.error(...settled)
      console.table(settled)
      console.trace(settled[0])
    }
  }
}

// What names a mode ends the process by itself, or when nothing is left to do.
const mode = modes[process.argv[2] ?? ""]
if (mode === undefined) throw new Error("no such mode")
console.log("begun")
void mode()
