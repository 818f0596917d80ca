// The undici transport without a dispatcher: one pool that nobody has to close, and that keeps no process from ending.
import { spawn } from "node:child_process"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join, resolve } from "node:path"
import { build } from "esbuild"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as UndiciTransport from "../../adapters/undici/index.js"
import { createPublicClient } from "../../clients/promise/index.js"

const root = resolve(import.meta.dirname, "../..")
let home = ""
let http: Server
let sockets = 0

beforeAll(async () => {
  const parent = join(root, ".cache")
  await mkdir(parent, { recursive: true })
  home = await mkdtemp(join(parent, "undici-test-"))
  // Connections are kept alive for far longer than the test may last.
  http = createServer({ keepAliveTimeout: 600_000 }, (_, response) => {
    response.setHeader("content-type", "application/json").end('[{ "_id": "b1" }]')
  })
  http.on("connection", () => {
    sockets += 1
  })
  await new Promise<void>((listening) => http.listen(0, "127.0.0.1", listening))
})

afterAll(async () => {
  http.closeAllConnections()
  await new Promise((closed) => http.close(closed))
  await rm(home, { recursive: true, force: true })
})

const url = () => `http://127.0.0.1:${(http.address() as AddressInfo).port}`

test("transports that are made without a dispatcher share one pool", async () => {
  const list = () =>
    createPublicClient({ baseUrl: url(), apiKey: "key-1", transport: UndiciTransport.make() }).boxes.list()
  const before = sockets
  for (let count = 0; count < 10; count++) expect((await list()).items).toHaveLength(1)
  // A call may come before the connection of the last one is free: a second one is opened then.
  expect(sockets - before).toBeLessThan(5)
})

test("a program that uses it and closes nothing ends by itself", { timeout: 60_000 }, async () => {
  const program = `
    import * as UndiciTransport from "./adapters/undici/index.js"
    import { createPublicClient } from "./clients/promise/index.js"
    const client = createPublicClient({ baseUrl: process.argv[2], apiKey: "key-1", transport: UndiciTransport.make() })
    const [first] = await Promise.all(Array.from({ length: 20 }, () => client.boxes.list()))
    console.log(first.items[0]._id)
  `
  const outfile = join(home, "program.mjs")
  await build({
    stdin: { contents: program, resolveDir: root, loader: "ts" },
    outfile,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20"
  })
  const child = spawn(process.execPath, [outfile, url()], { stdio: ["ignore", "pipe", "inherit"] })
  let said = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text
  })
  // The test's own time limit is the judge of a program that does not end.
  const code = await new Promise((ended) => child.once("exit", ended))
  expect({ code, said }).toEqual({ code: 0, said: "b1\n" })
})
