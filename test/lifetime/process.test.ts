// A process whose client has been ended in the middle of something has nothing left to do: it ends by itself at once,
// and the server hears nothing more.
import { createServer, type ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { patient } from "@quartet/support/patience.js"
import { bundled } from "@quartet/support/programs.js"
import { listen } from "@quartet/support/servers.js"
import { Server } from "socket.io"
import { describe, expect, onTestFinished, test } from "vitest"
import { tokenOf } from "../wire/platform.js"

const program = bundled(new URL("./child.ts", import.meta.url))

type Answers = Readonly<Record<string, (response: ServerResponse) => void>>

/** A server that leaves every program in the middle of something: paths without an answer are left open. */
const platform = async (answers: Answers, reachedBy = "") => {
  const requests: Array<string> = []
  const waiting: Array<ServerResponse> = []
  let isReached = false
  const tell = () => {
    if (isReached) for (const response of waiting.splice(0)) response.end("ready")
  }
  /** From here on programs are told that they are in the middle of it. */
  const reached = () => {
    isReached = true
    tell()
  }
  const http = createServer((request, response) => {
    const path = (request.url ?? "").replace(/\?.*/, "")
    if (path === "/ready") {
      waiting.push(response)
      return tell()
    }
    if (path.startsWith("/api_private")) return
    requests.push(path)
    answers[path]?.(response)
    if (path === reachedBy) reached()
  })
  const { close, url } = await listen(http)
  onTestFinished(close)
  return { http, reached, requests, url }
}

const json =
  (value: unknown, status = 200) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))

const signIns = {
  "/auth/admin/login": json({ accessToken: tokenOf("admin-1"), user: { _id: "a1" } }),
  "/auth/login": json({ sessionId: "session-1" })
}

/** Runs the program, which has 15 s to end by itself: what it was in the middle of would have lasted for minutes. */
const run = async (style: string, situation: string, url: string): Promise<string> => {
  const { code, stderr, stdout } = await program([style, situation, url], { timeout: patient(15_000) })
  expect(code, `it did not end by itself: ${stdout}${stderr}`).toBe(0)
  return stdout.trim()
}

const download = "/cms/file/f1/download"
const pieces: Answers = { [download]: (response) => void response.writeHead(200).write("piece") }
const situations: ReadonlyArray<readonly [name: string, answers: Answers, reachedBy: string]> = [
  ["call", {}, "/v1/box"],
  ["pause", { "/v1/box": json({}, 503) }, "/v1/box"],
  ["on demand", {}, "/auth/self"],
  ["sign-in", {}, "/auth/admin/login"],
  ["download", pieces, download]
]

describe.each([
  ["runtime", "a ManagedRuntime that is disposed of", "FiberFailure"],
  ["promises", "Promise clients that are closed", "AbortError"]
])("%s: %s", (style, _, failure) => {
  test.each(situations)("in the middle of: %s leaves nothing behind", async (situation, ...answers) => {
    const { requests, url } = await platform(...answers)
    expect(await run(style, situation, url)).toBe(failure)
    expect(requests).toHaveLength(situation === "sign-in" ? 2 : 1)
  })

  test.each([
    ["is connected", false],
    ["waits to connect again", true]
  ])("while its chat %s leaves nothing behind", async (_, isCut) => {
    const { http, reached, requests, url } = await platform(signIns)
    const polling: { transports?: ["polling"] } = isCut ? { transports: ["polling"] } : {}
    const io = new Server(http, { path: "/api_private/v1/chat", ...polling })
    io.on("connection", async (socket) => {
      await sleep(300)
      if (isCut) {
        socket.disconnect(true)
        await sleep(200)
      }
      reached()
    })
    // Under load it may still be looking whether the connection stands.
    expect(await run(style, "chat", url)).toMatch(/^(value|AbortError|.*ChatError)$/)
    expect(requests).toHaveLength(2)
  })
})
