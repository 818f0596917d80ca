// Upgraded connections: their bytes pass as they come, until the proxy drops them.
import { describe, expect, test } from "vitest"
import { eventually } from "../../support/eventually.js"
import { get, type Line } from "../bare/client.js"
import { answerTo, type Reply } from "../bare/server.js"
import { closeAfterEach, openWorld } from "../bare/world.js"
import { everything, type Plan } from "./plan.js"

closeAfterEach()

const upgrade = "GET /socket HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"
const switched = "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n"
/** Upgrades one path, and echoes from there on. */
const reply: Reply = (target) => (target === "/socket" ? switched : answerTo(target))
const struck: Plan = { seed: 1, rate: 1, weights: everything, only: "/socket" }

const tunnel = async (dial: () => Promise<Line>): Promise<Line> => {
  const line = await dial()
  line.send(upgrade)
  expect(await line.received(switched.length)).toBe(switched)
  return line
}

describe("a connection that was upgraded", () => {
  test("is hit by no fault, and passes bytes of all kinds as they come", async () => {
    const { dial, proxy } = await openWorld(struck, reply)
    const line = await tunnel(dial)
    const bytes = `${String.fromCharCode(...Array(256).keys())}${get("/qt-hidden-1")}half a`
    line.send(bytes)
    expect(await line.received(switched.length + bytes.length)).toBe(switched + bytes)
    expect(proxy.take()).toMatchObject([{ call: "GET /socket HTTP/1.1", forwarded: true, kind: undefined }])
  })

  test("is hit by no fault after requests that were", async () => {
    const { dial, proxy } = await openWorld({ ...struck, only: "/a", weights: { duplicate: 1 } }, reply)
    const line = await dial()
    line.send(get("/a"))
    const before = answerTo("/a").repeat(2)
    await line.received(before.length)
    line.send(upgrade)
    expect(await line.received((before + switched).length)).toBe(before + switched)
    expect(proxy.take().map(({ kind }) => kind)).toEqual(["duplicate", undefined])
  })

  test("ends with the server's side of it", async () => {
    const { dial, server } = await openWorld(struck, reply)
    const line = await tunnel(dial)
    server.sockets[0]?.destroy()
    expect(await line.ended()).toBe("reset")
  })
})

describe("a drop", () => {
  test("resets every connection where one was upgraded, and tells how many were", async () => {
    const { dial, proxy } = await openWorld(struck, reply)
    const tunnels = [await tunnel(dial), await tunnel(dial)]
    const plain = await dial()
    plain.send(get("/a"))
    await plain.received(answerTo("/a").length)
    expect(proxy.size()).toBe(3)
    expect(proxy.drop()).toBe(2)
    for (const line of [...tunnels, plain]) expect(await line.ended()).toBe("reset")
    await eventually(() => expect(proxy.size()).toBe(0))
  })

  test("leaves alone what was never upgraded", async () => {
    const { dial, proxy } = await openWorld(struck, reply)
    const line = await dial()
    line.send(get("/a"))
    await line.received(answerTo("/a").length)
    expect(proxy.drop()).toBe(0)
    line.send(get("/b"))
    expect(await line.received((answerTo("/a") + answerTo("/b")).length)).toBe(
      answerTo("/a") + answerTo("/b")
    )
  })
})

test("a proxy that is closed resets what is open, and answers nobody", async () => {
  const { dial, proxy } = await openWorld(struck, reply)
  const line = await tunnel(dial)
  await proxy.close()
  expect(await line.ended()).toBe("reset")
  await expect(fetch(proxy.url)).rejects.toThrow()
})
