// A process whose client has been ended in the middle of something has nothing left to do: it ends by itself at once,
// and the server hears nothing more.
import { createServer, type Server as HttpServer, type ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { Server } from "socket.io"
import { describe, expect, onTestFinished, test } from "vitest"
import { bundled } from "../support/programs.js"
import { listen } from "../support/servers.js"
import { tokenOf } from "../wire/platform.js"

const program = bundled(new URL("./child.ts", import.meta.url))

/** A server that leaves every program in the middle of something. */
class Platform {
  readonly requests: Array<string> = []
  /** What is done with requests, by path; those that are left out are not answered. */
  private readonly waiting: Array<ServerResponse> = []
  private isReached = false
  readonly http: HttpServer

  constructor(answers: Readonly<Record<string, (response: ServerResponse) => void>>, reachedBy: string) {
    this.http = createServer((request, response) => {
      const path = (request.url ?? "").replace(/\?.*/, "")
      if (path === "/ready") {
        this.waiting.push(response)
        this.tell()
        return
      }
      if (path.startsWith("/api_private")) return
      this.requests.push(path)
      answers[path]?.(response)
      if (path === reachedBy) this.reached()
    })
  }

  /** From here on programs are told that they are in the middle of it. */
  reached(): void {
    this.isReached = true
    this.tell()
  }

  private tell(): void {
    if (this.isReached) for (const response of this.waiting.splice(0)) response.end("ready")
  }
}

const json = (value: unknown, status = 200, headers = {}) => {
  const text = JSON.stringify(value)
  return (response: ServerResponse) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(text)
}

const signIns = {
  "/auth/admin/login": json({ accessToken: tokenOf("admin-1"), user: {} }),
  "/auth/login": json({ sessionId: "session-1" })
}

/** Runs the program, which has 15 s to end by itself: what it was in the middle of would have lasted for minutes. */
const run = async (style: string, situation: string, platform: Platform): Promise<string> => {
  const { close, url } = await listen(platform.http)
  onTestFinished(close)
  const { code, stderr, stdout } = await program([style, situation, url], { timeout: 15_000 })
  expect(code, `it did not end by itself: ${stdout}${stderr}`).toBe(0)
  return stdout.trim()
}

const situations = {
  call: () => new Platform({}, "/v1/box"),
  pause: () => new Platform({ "/v1/box": json({}, 503) }, "/v1/box"),
  "on demand": () => new Platform({}, "/auth/self"),
  "sign-in": () => new Platform({}, "/auth/admin/login"),
  download: () =>
    new Platform(
      { "/cms/file/f1/download": (response) => void response.writeHead(200).write("piece") },
      "/cms/file/f1/download"
    )
}

describe.each([
  ["runtime", "a ManagedRuntime that is disposed of", "FiberFailure"],
  ["promises", "Promise clients that are closed", "AbortError"]
])("%s: %s", (style, _, failure) => {
  test.each(Object.entries(situations))(
    "in the middle of: %s leaves nothing behind",
    async (situation, make) => {
      const platform = make()
      expect(await run(style, situation, platform)).toBe(failure)
      expect(platform.requests).toHaveLength(situation === "sign-in" ? 2 : 1)
    }
  )

  test.each([
    ["is connected", false],
    ["waits to connect again", true]
  ])("while its chat %s leaves nothing behind", async (_, isCut) => {
    const platform = new Platform(signIns, "")
    const transports: { transports?: ["polling"] } = isCut ? { transports: ["polling"] } : {}
    const io = new Server(platform.http, { path: "/api_private/v1/chat", ...transports })
    io.on("connection", async (socket) => {
      await sleep(300)
      if (isCut) {
        socket.disconnect(true)
        await sleep(200)
      }
      platform.reached()
    })
    // Under load it may still be looking whether the connection stands.
    expect(await run(style, "chat", platform)).toMatch(/^(value|AbortError|.*ChatError)$/)
    expect(platform.requests).toHaveLength(2)
  })
})
