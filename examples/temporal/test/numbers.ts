/** A job of numbers on a platform that honours no idempotency key: what is sent twice is done twice, and shows. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Fleet from "@quartet/fleet"
import { Data, Effect, ManagedRuntime, Option, Schema, Stream } from "effect"
import { make } from "../src/activities.js"

class Unreachable extends Data.TaggedError("Unreachable") {}

const ask = (method: string, url: string) =>
  Effect.tryPromise({
    try: async () => (await fetch(url, { method })).text(),
    catch: () => new Unreachable()
  })

/** A worker of the job: its activities, and the end of its fleet. */
export const work = (store: string, platform: string) => {
  const numbers = Fleet.job("numbers", {
    input: Schema.Number,
    key: String,
    page: 20,
    lanes: 2,
    item: Schema.Number,
    source: (count) => Stream.range(0, count - 1),
    each: (item) => ask("POST", `${platform}/${item}`),
    onUnknown: (item) =>
      Effect.map(ask("GET", `${platform}/${item}`), (found) =>
        found === "done" ? Option.some(found) : Option.none()
      )
  })
  const runtime = ManagedRuntime.make(Fleet.layer({ jobs: [numbers], store, delivery: "manual" }))
  return { activities: make(runtime, numbers), end: () => runtime.dispose() }
}

/** The platform: each item takes a while, and is counted. */
export const servePlatform = async (milliseconds: number) => {
  const done = new Map<number, number>()
  const server = createServer((request, response) => {
    const item = Number(request.url?.slice(1))
    if (request.method !== "POST") return response.end(done.has(item) ? "done" : "unknown")
    return setTimeout(() => {
      done.set(item, (done.get(item) ?? 0) + 1)
      response.end("done")
    }, milliseconds)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    done,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
