// How a Transport hands over an answer as a stream: as it comes, no faster than it is taken, and broken where it breaks.
import { expect, test } from "vitest"
import { aWhile, eventually } from "../support/eventually.js"
import { utf8, type Wire } from "./transport-exchanges.js"

export const transportStreams = ({ get, server }: Wire): void => {
  test("hands a stream over as it comes", async () => {
    const outcome = await get("/drip", { answer: "stream" })
    if (outcome._tag !== "Streaming") return expect.unreachable(outcome._tag)
    expect(outcome.header("content-type")).toBe("text/csv")
    const reader = outcome.body.getReader()
    const first = await reader.read()
    expect(utf8.decode(first.value)).toBe("a,b\n")
    server().dripping.pop()?.()
    let rest = ""
    for (let next = await reader.read(); !next.done; next = await reader.read())
      rest += utf8.decode(next.value)
    expect(rest).toBe("1,2\nü,🎉\n")
  })

  test("hands over an empty stream", async () => {
    const outcome = await get("/empty", { answer: "stream" })
    if (outcome._tag !== "Streaming") return expect.unreachable(outcome._tag)
    expect(await new Response(outcome.body).text()).toBe("")
  })

  test("reads a stream no faster than it is taken, and lets go when it is cancelled", async () => {
    const outcome = await get("/flood", { answer: "stream" })
    if (outcome._tag !== "Streaming") return expect.unreachable(outcome._tag)
    const reader = outcome.body.getReader()
    await reader.read()
    await aWhile(300)
    const poured = server().flooded()
    await aWhile(200)
    expect(server().flooded()).toBe(poured)
    expect(poured).toBeLessThan(64 * 1024 * 1024)
    await reader.cancel()
    await eventually(() => expect(server().held.at(-1)?.destroyed).toBe(true))
  })

  for (const oddity of ["reset-in-body", "cut-chunks"]) {
    test(`fails a stream whose connection breaks (${oddity})`, async () => {
      const outcome = await get(`/${oddity}`, { answer: "stream" })
      if (outcome._tag !== "Streaming") return expect.unreachable(outcome._tag)
      await expect(new Response(outcome.body).text()).rejects.toThrow()
    })
  }
}
