// Files of 1 GiB over undici: throughput beside undici's own `request`, and the memory that a transfer takes.

import { start } from "../child.mjs"
import { collect, timed } from "../measure.mjs"
import { session } from "../session.mjs"
import { median, ratios, spread } from "../statistics.mjs"

const mebi = 2 ** 20
const short = 256 * mebi
const long = 1024 * mebi
const rounds = 5
const sampleMillis = 50

/** Bytes that come when they are asked for. */
const source = (bytes) => {
  const block = new Uint8Array(65_536)
  let left = bytes
  return new ReadableStream(
    {
      pull: (controller) => {
        if (left <= 0) return controller.close()
        controller.enqueue(left < block.length ? block.subarray(0, left) : block)
        left -= block.length
      }
    },
    { highWaterMark: 0 }
  )
}

const drain = async (chunks) => {
  let bytes = 0
  for await (const chunk of chunks) bytes += chunk.length
  return bytes
}

const raw = async (url) => {
  const { Agent, request } = await import("undici")
  const dispatcher = new Agent()
  const download = async (bytes) =>
    drain((await request(`${url}/files/${bytes}/download`, { dispatcher })).body)
  return {
    download,
    "download as a Stream": download,
    upload: async (bytes) => {
      const { body } = await request(url, { dispatcher, method: "POST", body: source(bytes) })
      return (await body.json()).bytes
    },
    close: () => dispatcher.close()
  }
}

const quartet = async (baseUrl) => {
  const { Agent } = await import("undici")
  const { createAdminClient, createPublicClient } = await import("../../../dist/clients/promise/index.js")
  const UndiciTransport = await import("../../../dist/adapters/undici/index.js")
  const Admin = await import("../../../dist/clients/admin/index.js")
  const { Transport } = await import("../../../dist/core/ports/transport.js")
  const { Layer, ManagedRuntime, Stream } = await import("effect")
  const agent = new Agent({ connections: 64 })
  const transport = UndiciTransport.make(agent)
  const policy = { deadline: "5 minutes" }
  const admin = createAdminClient({ baseUrl, ...session, transport, policy })
  const visitor = createPublicClient({ baseUrl, apiKey: "key-1", transport, policy })
  const layer = Admin.layer({ baseUrl, ...session, policy })
  const runtime = ManagedRuntime.make(Layer.provide(layer, Layer.succeed(Transport, transport)))
  return {
    download: (bytes) => drain(admin.files.download({ id: String(bytes) })),
    "download as a Stream": (bytes) => {
      const read = Stream.runFold(
        Admin.files.download({ id: String(bytes) }),
        0,
        (sum, { length }) => sum + length
      )
      return runtime.runPromise(read)
    },
    // The form's own lines come on top.
    upload: async (bytes) => {
      const file = { content: source(bytes), name: "large.bin" }
      return Math.min(bytes, (await visitor.images.upload({ file })).bytes)
    },
    close: async () => {
      await Promise.all([admin.close(), visitor.close(), runtime.dispose()])
      await agent.close()
    }
  }
}

const checked = async (transfer, bytes) => {
  const moved = await transfer(bytes)
  if (moved !== bytes) throw new Error(`a transfer of ${bytes} bytes moved ${moved}`)
}

/** How far this process's memory rises above its start in one transfer of 1 GiB, in bytes, sampled 20 times a second. */
const memoryOf = async (transfer) => {
  collect()
  const before = process.memoryUsage()
  const most = { ...before }
  const timer = setInterval(() => {
    const now = process.memoryUsage()
    for (const key of ["rss", "heapUsed", "arrayBuffers"]) most[key] = Math.max(most[key], now[key])
  }, sampleMillis)
  await checked(transfer, long)
  clearInterval(timer)
  return {
    rss: most.rss - before.rss,
    heap: most.heapUsed - before.heapUsed,
    buffers: most.arrayBuffers - before.arrayBuffers
  }
}

/** Throughput in MiB a second by direction and contender, its ratio within each round, and the memory of 1 GiB. */
export const measure = async (progress) => {
  const server = await start("./server.mjs", 1)
  const url = `http://127.0.0.1:${server.first.ports[0]}`
  const contenders = { undici: await raw(url), quartet: await quartet(url) }
  try {
    const result = {}
    for (const direction of ["download", "upload", "download as a Stream"]) {
      const samples = { undici: [], quartet: [] }
      for (let round = 0; round <= rounds; round++) {
        progress(direction, round, rounds + 1)
        for (const [name, contender] of Object.entries(contenders)) {
          collect({ type: "minor" })
          const { wall } = await timed(() => checked(contender[direction], short))
          // The first round warms up.
          if (round > 0) samples[name].push(short / mebi / (wall / 1e6))
        }
      }
      result[direction] = {
        undici: median(samples.undici),
        quartet: median(samples.quartet),
        ratio: spread(ratios(samples.quartet, samples.undici)),
        memory: {
          undici: await memoryOf(contenders.undici[direction]),
          quartet: await memoryOf(contenders.quartet[direction])
        }
      }
    }
    return result
  } finally {
    await Promise.all(Object.values(contenders).map((contender) => contender.close()))
    await server.stop()
  }
}

/** Memory is flat where 1 GiB raises it by no more than this, most of which waits for the collector. */
const flat = 128

export const judge = (result) =>
  Object.entries(result).flatMap(([direction, { memory, ratio }]) => [
    { what: `${direction}: throughput / undici's`, measured: ratio.median, atLeast: 0.9 },
    {
      what: `${direction} of 1 GiB: MiB of heap and buffers`,
      measured: (memory.quartet.heap + memory.quartet.buffers) / mebi,
      atMost: flat
    }
  ])
