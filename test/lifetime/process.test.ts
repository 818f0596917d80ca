// A process whose client has been ended in the middle of something has nothing left to do: it ends by itself at once,
// and the server hears nothing more.
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type Server as HttpServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { Server } from "socket.io"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import { tokenOf } from "../wire/platform.js"

let folder = ""
let program = ""

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quartet-lifetime-"))
  program = join(folder, "child.mjs")
  await build({
    entryPoints: [fileURLToPath(new URL("./child.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
    }
  })
}, 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

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

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.http.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`
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

const open: Array<() => unknown> = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** Runs the program, which has 10 s to end by itself: what it was in the middle of would have lasted for minutes. */
const run = async (style: string, situation: string, platform: Platform): Promise<string> => {
  const url = await platform.listen()
  open.push(() => {
    platform.http.closeAllConnections()
    return new Promise((resolve) => platform.http.close(resolve))
  })
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, style, situation, url],
      { timeout: 15_000 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout.trim())
        else reject(new Error(`it did not end by itself: ${stdout}${stderr}`, { cause: error }))
      }
    )
  })
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

  test("while its chat is connected leaves nothing behind", async () => {
    const platform = new Platform(signIns, "")
    const io = new Server(platform.http, { path: "/api_private/v1/chat" })
    io.on("connection", () => setTimeout(() => platform.reached(), 300))
    // Under load it may still be looking whether the connection stands.
    expect(await run(style, "chat", platform)).toMatch(/^(value|AbortError|.*ChatError)$/)
    expect(platform.requests).toHaveLength(2)
  })

  test("while its chat waits to connect again leaves nothing behind", async () => {
    const platform = new Platform(signIns, "")
    const io = new Server(platform.http, { path: "/api_private/v1/chat", transports: ["polling"] })
    io.on("connection", (socket) => {
      setTimeout(() => {
        socket.disconnect(true)
        setTimeout(() => platform.reached(), 200)
      }, 300)
    })
    expect(await run(style, "chat", platform)).toMatch(/^(value|AbortError|.*ChatError)$/)
    expect(platform.requests).toHaveLength(2)
  })
})
