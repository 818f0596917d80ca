/** A job whose platform is in another process than its runners. */
import { createServer } from "node:http"
import type { Engine } from "@quartet/support/engines.js"
import { listen } from "@quartet/support/servers.js"
import { Effect, Option, Schema, type Scope, Stream } from "effect"
import * as Fleet from "../jobs/index.js"
import { lost, type Platform } from "./platform.js"

/** What a runner in a process of its own is told. */
export interface Told {
  /** The runner's name. */
  readonly name: string
  readonly engine: Engine
  readonly store: string
  /** The platform's address. */
  readonly platform: string
}

const ask = (method: string, url: string): Effect.Effect<string, ReturnType<typeof lost>> =>
  Effect.tryPromise({ try: () => fetch(url, { method }).then((answer) => answer.text()), catch: lost })

/** A job whose items take a moment on a platform in another process, which honours no keys. */
export const remote = (platform: string) =>
  Fleet.job("remote", {
    input: Schema.Number,
    key: String,
    page: 50,
    lanes: 4,
    item: Schema.Number,
    source: (count) => (count > 0 ? Stream.range(0, count - 1) : Stream.empty),
    each: (item) => ask("POST", `${platform}/${item}`),
    onUnknown: (item) =>
      Effect.map(ask("GET", `${platform}/${item}`), (found) =>
        found === "done" ? Option.some(found) : Option.none()
      )
  })

/** Serves a platform to other processes: each item takes so many milliseconds before it is done. */
export const serve = (platform: Platform, milliseconds = 10): Effect.Effect<string, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() =>
        listen(
          createServer(async ({ method, url = "" }, response) => {
            const item = Number(url.slice(1))
            if (method === "POST") {
              await Effect.runPromise(
                Effect.zipRight(Effect.sleep(milliseconds), Effect.orDie(platform.send(undefined, item)))
              )
              response.end("done")
            } else response.end(platform.done.has(item) ? "done" : "unknown")
          })
        )
      ),
      ({ close }) => Effect.promise(close)
    ),
    ({ url }) => url
  )
