// What a file to upload may be, on the wire: the web's own File, bytes with a name, and a stream that is read as it is sent.
import { createServer, type IncomingMessage } from "node:http"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createEndUserClient, type EndUserClient, type File as Upload } from "../../clients/promise/index.js"
import { listen as listening } from "../support/servers.js"
import { type Opened, transports } from "../support/transports.js"

interface Received {
  readonly headers: IncomingMessage["headers"]
  readonly pieces: Array<Buffer>
}

/** A server that holds what it received piece by piece, and answers when the body has ended. */
const listen = async () => {
  const received: Array<Received> = []
  const statuses: Array<number> = []
  const { close, url } = await listening(
    createServer((request, response) => {
      const one: Received = { headers: request.headers, pieces: [] }
      received.push(one)
      request.on("data", (piece: Buffer) => one.pieces.push(piece))
      request.on("end", () => {
        response
          .writeHead(statuses.shift() ?? 200, { "content-type": "application/json" })
          .end('{"_id":"f1"}')
      })
    })
  )
  return { url, received, statuses, close }
}

const soon = async (isTrue: () => boolean): Promise<void> => {
  for (let turns = 0; !isTrue() && turns < 2_000; turns++)
    await new Promise((resolve) => setTimeout(resolve, 1))
  expect(isTrue()).toBe(true)
}

/** The file of a form, as another reader of multipart understands it. */
const fileIn = async ({ headers, pieces }: Received) => {
  const body = new Uint8Array(Buffer.concat(pieces))
  const type = headers["content-type"] ?? ""
  const form = await new Response(body, { headers: { "content-type": type } }).formData()
  const file = form.get("file")
  return file instanceof File ? [file.name, file.type, await file.text()] : expect.unreachable()
}

