// @vitest-environment happy-dom
/**
 * What a page keeps and shows of an app's calls: the sections of the devtools, and an outbox, in its database and as components see it. None
 * holds a secret that the client knows, though no call held one and the server repeats all of them, in every writing.
 */

import * as Admin from "@quartet/sdk/admin"
import { type Outcome, Transport } from "@quartet/sdk/extend"
import { json } from "@quartet/support/fake-transport.js"
import { flush, render, withRoot } from "@quartet/support/react.js"
import { canaries, leaksIn } from "@quartet/support/secrets/canaries.js"
import { platform } from "@quartet/support/secrets/subjects.js"
import { writings } from "@quartet/support/secrets/writings.js"
import { Effect, Layer } from "effect"
import { act } from "react"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { makeWire, QuartetDevtoolsPanel, type Section } from "../devtools/index.js"
import { makeOutboxOver } from "../outbox/make.js"
import { makeQueryClient, makeRegistry, QuartetProvider, source } from "../rx/index.js"
import { makeDevice } from "./outbox/harness.js"
// Loaded before the tests, so that none of them waits for it.
import "../devtools/view/mount.js"

const { accessToken, apiKey, password, sessionId } = canaries
const known = [password, apiKey, sessionId, accessToken]

withRoot()
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] }))
afterEach(() => void vi.useRealTimers())

/** Lets the panel be loaded, and read again. */
const settle = async () => {
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
  await act(async () => {
    vi.advanceTimersByTime(250)
    await flush()
  })
}

/** An app after a query, a failed query, two mutations and two writes by an outbox, whose answers all say this. */
const open = async (said: string) => {
  const holding = { _id: "r1", said, [said]: [{ deep: said }], document: JSON.stringify({ said }) }
  const answer = (path: string): Outcome => {
    if (path.includes("refused")) return json(422, { message: said, field: said })
    return path.includes("broken") ? json(500, { message: said }) : json(200, holding)
  }
  const wire = makeWire()
  const transport = Layer.succeed(
    Transport,
    platform(({ path }) => answer(path))
  )
  const client = makeQueryClient(
    Layer.provide(
      Admin.layer({
        baseUrl: "https://api.example.test",
        policy: { attempts: 1 },
        projectId: "p",
        email: "ada@example.test",
        password: password.value,
        apiKey: apiKey.value,
        onDrift: wire.onDrift()
      }),
      Layer.provide(wire.tap(), transport)
    )
  )
  const registry = makeRegistry()
  const device = makeDevice()
  const ports = device.ports()
  const outbox = makeOutboxOver(() => ports, { name: "desk" })
  const kept = client.mutation(Admin.requests.markSeen, { outbox, scope: ({ id }) => id })
  await render(
    <QuartetProvider registry={registry}>
      <QuartetDevtoolsPanel registry={registry} outbox={outbox} wire={wire} />
    </QuartetProvider>
  )
  await settle()
  const own = source("notes.all", () => Effect.fail({ _tag: "Own", message: `the server said ${said}` }))
  for (const id of ["r1", "refused"]) registry.mount(client.query(Admin.requests.get, { id }))
  registry.mount(client.query(own))
  registry.mount(outbox)
  await act(flush)
  const update = client.mutation(Admin.requests.update).actions(registry)
  for (const id of ["r1", "refused", "broken"]) await act(() => update.mutate({ id, payload: {} }))
  for (const id of ["refused", "broken"]) await act(() => kept.actions(registry).mutate({ id, version: 1 }))
  for (let times = 0; times < 5; times += 1) await act(flush)
  return { device, outbox, registry }
}

const root = (): ShadowRoot => {
  const shadow = document.querySelector("quartet-devtools")?.shadowRoot
  if (!shadow) throw new Error("there are no devtools")
  return shadow
}

/** All that a section says, with all of its lines open. */
const sectionText = async (section: Section): Promise<string> => {
  await act(async () => root().querySelector<HTMLElement>(`#tab-${section}`)?.click())
  await settle()
  await act(async () => {
    for (const line of root().querySelectorAll("details")) {
      line.open = true
      line.dispatchEvent(new Event("toggle"))
    }
  })
  await settle()
  return root().innerHTML
}

const sections = ["queries", "mutations", "outbox", "sockets", "wire"] as const

/** What each place keeps or shows. */
const placesOf = async (said: string): Promise<Readonly<Record<string, string>>> => {
  const { device, outbox, registry } = await open(said)
  const shown: Record<string, string> = {
    "the outbox's database": JSON.stringify(device.kept()),
    "the state of the outbox": JSON.stringify(registry.get(outbox))
  }
  for (const section of sections) shown[`the section ${section}`] = await sectionText(section)
  registry.dispose()
  return shown
}

test.each(Object.entries(writings))(
  "no section of the devtools and no outbox shows or keeps a secret that the client knows: %s",
  async (_, write) => {
    const places = await placesOf(known.map(({ value }) => write(value)).join(" ; "))
    expect(
      Object.entries(places).flatMap(([place, text]) =>
        leaksIn(text, known).map((name) => `${place}: ${name}`)
      )
    ).toEqual([])
  }
)

test("each of these places says what the server said, where that is no secret", async () => {
  const places = await placesOf("quite dull")
  expect(
    Object.entries(places).flatMap(([place, text]) => (text.includes("quite dull") ? [] : [place]))
  ).toEqual(["the section sockets"])
})
