// @vitest-environment happy-dom
// What a component sees of an outbox, and of a mutation that it keeps.

import * as Admin from "@quartet/sdk/admin"
import * as Fake from "@quartet/support/fake-transport.js"
import {
  adminLayer,
  Button,
  complaints,
  during,
  press,
  request,
  show,
  text,
  token,
  withRoot
} from "@quartet/support/react.js"
import * as Layer from "effect/Layer"
import { Activity } from "react"
import { describe, expect, test } from "vitest"
import { useOutbox } from "../../outbox/index.js"
import { makeOutboxOver } from "../../outbox/make.js"
import { change, makeQueryClient, useMutation, useQuery, useSession } from "../../rx/index.js"
import { makeDevice } from "./harness.js"

withRoot()

const makeApp = (device = makeDevice()) => {
  const fake = Fake.make(({ method }) => (method === "GET" ? Fake.json(200, request("r1")) : "waits"))
  const client = makeQueryClient((sub: string) =>
    Layer.suspend(() => adminLayer(fake, token({ "*": { "*": 9 } }, sub)))
  )
  const outbox = makeOutboxOver(device.ports, { name: "desk" })
  const requestQuery = client.query(Admin.requests.get, { id: "r1" })
  const markSeen = client.mutation(Admin.requests.markSeen, {
    outbox,
    optimistic: () => [change(requestQuery, (before) => ({ ...before, type: "SEEN" }))]
  })
  const Waiting = () => {
    const { discard, entries, retry, status } = useOutbox(outbox)
    return (
      <>
        <p>
          outbox {status}: {entries.map(({ state }) => state).join() || "empty"} |
        </p>
        <Button label="retry" onClick={() => retry(entries[0]?.id ?? "")} />
        <Button label="discard" onClick={() => discard(entries[0]?.id ?? "")} />
      </>
    )
  }
  const Request = () => {
    const { data } = useQuery(requestQuery)
    const { error, id, mutate, reset, status } = useMutation(markSeen)
    return (
      <>
        <p>
          {data?.type} | run {status} {id === undefined ? "" : "kept"} {error?._tag} |
        </p>
        <Button label="mark" onClick={() => mutate({ id: "r1", version: 1 })} />
        <Button label="mark nothing" onClick={() => mutate({ id: "", version: 1 })} />
        <Button label="reset" onClick={reset} />
      </>
    )
  }
  const App = ({ isAlways = false }: { readonly isAlways?: boolean }) => {
    const session = useSession(client.session)
    return (
      <>
        <Waiting />
        {(isAlways || session.status === "signed-in") && <Request />}
        <Button label="sign in" onClick={() => session.signIn("a1")} />
        <Button label="sign in as another" onClick={() => session.signIn("a2")} />
      </>
    )
  }
  const settle = (reply: Exclude<Fake.Reply, "waits" | "queues">) =>
    during(() => {
      const open = fake.exchanges.find(
        ({ request: { method }, state }) => method !== "GET" && state === "open"
      )
      if (open === undefined) throw new Error("nothing is being sent")
      open.settle(reply)
    })
  return { App, device, settle, fake }
}

describe("a component", () => {
  test("shows a write from pending to its end, with its change, and what the outbox keeps", async () => {
    const { App, settle } = makeApp()
    await show(<App />)
    expect(text()).toBe("outbox ready: empty |")
    await press("sign in")
    await press("mark")
    expect(text()).toBe("outbox ready: sending |SEEN | run queued kept  |")
    await settle(Fake.json(409, {}))
    expect(text()).toBe("outbox ready: failed |VISIT | run error kept Conflict |")
    await press("retry")
    expect(text()).toBe("outbox ready: sending |SEEN | run queued kept  |")
    await settle(Fake.failed("Reset"))
    expect(text()).toBe("outbox ready: unknown |VISIT | run unknown kept OutcomeUnknown |")
    await press("retry")
    await settle(Fake.json(200, request("r1")))
    expect(text()).toBe("outbox ready: empty |VISIT | run success kept  |")
    await press("reset")
    await press("mark nothing")
    expect(text()).toBe("outbox ready: empty |VISIT | run error  InputError |")
    expect(complaints).toEqual([])
  })

  test("does not show a run of one person to the next, nor what its entry comes to", async () => {
    const { App, settle } = makeApp()
    await show(<App isAlways />)
    await press("sign in")
    await press("mark")
    await press("sign in as another")
    expect(text()).toBe("outbox ready: empty |VISIT | run idle   |")
    await press("mark")
    await settle(Fake.json(200, request("r1")))
    expect(text()).toBe("outbox ready: empty |VISIT | run success kept  |")
    await press("sign in")
    expect(text()).toBe("outbox ready: unknown |VISIT | run idle   |")
  })

  test.each([
    ["queued while it is under way", undefined, "outbox ready: sending |SEEN | run queued kept  |"],
    ["done", Fake.json(200, request("r1")), "outbox ready: empty |VISIT | run success kept  |"],
    ["failed", Fake.json(409, {}), "outbox ready: failed |VISIT | run error kept Conflict |"]
  ] as const)(
    "that an Activity has hidden and shows again still has its run: %s",
    async (_, reply, expected) => {
      const { App, settle } = makeApp()
      const showAs = (mode: "visible" | "hidden") =>
        show(
          <Activity mode={mode}>
            <App />
          </Activity>
        )
      await showAs("visible")
      await press("sign in")
      await press("mark")
      await showAs("hidden")
      await during()
      if (reply !== undefined) await settle(reply)
      await showAs("visible")
      await during()
      expect(text()).toBe(expected)
    }
  )

  test("that is there before anybody has signed in shows and sends what was kept before a reload", async () => {
    const device = makeDevice()
    await device.setOnline(false)
    const before = device.open()
    await before.write("r1")
    await before.kill()
    await device.setOnline(true)
    const { App, fake, settle } = makeApp(device)
    await show(<App />)
    expect(text()).toBe("outbox ready: empty |")
    await press("sign in")
    expect(text()).toBe("outbox ready: sending |SEEN | run idle   |")
    await settle(Fake.json(200, request("r1")))
    expect(text()).toBe("outbox ready: empty |VISIT | run idle   |")
    expect(fake.requests().filter(({ method }) => method !== "GET")).toHaveLength(1)
    expect(complaints).toEqual([])
  })
})
