/**
 * Every server that a command opens keeps the pages of other sites out. The commands are the program's own, and what each opens is
 * told by Node, so that neither a new command nor a second listener of an old one can be forgotten.
 */

import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Command from "@effect/cli/Command"
import { filesIn, read, removeFolder, root } from "@quartet/support/files.js"
import { patient } from "@quartet/support/patience.js"
import { quartet } from "@quartet/support/quartet.js"
import { type Listening, listen } from "@quartet/support/servers.js"
import * as HashMap from "effect/HashMap"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { command as job, jobs } from "../job/command.js"
import { summaries } from "../summaries.js"

const { program } = quartet()

/** Has a process tell, on stderr, every port that it listens on. */
const telling = `data:text/javascript,${encodeURIComponent(`
  import { Server } from "node:net"
  const { listen } = Server.prototype
  Server.prototype.listen = function (...given) {
    this.once("listening", () => {
      const at = this.address()
      process.stderr.write("LISTENS " + (at?.port ?? at) + "\\n")
    })
    return listen.apply(this, given)
  }
`)}`

/** Commands of a command are commands too. */
const commands = [
  ...Object.keys(summaries).filter((name) => name !== "job"),
  ...[...HashMap.keys(Command.getSubcommands(job("job")))].map((name) => `job ${name}`),
  ...Object.keys(jobs).map((name) => `job run ${name}`)
]

let folder = ""
/** Stands for the platform, where a command needs one. */
let platform: Listening
let requests: Array<string> = []
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "quartet-guard-"))
  const pages = join(dirname(program()), "console")
  mkdirSync(pages)
  writeFileSync(join(folder, "rows.csv"), "id\n1\n")
  writeFileSync(
    join(pages, "index.html"),
    "<!doctype html><html><head></head><body>the console</body></html>"
  )
  platform = await listen(
    createServer((request, answer) => {
      requests.push(`${request.method} ${request.url}`)
      answer.end("{}")
    }).on("upgrade", (request, socket) => {
      requests.push(`upgrade ${request.url}`)
      socket.destroy()
    })
  )
})
afterAll(async () => {
  await platform.close()
  await removeFolder(folder)
})

/** What is run of a command, and what it prints once all that it opens is open; without that, it ends by itself. */
interface Run {
  readonly words: ReadonlyArray<string>
  readonly serves?: RegExp
  /** Answers the pages of its own origin alone, of all those of this machine. */
  readonly isOwnAlone?: true
  readonly stdin?: string
}

/** What is run of each command. */
const runs: Readonly<Record<string, Run>> = {
  sandbox: { words: ["--port", "0"], serves: /Ctrl\+C/ },
  tour: { words: ["--port", "0", "--no-console"], serves: /Ctrl\+C/ },
  operations: { words: ["requests"] },
  call: { words: ["public.project.get", "--sandbox"] },
  generate: { words: ["--sandbox", "--output", "models.ts"] },
  record: { words: ["--port", "0"], serves: /listening on/ },
  adapt: { words: [] },
  doctor: { words: ["--sandbox"] },
  mcp: { words: ["--sandbox"], stdin: "" },
  console: { words: ["--port", "0"], serves: /Ctrl\+C/, isOwnAlone: true },
  "job run": { words: ["importItems", "--sandbox"] },
  "job run import": {
    words: [
      "--to",
      "entities.create",
      "--input",
      '{"kind": "shoe"}',
      "--file",
      "rows.csv",
      "--sandbox",
      "--yes"
    ]
  },
  "job run export": { words: ["--call", "items.list", "--file", "items.ndjson", "--sandbox", "--yes"] },
  "job run notify": { words: ["--key", "a", "--payload", '{"title": "Hi"}', "--sandbox", "--yes"] },
  "job run refunds": { words: ["--file", "rows.csv", "--sandbox", "--yes"] },
  "job work": { words: ["--sandbox"], serves: /takes part/ },
  "job list": { words: [] },
  "job show": { words: ["none"] },
  "job pause": { words: ["none"] },
  "job resume": { words: ["none"] },
  "job retry": { words: ["none"] },
  "job settle": { words: ["none", "--items", "1"] },
  "job serve": { words: ["--port", "0"], serves: /Ctrl\+C/, isOwnAlone: true },
  "job rm": { words: ["none", "--yes"] },
  "job cancel": { words: ["none", "--yes"] },
  "job migrate": { words: ["--dry-run"] }
}

