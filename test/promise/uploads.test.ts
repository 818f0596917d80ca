// What a file to upload may be, on the wire: the web's own File, bytes with a name, and a stream that is read as it is sent.
import { createServer, type IncomingMessage } from "node:http"
import { eventually } from "@quartet/support/eventually.js"
import { listen, nobody } from "@quartet/support/servers.js"
import { afterAll, beforeEach, expect, test, vi } from "vitest"
import { createEndUserClient, type File as Upload } from "../../clients/promise/index.js"
import { rejected, serve } from "./served.js"

interface Received {
  readonly headers: IncomingMessage["headers"]
  readonly pieces: Array<Buffer>
}

/** A server that holds what it received piece by piece, and answers when the body has ended. */
const listenToUploads = async () => {
  const received: Array<Received> = []
  const statuses: Array<number> = []
  const { close, url: baseUrl } = await listen(
    createServer((request, response) => {
      const upload: Received = { headers: request.headers, pieces: [] }
      received.push(upload)
      request.on("data", (piece: Buffer) => upload.pieces.push(piece))
      request.on("end", () => {
        const headers = { "content-type": "application/json" }
        response.writeHead(statuses.shift() ?? 200, headers).end('{"_id":"f1"}')
      })
    })
  )
  afterAll(close)
  return { baseUrl, received, statuses }
}
/** One for each transport, lest what one cut off comes late to the other. */
const servers = { undici: await listenToUploads(), fetch: await listenToUploads() }
const { over } = await serve()

/** The file of a form, as another reader of multipart understands it. */
const fileIn = async ({ headers, pieces }: Received) => {
  const body = new Uint8Array(Buffer.concat(pieces))
  const type = headers["content-type"] ?? ""
  const form = await new Response(body, { headers: { "content-type": type } }).formData()
  const file = form.get("file")
  return file instanceof File ? [file.name, file.type, await file.text()] : expect.unreachable()
}