describe.each(transports)("over $name, a file to upload", ({ name: transport, open }) => {
  let server: Awaited<ReturnType<typeof listen>>
  let opened: Opened
  let client: EndUserClient

  beforeAll(async () => {
    server = await listen()
    opened = open()
    client = createEndUserClient({
      baseUrl: server.url,
      apiKey: "k",
      sessionId: "s",
      transport: opened.transport
    })
  })
  beforeEach(() => {
    server.received.length = 0
    server.statuses.length = 0
  })
  afterAll(async () => {
    await client.close()
    await opened.close()
    await server.close()
  })

  const isStreamed = transport === "undici"
  const bytes = new TextEncoder().encode("ünï")
  const stream = (): ReadableStream<Uint8Array> => new Blob([bytes]).stream()
  const named = { name: "a.txt", type: "text/plain" }
  const files: ReadonlyArray<readonly [string, () => Upload]> = [
    ["the web's own File", () => new File([bytes], "a.txt", { type: "text/plain" })],
    ["a Blob with a name", () => ({ content: new Blob([bytes], { type: "text/plain" }), name: "a.txt" })],
    ["a Uint8Array with a name", () => ({ content: bytes, ...named })],
    ["a Buffer with a name", () => ({ content: Buffer.from(bytes), ...named })],
    ["a stream with a name", () => ({ content: stream(), ...named })]
  ]

  test.each(files)("may be %s, and arrives whole with its name and type", async (_, file) => {
    expect(await client.files.upload({ file: file() })).toMatchObject({ _id: "f1" })
    expect(await Promise.all(server.received.map(fileIn))).toEqual([["a.txt", "text/plain", "ünï"]])
  })

  test.each([
    ["a Buffer", Buffer.from(bytes)],
    ["a Uint8Array", bytes],
    ["a Blob", new Blob([bytes])],
    ["a stream", stream()],
    ["text with a name", { content: "bytes", name: "a.txt" }]
  ])("is not %s alone: the error says what to pass", async (_, file) => {
    const upload = client.files.upload({ file: file as unknown as Upload })
    await expect(upload).rejects.toMatchObject({
      tag: "InputError",
      field: "file",
      message: expect.stringContaining("{ content: Blob | Uint8Array | ReadableStream, name: string }")
    })
    expect(server.received).toEqual([])
  })

  test("that is a stream is empty where the stream is", async () => {
    await client.files.upload({ file: { content: new Blob([]).stream(), name: "empty" } })
    expect(await Promise.all(server.received.map(fileIn))).toEqual([
      ["empty", "application/octet-stream", ""]
    ])
  })

  test("that is a stream of megabytes arrives whole", async () => {
    const piece = new Uint8Array(64 * 1024).fill(120)
    let left = 64
    const content = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (left-- > 0) controller.enqueue(piece)
        else controller.close()
      }
    })
    await client.files.upload({ file: { content, name: "large" } })
    const [received] = await Promise.all(server.received.map(fileIn))
    expect(received?.[2]?.length).toBe(64 * piece.length)
  })

  test("that is a stream serves one call: a second one sends nothing", async () => {
    const file = { content: stream(), ...named }
    await client.files.upload({ file })
    await expect(client.files.upload({ file })).rejects.toMatchObject({ field: "file.content" })
    expect(server.received).toHaveLength(1)
  })

  test("that is a stream is never sent empty in a second attempt", async () => {
    server.statuses.push(503, 200)
    const upload = client.files.upload({ file: { content: stream(), ...named } }, { idempotencyKey: "k-1" })
    if (isStreamed) await expect(upload).rejects.toMatchObject({ status: 503 })
    else expect(await upload).toMatchObject({ _id: "f1" })
    const texts = (await Promise.all(server.received.map(fileIn))).map(([, , text]) => text)
    expect(texts).toEqual(isStreamed ? ["ünï"] : ["ünï", "ünï"])
  })

  const whereStreamed = isStreamed ? test : undefined
  whereStreamed?.("that is a stream is sent while it is read, and tells what was sent", async () => {
    let next: ReadableStreamDefaultController<Uint8Array> | undefined
    const content = new ReadableStream<Uint8Array>({
      start: (controller) => {
        next = controller
      }
    })
    const told: Array<readonly [number, number]> = []
    const upload = client.files.upload(
      { file: { content, name: "a.txt" } },
      { onUpload: (sent, total) => told.push([sent, total]) }
    )
    next?.enqueue(new TextEncoder().encode("first"))
    await soon(() => server.received.some(({ pieces }) => Buffer.concat(pieces).includes("first")))
    next?.enqueue(new TextEncoder().encode("second"))
    next?.close()
    await upload
    expect((await Promise.all(server.received.map(fileIn)))[0]?.[2]).toBe("firstsecond")
    expect(server.received[0]?.headers).toMatchObject({ "transfer-encoding": "chunked" })
    const sent = Buffer.concat(server.received[0]?.pieces ?? []).byteLength
    expect(told.at(-1)).toEqual([sent, 0])
  })

  test("that is a stream is given up with the call", async () => {
    let isCancelled = false
    const content = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes),
      cancel: () => {
        isCancelled = true
      }
    })
    const controller = new AbortController()
    const upload = client.files.upload({ file: { content, name: "a" } }, { signal: controller.signal })
    if (isStreamed) await soon(() => server.received.length === 1)
    controller.abort()
    await expect(upload).rejects.toMatchObject({ name: "AbortError" })
    await soon(() => isCancelled)
  })

  test("that is a stream is given up where no connection comes about", async () => {
    const gone = await listen()
    await gone.close()
    await using far = createEndUserClient({
      baseUrl: gone.url,
      apiKey: "k",
      sessionId: "s",
      transport: opened.transport,
      policy: { attempts: 1 }
    })
    let isOver = false
    const content = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          isOver = true
          controller.close()
        },
        cancel: () => {
          isOver = true
        }
      },
      { highWaterMark: 0 }
    )
    await expect(far.files.upload({ file: { content, name: "a" } })).rejects.toMatchObject({
      tag: "NetworkError"
    })
    await soon(() => isOver)
  })

  test("that is a stream which breaks fails the call", async () => {
    const content = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("the disk is gone"))
    })
    await expect(client.files.upload({ file: { content, name: "a" } })).rejects.toMatchObject({
      tag: "InputError",
      field: "file.content",
      rule: "could not be read to its end",
      cause: expect.objectContaining({ message: "the disk is gone" })
    })
  })

  test("that is a stream which breaks half-way fails the call as an error of the input, and claims nothing", async () => {
    let left = 3
    const content = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (left-- > 0) controller.enqueue(bytes)
        else controller.error(new Error("the disk is gone"))
      }
    })
    const failed = await client.files
      .upload({ file: { content, name: "a" } })
      .catch((error: unknown) => error)
    expect(failed).toMatchObject({
      tag: "InputError",
      cause: { message: "the disk is gone" },
      message:
        'files.upload: the field "file.content" could not be read to its end. ' +
        (isStreamed ? "The request was cut off before its end." : "Nothing was sent.")
    })
  })

  test("that is a stream of text, or of something else, is refused with what to pipe it through", async () => {
    for (const piece of ["text", 7, new ArrayBuffer(2)]) {
      const content = new ReadableStream({
        start: (controller) => {
          controller.enqueue(piece)
          controller.close()
        }
      })
      await expect(client.files.upload({ file: { content, name: "a" } })).rejects.toMatchObject({
        tag: "InputError",
        field: "file.content",
        rule: "must give Uint8Arrays: pipe text through a TextEncoderStream"
      })
    }
  })

  test("that is a stream which was read or cancelled before is refused, and nothing is sent", async () => {
    const streams = [stream(), stream(), stream()] as const
    await new Response(streams[0].pipeThrough(new TransformStream())).text()
    const reader = streams[1].getReader()
    await reader.read()
    reader.releaseLock()
    await streams[2].cancel()
    for (const content of streams)
      await expect(client.files.upload({ file: { content, name: "a" } })).rejects.toMatchObject({
        tag: "InputError",
        field: "file.content"
      })
    expect(server.received).toEqual([])
  })
})
