// What a server sends in the smallest pieces costs no more memory than what it sends in large ones.
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { build } from "esbuild"
import { ways } from "./ways.js"

const mebi = 1024 * 1024
const size = 3 * mebi

/** Each byte as a chunk of its own. */
const inChunks = (body: Buffer): Buffer => {
  const bytes = Buffer.alloc(body.byteLength * 6 + 5, "1\r\n.\r\n")
  for (const [at, byte] of body.entries()) bytes[at * 6 + 3] = byte
  bytes.write("0\r\n\r\n", body.byteLength * 6)
  return bytes
}

const json = Buffer.from(`"${"x".repeat(size - 2)}"`)
const head = (status: number, ...lines: ReadonlyArray<string>): string =>
  [`HTTP/1.1 ${status} Status`, "transfer-encoding: chunked", ...lines, "", ""].join("\r\n")

describe(`${size} chunks of one byte, in a process with a heap of 256 MiB,`, () => {
  let server: Server
  let origin = ""
  let folder = ""
  let script = ""

  const answers: Readonly<Record<string, () => readonly [string, Buffer]>> = {
    "/plain": () => [head(200), json],
    // Not made smaller, so that as many bytes come in.
    "/error": () => [head(500, "content-encoding: gzip"), gzipSync(json, { level: 0 })]
  }

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on("error", () => undefined)
      socket.once("data", (request) => {
        const [first, body] = answers[request.toString("latin1").split(" ")[1] ?? ""]?.() ?? ["", json]
        socket.write(first)
        socket.end(inChunks(body))
      })
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const address = server.address()
    origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`
    folder = await mkdtemp(join(tmpdir(), "quartet-memory-"))
    script = join(folder, "child.mjs")
    await build({
      entryPoints: [fileURLToPath(new URL("./memory/child.ts", import.meta.url))],
      outfile: script,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
      }
    })
  }, 60_000)
  afterAll(async () => {
    server.close()
    await rm(folder, { recursive: true, force: true })
  })

  const run = (way: string, path: string, answer: string) =>
    new Promise<unknown>((done) => {
      const command = ["--max-old-space-size=256", script, way, origin + path, answer]
      execFile(process.execPath, command, (error, stdout, stderr) =>
        done(error === null ? JSON.parse(stdout) : `${error.message} ${stderr}`)
      )
    })

  for (const { name } of ways) {
    it(`are one answer over ${name}`, async () => {
      expect(await run(name, "/plain", "bytes")).toEqual({ tag: "Answered", status: 200, size })
    }, 60_000)

    // Node's own fetch undoes a compression piece by piece, and takes minutes for so many: the deadline ends it.
    if (!name.endsWith("fetch"))
      it(`are one compressed error over ${name}`, async () => {
        expect(await run(name, "/error", "stream")).toEqual({ tag: "Answered", status: 500, size })
      }, 60_000)

    it(`are one stream over ${name}`, async () => {
      expect(await run(name, "/plain", "stream")).toEqual({ tag: "Streaming", status: 200, size })
    }, 60_000)
  }
})
