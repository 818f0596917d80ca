/** The language servers of the supported compilers, as an editor talks to them: what they show of a place in a file. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** The compilers by the folders in which they are installed. */
export const compilers = ["typescript-5.9", "typescript-6.0", "typescript"] as const

/** A place in a file; both count from 0. */
export interface Place {
  readonly line: number
  readonly character: number
}

/** A language server. */
export interface Server {
  readonly open: (file: string, text: string) => void
  /** All that it shows where the pointer rests: the type, the docstring, and its tags. */
  readonly hover: (file: string, place: Place) => Promise<string>
  /** All that it shows of a name that it offers, before the name is chosen. */
  readonly complete: (file: string, place: Place, name: string) => Promise<string>
  /** The names that it offers at a place. */
  readonly offer: (file: string, place: Place) => Promise<ReadonlyArray<string>>
  readonly stop: () => void
}

/** Asks a process, whose messages stand after their lengths, and finds the answer by its number. */
const talk = (
  args: ReadonlyArray<string>,
  {
    idOf,
    written
  }: { readonly idOf: (message: object) => unknown; readonly written: (text: string) => string }
) => {
  const child: ChildProcess = spawn(process.execPath, args, { cwd: root, stdio: ["pipe", "pipe", "ignore"] })
  const waiting = new Map<unknown, (message: Readonly<Record<string, unknown>>) => void>()
  let received = Buffer.alloc(0)
  const send = (message: object) => child.stdin?.write(written(JSON.stringify(message)))
  child.stdout?.on("data", (piece: Buffer) => {
    received = Buffer.concat([received, piece])
    for (;;) {
      const head = /^Content-Length: (\d+)\r?\n\r?\n/.exec(received.toString("latin1"))
      const end = head === null ? Number.POSITIVE_INFINITY : head[0].length + Number(head[1])
      if (head === null || received.length < end) return
      const message = JSON.parse(received.subarray(head[0].length, end).toString())
      received = received.subarray(end)
      // What the server asks of the editor, such as its settings, has no answer here.
      if ("method" in message && "id" in message) send({ jsonrpc: "2.0", id: message.id, result: null })
      else waiting.get(idOf(message))?.(message)
    }
  })
  let asked = 0
  return {
    send,
    ask: (message: (id: number) => object) => {
      asked += 1
      const id = asked
      return new Promise<Readonly<Record<string, unknown>>>((resolve) => {
        waiting.set(id, resolve)
        send(message(id))
      })
    },
    stop: () => child.kill()
  }
}

/** Text, or its pieces. */
const joined = (text: unknown): string =>
  Array.isArray(text) ? text.map((piece) => Object(piece).text).join("") : String(text ?? "")

/** What a server of the first kind says of a name, as an editor prints it. */
const shown = (of: unknown): string => {
  const { displayParts, displayString, documentation, tags = [] } = Object(of)
  const told: ReadonlyArray<string> = tags.map((tag: unknown) => {
    const { name, text } = Object(tag)
    return `@${name} ${joined(text)}`
  })
  return [joined(displayString ?? displayParts), joined(documentation), ...told].join("\n")
}

/** What a server of the Language Server Protocol says, as an editor prints it. */
const marked = (contents: unknown): string =>
  typeof contents === "string" ? contents : String(Object(contents).value ?? "")

/** The server that came with the compiler up to 6: a protocol of its own. */
const classic = (compiler: string): Server => {
  const { ask, send, stop } = talk(
    [join(root, "node_modules", compiler, "lib/tsserver.js"), "--disableAutomaticTypingAcquisition"],
    { idOf: (message) => Object(message).request_seq, written: (text) => `${text}\n` }
  )
  const request = (command: string, of: object) =>
    ask((seq) => ({ seq, type: "request", command, arguments: of }))
  const at = (file: string, { character, line }: Place) => ({ file, line: line + 1, offset: character + 1 })
  return {
    open: (file, text) =>
      send({ seq: 0, type: "request", command: "open", arguments: { file, fileContent: text } }),
    hover: async (file, place) => shown((await request("quickinfo", at(file, place))).body),
    complete: async (file, place, name) => {
      const asked = { ...at(file, place), entryNames: [name] }
      const { body } = await request("completionEntryDetails", asked)
      return Array.isArray(body) ? body.map(shown).join("") : ""
    },
    offer: async (file, place) => {
      const { body } = await request("completionInfo", at(file, place))
      const entries: ReadonlyArray<{ readonly name: string }> = Object(body).entries ?? []
      return entries.map(({ name }) => name)
    },
    stop
  }
}

/** The compiler's own, from 7 on: the Language Server Protocol. */
const modern = (compiler: string): Server => {
  const { ask, send, stop } = talk([join(root, "node_modules", compiler, "bin/tsc"), "--lsp", "--stdio"], {
    idOf: (message) => Object(message).id,
    written: (text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
  })
  const request = async (method: string, params: object) =>
    (await ask((id) => ({ jsonrpc: "2.0", id, method, params }))).result
  const tell = (method: string, params: object) => send({ jsonrpc: "2.0", method, params })
  const ready = request("initialize", {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    capabilities: {
      textDocument: {
        hover: { contentFormat: ["markdown"] },
        completion: { completionItem: { documentationFormat: ["markdown"] } }
      }
    }
  }).then(() => tell("initialized", {}))
  const at = (file: string, position: Place) => ({
    textDocument: { uri: pathToFileURL(file).href },
    position
  })
  const itemsAt = async (file: string, place: Place): Promise<ReadonlyArray<{ readonly label: string }>> => {
    await ready
    const offered = Object(await request("textDocument/completion", at(file, place)))
    return offered.items ?? offered
  }
  const nameOf = ({ label }: { readonly label: string }): string => label.replace(/\?$/, "")
  return {
    open: async (file, text) => {
      await ready
      const textDocument = { uri: pathToFileURL(file).href, languageId: "typescript", version: 1, text }
      tell("textDocument/didOpen", { textDocument })
    },
    hover: async (file, place) => {
      await ready
      return marked(Object(await request("textDocument/hover", at(file, place))).contents)
    },
    offer: async (file, place) => (await itemsAt(file, place)).map(nameOf),
    complete: async (file, place, name) => {
      const item = (await itemsAt(file, place)).find((one) => nameOf(one) === name)
      if (item === undefined) return ""
      const { detail, documentation } = Object(await request("completionItem/resolve", item))
      return `${detail}\n${marked(documentation)}`
    },
    stop
  }
}

/** Starts the language server of a compiler. */
export const serve = (compiler: (typeof compilers)[number]): Server =>
  compiler === "typescript" ? modern(compiler) : classic(compiler)