/** The scripts of the repository that open a server; the pages of `site:dev` are the documentation, which is public. */
const servingScripts = ["dev", "site:dev", "start"]
const scripts: Readonly<Record<string, string>> = JSON.parse(read("package.json")).scripts

/** Starts a program, and answers the ports that it listens on once it serves or has ended. */
const ports = async (args: ReadonlyArray<string>, { serves, stdin }: Omit<Run, "words">, cwd = folder) => {
  const child = spawn(process.execPath, ["--import", telling, ...args], {
    cwd,
    env: {
      PATH: process.env.PATH,
      QUARTET_BASE_URL: platform.url,
      QUARTET_FLEET_STORE: "file:fleet.db",
      NO_COLOR: "1"
    }
  })
  child.stdin.end(stdin ?? "")
  let all = ""
  await new Promise<void>((done) => {
    const hear = (piece: Buffer): void => {
      all += String(piece)
      if (serves?.test(all)) done()
    }
    child.stdout.on("data", hear)
    child.stderr.on("data", hear)
    child.once("close", () => done())
  })
  expect([all, child.exitCode === null], args.join(" ")).toEqual([all, serves !== undefined])
  return {
    ports: [...all.matchAll(/^LISTENS (.+)$/gm)].map(([, port]) => Number(port)),
    said: () => all,
    end: () =>
      new Promise<void>((done) => {
        if (child.exitCode !== null) return done()
        child.once("close", () => done())
        child.kill("SIGTERM")
      })
  }
}

/** The status that raw bytes are answered with; 0 where the connection is closed without an answer. */
const statusOf = (port: number, bytes: string): Promise<number> =>
  new Promise((done) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.write(bytes))
    let text = ""
    // Node itself says that a body may come, before anybody has seen the request.
    const answered = /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 (?!100)(\d+)[\s\S]*\r\n\r\n/
    const end = (): void => {
      socket.destroy()
      done(Number(answered.exec(text)?.[1] ?? 0))
    }
    socket.on("data", (piece: Buffer) => {
      text += String(piece)
      if (answered.test(text)) end()
    })
    socket.on("error", end)
    socket.on("close", end)
    // An upgrade that is let in, and that nobody takes, is never answered.
    socket.setTimeout(1_000, end)
  })

const request = (line: string, headers: Readonly<Record<string, string>>, version = "1.1"): string =>
  `${line} HTTP/${version}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`

const upgrade = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-protocol": "vite-hmr"
}

const chat = "/api_private/v1/chat/?EIO=4&transport="

/** Everything that a page can send. */
const ways: ReadonlyArray<readonly [line: string, headers: Readonly<Record<string, string>>]> = [
  ["GET /", {}],
  ["GET /index.html", {}],
  ["GET /project/self", { "x-api-key": "qk_public_demo" }],
  ["GET /fleet/runs", {}],
  ["GET /@vite/client", {}],
  ["OPTIONS /v1/box", { "access-control-request-method": "POST" }],
  ["POST /v1/box", { "content-type": "text/plain", "content-length": "0" }],
  ["POST /v1/box", { "content-length": "0", expect: "100-continue" }],
  [`GET ${chat}polling`, {}],
  [`GET ${chat}websocket`, upgrade],
  ["GET /", upgrade]
]

const foreignHosts = [
  "evil.test",
  "evil.test:80",
  "localhost.evil.test",
  "127.0.0.1.evil.test",
  "10.0.0.7",
  ""
]
const foreignOrigins = [
  "https://evil.test",
  "http://localhost.evil.test",
  "http://127.0.0.1.evil.test",
  "null",
  ""
]

/** Does the same with all, some at once. */
const each = async <A>(all: ReadonlyArray<A>, work: (item: A) => Promise<void>): Promise<void> => {
  const rest = [...all]
  const some = Array.from({ length: 8 }, async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item)
  })
  await Promise.all(some)
}

/** What a server does not refuse of all that a foreign page or name may try. */
const admitted = async (port: number, isOwnAlone: boolean): Promise<ReadonlyArray<string>> => {
  const own = `127.0.0.1:${port}`
  const others = isOwnAlone ? [`http://127.0.0.1:${port === 1 ? 2 : 1}`, `http://localhost:${port}`] : []
  const tries = ways.flatMap(([line, headers]) => {
    const absolute = line.replace(" /", " http://evil.test/")
    return [
      ...foreignHosts.map((host) => request(line, { ...headers, host })),
      ...[...foreignOrigins, ...others].map((origin) => request(line, { ...headers, host: own, origin })),
      request(line, { ...headers, host: own, "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" }),
      request(absolute, { ...headers, host: own }),
      request(absolute, { ...headers, host: "evil.test" }),
      request(line, headers, "1.0"),
      `${request(line, { ...headers, host: own }).trimEnd()}\r\nHost: evil.test\r\n\r\n`
    ]
  })
  const opened: Array<string> = []
  await each(tries, async (bytes) => {
    const status = await statusOf(port, bytes)
    if (status !== 403) opened.push(`${status} for ${JSON.stringify(bytes)}`)
  })
  for (const target of ["evil.test:443", own]) {
    const status = await statusOf(port, request(`CONNECT ${target}`, { host: target }))
    if (status !== 0 && status !== 403) opened.push(`${status} for CONNECT ${target}`)
  }
  return opened
}

