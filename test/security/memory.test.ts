// What a server sends in the smallest pieces costs no more memory than what it sends in large ones, also for readers who keep it.
import { gzipSync } from "node:zlib"
import { beforeAll, describe, expect, it } from "@effect/vitest"
import { patient } from "@quartet/support/patience.js"
import { bundled } from "@quartet/support/programs.js"
import { raw, serve } from "@quartet/support/raw-server.js"
import { isWhole } from "@quartet/support/scale.js"
import { ways } from "@quartet/support/transports.js"

const [mebibytes, heap] = isWhole ? [3, 256] : [1, 64]
const size = mebibytes * 1024 * 1024

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

describe(`${size} chunks of one byte, in a process with a heap of ${heap} MiB,`, () => {
  let origin = ""
  const output = bundled(new URL("./memory/child.ts", import.meta.url))

  const answers: Readonly<Record<string, () => readonly [string, Buffer]>> = {
    "/plain": () => [head(200), json],
    // Not made smaller, so that as many bytes come in.
    "/error": () => [head(500, "content-encoding: gzip"), gzipSync(json, { level: 0 })]
  }
  beforeAll(async () => {
    const { close, url } = await serve(({ target }) => {
      const [first, body] = answers[target]?.() ?? ["", json]
      return raw("end", first, inChunks(body))
    })
    origin = url
    return close
  })

  const run = async (way: string, path: string, answer: string): Promise<unknown> => {
    const written = await output([way, origin + path, answer], { options: [`--max-old-space-size=${heap}`] })
    return written.code === 0 ? JSON.parse(written.stdout) : written
  }

  const of = (tag: string, status = 200) => ({ tag, status, size })
  const kinds = [
    ["answer", "/plain", "bytes", of("Answered")],
    ["compressed error", "/error", "stream", of("Answered", 500)],
    ["stream", "/plain", "stream", of("Streaming")]
  ] as const
  const rows = ways.flatMap(({ name }) => kinds.map((kind) => [name, ...kind] as const))
  const chosen = rows.filter(([name, kind]) =>
    // Node's own fetch undoes a compression piece by piece, and takes minutes for so many: the deadline ends it.
    isWhole
      ? kind !== "compressed error" || !name.endsWith("fetch")
      : kind === "answer" && !name.includes("over")
  )

  it.each(chosen)(
    "over %s are one %s",
    async (name, _, path, answer, expected) => {
      expect(await run(name, path, answer)).toEqual(expected)
    },
    patient(60_000)
  )
})
