// What a Transport says of an exchange that fails on the wire, and that it lets go of one that is abandoned.
import { expect, test } from "vitest"
import type { Outcome } from "../../core/ports/transport.js"
import { aWhile, eventually } from "../support/eventually.js"
import type { Wire } from "./transport-exchanges.js"

export const transportFailures = ({ get, request, server, transport }: Wire): void => {
  test("says that nothing was sent where nobody listens", async () => {
    const outcome = await get("/echo", { origin: server().nowhere, method: "POST" })
    expect(outcome).toMatchObject({ _tag: "Failed", reason: "Refused", sent: false })
  })

  test("says that nothing was sent where the host has no address", async () => {
    const outcome = await get("/echo", { origin: "http://nowhere.invalid" })
    expect(outcome).toMatchObject({ _tag: "Failed", reason: "Unresolved", sent: false })
  })

  for (const oddity of ["reset", "drop", "reset-in-body", "cut-chunks", "short"]) {
    test(`says that it was sent where the connection breaks (${oddity})`, async () => {
      const outcome = await get(`/${oddity}`, { method: "POST" })
      expect(outcome).toMatchObject({ _tag: "Failed", reason: "Reset", sent: true })
    })
  }

  test("fails where the answer is no HTTP, and says that it was sent", async () => {
    const outcome = await get("/", { origin: server().gibberish })
    expect(outcome).toMatchObject({ _tag: "Failed", reason: "Protocol", sent: true })
  })

  test("fails, and does not throw, where a header cannot be sent", async () => {
    const before = server().seen.length
    expect(await get("/echo", { headers: { "x-bad": "a\r\nb: c" } })).toMatchObject({ _tag: "Failed" })
    await aWhile(20)
    expect(server().seen).toHaveLength(before)
  })

  for (const oddity of ["hang", "stall"]) {
    test(`lets go of the connection when it is abandoned (${oddity})`, async () => {
      const before = server().held.length
      const settled: Array<Outcome> = []
      const abandon = transport().start(request(`/${oddity}`), (outcome) => settled.push(outcome))
      await eventually(() => expect(server().held).toHaveLength(before + 1))
      await aWhile(20)
      abandon()
      await eventually(() => expect(server().held[before]?.destroyed).toBe(true))
      await aWhile(50)
      expect(settled).toEqual([])
    })
  }
}