/** A stream of these pieces, which breaks where one is an error, a while after the one before it. */
const streamOf = (pieces: ReadonlyArray<unknown>) => {
  const left = [...pieces]
  const pull = async (controller: ReadableStreamDefaultController) => {
    const next = left.shift()
    if (next === undefined) return controller.close()
    if (!(next instanceof Error)) return controller.enqueue(next)
    await new Promise((resolve) => setTimeout(resolve, 20))
    controller.error(next)
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

over("a file to upload", ({ config, name: transport }) => {
  const { baseUrl, received, statuses } = servers[transport]
  const client = createEndUserClient({ ...config, baseUrl, sessionId: "s" })
  const upload = (content: ReadableStream<Uint8Array>, options = {}) =>
    client.files.upload({ file: { content, name: "a.txt", type: "text/plain" } }, options)
  const arrived = () => Promise.all(received.map(fileIn))

  beforeEach(() => {
    received.length = 0
    statuses.length = 0
  })

  const isStreamed = transport === "undici"
  const bytes = new TextEncoder().encode("ünï")
  const named = { name: "a.txt", type: "text/plain" }

  test.each<readonly [string, () => Upload]>([
    ["the web's own File", () => new File([bytes], "a.txt", { type: "text/plain" })],
    ["a Blob with a name", () => ({ content: new Blob([bytes], { type: "text/plain" }), name: "a.txt" })],
    ["a Uint8Array with a name", () => ({ content: bytes, ...named })],
    ["a Buffer with a name", () => ({ content: Buffer.from(bytes), ...named })],
    ["a stream with a name", () => ({ content: streamOf([bytes]), ...named })]
  ])("may be %s, and arrives whole with its name and type", async (_, file) => {
    expect(await client.files.upload({ file: file() })).toMatchObject({ _id: "f1" })
    expect(await arrived()).toEqual([["a.txt", "text/plain", "ünï"]])
  })

  test.each([
    ["a Buffer", Buffer.from(bytes)],
    ["a Uint8Array", bytes],
    ["a Blob", new Blob([bytes])],
    ["a stream", streamOf([])],
    ["text with a name", { content: "bytes", name: "a.txt" }]
  ])("is not %s alone: the error says what to pass", async (_, file) => {
    const message = expect.stringContaining("{ content: Blob | Uint8Array | ReadableStream, name: string }")
    const error = { tag: "InputError", field: "file", message }
    await expect(client.files.upload({ file: file as Upload })).rejects.toMatchObject(error)
    expect(received).toEqual([])
  })

  test("that is a stream is empty where the stream is, and whole where it has megabytes", async () => {
    await upload(streamOf([]))
    const piece = new Uint8Array(64 * 1024).fill(120)
    await upload(streamOf(Array(64).fill(piece)))
    const lengths = (await arrived()).map(([, , text]) => text?.length)
    expect(lengths).toEqual([0, 64 * piece.length])
  })

  const whereStreamed = isStreamed ? test : undefined
  whereStreamed?.("that is a stream is sent while it is read, and tells what was sent", async () => {
    let next: ReadableStreamDefaultController<Uint8Array> | undefined
    const content = new ReadableStream<Uint8Array>({
      start: (controller) => {
        next = controller
      }
    })
    const progress: Array<readonly [number, number]> = []
    const onUpload = (sent: number, total: number) => progress.push([sent, total])
    const sending = upload(content, { onUpload })
    next?.enqueue(new TextEncoder().encode("first"))
    await eventually(() =>
      expect(received.some(({ pieces }) => Buffer.concat(pieces).includes("first"))).toBe(true)
    )
    next?.enqueue(new TextEncoder().encode("second"))
    next?.close()
    await sending
    expect((await arrived())[0]?.[2]).toBe("firstsecond")
    expect(received[0]?.headers).toMatchObject({ "transfer-encoding": "chunked" })
    const sent = Buffer.concat(received[0]?.pieces ?? []).byteLength
    expect(progress.at(-1)).toEqual([sent, 0])
  })

  test.each([
    [
      "throws",
      () => {
        throw new Error("broken callback")
      }
    ],
    ["rejects", () => Promise.reject(new Error("broken callback"))]
  ])("is sent whole where the callback for its progress %s, which is said once", async (how, fail) => {
    let times = 0
    const onUpload = () => {
      times += 1
      return fail()
    }
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
    const file = { content: new Blob([bytes]), ...named }
    expect(await client.files.upload({ file }, { onUpload })).toMatchObject({ _id: "f1" })
    expect(await arrived()).toEqual([["a.txt", "text/plain", "ünï"]])
    if (how === "throws") expect(times).toBe(isStreamed ? 1 : 0)
    expect(log.mock.calls.filter(([line]) => /onUpload failed.*broken callback/s.test(line))).toHaveLength(
      isStreamed ? 1 : 0
    )
    log.mockRestore()
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
    const error = rejected(upload(content, { signal: controller.signal }))
    if (isStreamed) await eventually(() => expect(received).toHaveLength(1))
    controller.abort()
    expect(await error).toMatchObject({ name: "AbortError" })
    await eventually(() => expect(isCancelled).toBe(true))
  })

  test("that is a stream is given up where no connection comes about", async () => {
    const policy = { attempts: 1 }
    await using far = createEndUserClient({ ...config, baseUrl: await nobody(), sessionId: "s", policy })
    let isOver = false
    const end = () => {
      isOver = true
    }
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      end()
      controller.close()
    }
    const content = new ReadableStream({ pull, cancel: end }, { highWaterMark: 0 })
    const sending = far.files.upload({ file: { content, name: "a" } })
    await expect(sending).rejects.toMatchObject({ tag: "NetworkError" })
    await eventually(() => expect(isOver).toBe(true))
  })

  const gone = new Error("the disk is gone")
  test.each([
    ["breaks at once", [gone], "Nothing was sent."],
    [
      "breaks half-way",
      [bytes, bytes, bytes, gone],
      isStreamed ? "The request was cut off before its end." : "Nothing was sent."
    ]
  ])(
    "that is a stream which %s fails the call as an error of the input, and claims nothing",
    async (_, pieces, says) => {
      const error = await rejected(upload(streamOf(pieces)))
      const rule = "could not be read to its end"
      expect(error).toMatchObject({ tag: "InputError", field: "file.content", rule, cause: gone })
      expect(error).toMatchObject({ message: expect.stringContaining(pieces.length > 1 ? says : rule) })
    }
  )

  test("that is a stream of text, or of something else, is refused with what to pipe it through", async () => {
    const rule = "must give Uint8Arrays: pipe text through a TextEncoderStream"
    const error = { tag: "InputError", field: "file.content", rule }
    for (const piece of ["text", 7, new ArrayBuffer(2)])
      await expect(upload(streamOf([piece]))).rejects.toMatchObject(error)
  })
})