/** What a server refuses of programs and pages of this machine. */
const refused = async (port: number, isOwnAlone: boolean): Promise<ReadonlyArray<string>> => {
  const own = `http://127.0.0.1:${port}`
  const origins = isOwnAlone
    ? [own]
    : [own, "http://localhost:5173", "https://app.localhost", "http://[::1]:3000"]
  const tries = ways.flatMap(([line, headers]) => [
    ...["localhost:8080", "app.localhost", "127.0.0.1", "[::1]:4400"].map((host) =>
      request(line, { ...headers, host })
    ),
    ...origins.map((origin) => request(line, { ...headers, host: `127.0.0.1:${port}`, origin })),
    request(line.replace(" /", ` ${own}/`), { ...headers, host: `127.0.0.1:${port}` })
  ])
  const opened: Array<string> = []
  await each(tries, async (bytes) => {
    if ((await statusOf(port, bytes)) === 403) opened.push(JSON.stringify(bytes))
  })
  return opened
}

const keepsOut = async (opened: Awaited<ReturnType<typeof ports>>, isOwnAlone = false) => {
  for (const port of opened.ports) {
    requests = []
    expect(await admitted(port, isOwnAlone)).toEqual([])
    expect(requests, "none of it came as far as the platform").toEqual([])
    expect(await refused(port, isOwnAlone)).toEqual([])
  }
}

const patience = { timeout: patient(120_000) }

describe("every server that a command opens keeps out foreign hosts and origins", patience, () => {
  it("of every command of the program", () => {
    expect(Object.keys(runs).sort()).toEqual([...commands].sort())
  })

  it.each(Object.entries(runs))("quartet %s", async (name, { isOwnAlone, words, ...run }) => {
    const opened = await ports([program(), ...name.split(" "), ...words], run)
    try {
      const isServer = words.includes("--port")
      expect(opened.ports.length, opened.said()).toBe(isServer ? 1 : 0)
      await keepsOut(opened, isOwnAlone)
    } finally {
      await opened.end()
    }
  })

  it("the page's server of npm run dev, its socket, and the sandbox beside it", async () => {
    expect(scripts.dev).toBe("node tools/console.mjs dev")
    const opened = await ports(
      [join(root, "tools/console.mjs"), "dev", "--port", "0"],
      { serves: /Local:/ },
      root
    )
    try {
      expect(opened.ports.length, opened.said()).toBe(2)
      await keepsOut(opened)
    } finally {
      await opened.end()
    }
  })

  it("npm start is the tour", () => {
    expect(scripts.start).toBe("node tools/start.mjs")
    expect(read("tools/start.mjs")).toContain('process.argv.splice(2, 0, "tour")')
  })

  it("no other script of the repository serves anything", () => {
    const others = Object.entries(scripts).filter(([name]) => !servingScripts.includes(name))
    expect(
      others.filter(([, line]) => /\bvite(?! build)\b|preview|serve|start\b|\bdev\b/.test(line))
    ).toEqual([])
  })

  it("and no source opens a server without the guard", () => {
    const opening = /\bcreateServer\(|\bcreateSecureServer\(|new (Http|Net|Https)\.Server\(/
    const sources = ["core", "adapters", "clients", "ui", "packages", "tools"].flatMap(filesIn)
    // Vite takes its guard as a part of its configuration: that server is tried above.
    const isOther = (file: string): boolean =>
      /(^|\/)test\/|^packages\/support\//.test(file) || file === "tools/console.mjs"
    const servers = sources
      .filter((file) => /\.(tsx?|mjs)$/.test(file) && !isOther(file))
      .flatMap((file) =>
        read(file)
          .split("\n")
          .filter((line) => opening.test(line) && !/[gG]uard\(/.test(line))
          .map((line) => `${file}: ${line.trim()}`)
      )
    expect(servers).toEqual([])
  })
})
