// What an editor shows of a call, asked of the compiler's own language server: its type and its docstring.
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { patient } from "@quartet/support/patience.js"
import { afterAll, beforeAll, expect, test } from "vitest"

const root = fileURLToPath(new URL("../../", import.meta.url))
const uri = pathToFileURL(join(root, "test/types/hover.ts")).href

const expressions = [
  ["Admin.requests.markSeen", 'Call<MarkSeen, RequestAction, "admin", Admin.Client, "write">'],
  ["EndUser.requests.markSeen", 'Call<MarkSeen, RequestAction, "endUser", EndUser.Client, "write">']
] as const

const source = [
  'import { Admin, EndUser } from "../../clients/index.js"',
  ...expressions.map(([expression]) => expression)
]

/** The compiler as an editor starts it: messages as JSON, each under its length. */
const connect = () => {
  const server: ChildProcess = spawn(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "--lsp", "--stdio"],
    { cwd: root, stdio: ["pipe", "pipe", "ignore"] }
  )
  const waiting = new Map<number, (result: unknown) => void>()
  let received = Buffer.alloc(0)
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message })
    server.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  server.stdout?.on("data", (piece: Buffer) => {
    received = Buffer.concat([received, piece])
    for (;;) {
      const head = /^Content-Length: (\d+)\r\n\r\n/.exec(received.toString("latin1"))
      const end = head === null ? Number.POSITIVE_INFINITY : head[0].length + Number(head[1])
      if (head === null || received.length < end) return
      const message = JSON.parse(received.subarray(head[0].length, end).toString())
      received = received.subarray(end)
      // What the server asks of the editor, such as its settings, has no answer here.
      if ("method" in message && "id" in message) send({ id: message.id, result: null })
      else if ("id" in message) waiting.get(message.id)?.(message.result)
    }
  })
  return {
    tell: (method: string, params: object) => send({ method, params }),
    ask: (method: string, params: object) =>
      new Promise<unknown>((resolve) => {
        const id = waiting.size + 1
        waiting.set(id, resolve)
        send({ id, method, params })
      }),
    stop: () => server.kill()
  }
}

const server = connect()

beforeAll(async () => {
  await server.ask("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    capabilities: { textDocument: { hover: { contentFormat: ["markdown"] } } }
  })
  server.tell("initialized", {})
  const textDocument = { uri, languageId: "typescript", version: 1, text: source.join("\n") }
  server.tell("textDocument/didOpen", { textDocument })
})

afterAll(() => server.stop())

test.each(expressions)(
  "%s shows its type and what it does",
  { timeout: patient(60_000) },
  async (expression, type) => {
    const position = { line: source.indexOf(expression), character: expression.length - 1 }
    const shown = JSON.stringify(await server.ask("textDocument/hover", { textDocument: { uri }, position }))
    expect(JSON.parse(shown).contents.value).toContain(type)
    expect(shown).toContain("Marks a request as seen at the version that the caller has read.")
  }
)
