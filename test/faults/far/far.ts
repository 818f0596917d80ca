/**
 * The far end of a torture as plain functions with plain arguments: in the process of a test, or in one of its own
 * behind messages, so that what the clients leave behind is theirs alone.
 */
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { patient } from "@quartet/support/patience.js"
import * as Clock from "../clock.js"
import * as FaultProxy from "../proxy/proxy.js"
import type { FaultSchedule, LoggedRequest } from "../proxy/schedule.js"
import * as Chatter from "./chatter.js"
import type { Ask, Reply } from "./child.js"
import * as Platform from "./platform.js"
import * as Recorder from "./recorder.js"
import * as Spiller from "./spiller.js"

const opened = <A>(value: A | undefined): A => {
  if (value === undefined) throw new Error("the far end was asked of what it has not opened")
  return value
}

/** Makes a far end; all that is opened is closed by `stop`, and by whatever takes its place. */
export const make = () => {
  let platform: Awaited<ReturnType<typeof Platform.serve>> | undefined
  let chatter: ReturnType<typeof Chatter.make> | undefined
  let recorder: Awaited<ReturnType<typeof Recorder.open>> | undefined
  const proxies: Array<Awaited<ReturnType<typeof FaultProxy.open>>> = []
  const closers: Array<() => unknown> = []
  const proxy = (id: number) => opened(proxies[id])
  const stop = async (): Promise<void> => {
    proxies.length = 0
    for (const close of closers.splice(0).reverse()) await close()
  }
  return {
    stop,
    end: stop,
    /** Answers once the platform has done what it is asked for now. */
    beat: async (): Promise<unknown> => Promise.all(proxies.map((proxy) => proxy.caughtUp())),
    /** Serves a fresh platform in place of the present one, and answers its address. */
    start: async (seed: number): Promise<string> => {
      await stop()
      platform = await Platform.serve(seed)
      closers.push(platform.close)
      return platform.served.url
    },
    fill: async (rows: Platform.Rows, name: string, count: number) =>
      opened(platform).fill(rows, name, count),
    users: async () => opened(platform).users(),
    takeReceived: async () => opened(platform).take(),
    effects: async (kind: Platform.EffectKind) => opened(platform).effects(kind),
    expireSessions: async () => opened(platform).served.control.expireSessions(),

    openProxy: async (schedule: FaultSchedule): Promise<{ readonly id: number; readonly url: string }> => {
      const opening = await FaultProxy.open(opened(platform).served.port, schedule)
      closers.push(opening.close)
      return { id: proxies.push(opening) - 1, url: opening.url }
    },
    setSchedule: async (id: number, schedule: FaultSchedule) => proxy(id).setSchedule(schedule),
    takeEntries: async (id: number): Promise<ReadonlyArray<LoggedRequest>> => proxy(id).take(),
    holdRefusals: async (id: number, oneIn: number, most: number) => proxy(id).holdRefusals(oneIn, most),
    lateRefusals: async (id: number) => proxy(id).lateRefusals(),
    pending: async (id: number) => proxy(id).pending(),
    drop: async (id: number) => proxy(id).drop(),

    openChatter: async (pace: Chatter.Pace) => {
      chatter = Chatter.make(opened(platform).served, pace)
      closers.push(chatter.stop)
      return chatter.opened
    },
    startChatter: async () => opened(chatter).start(),
    said: async () => opened(chatter).said(),
    heard: async () => opened(chatter).heard(),

    /** Opens the server that echoes, the one that answers with hostility, and the origin that must never be called. */
    openRecorder: async (seed: number) => {
      await stop()
      recorder = await Recorder.open(seed)
      closers.push(recorder.close)
      return recorder.addresses
    },
    takeRecorded: async () => opened(recorder).take(),
    /** Opens the server that tells everything that it was told. */
    openSpiller: async (): Promise<string> => {
      await stop()
      const { close, url } = await Spiller.open()
      closers.push(close)
      return url
    }
  }
}

export type Far = ReturnType<typeof make>

/** The far end in this process, on a clock that runs ahead where nothing is to be done; what is given may lie. */
export const near = (lies: (honest: Far) => Partial<Far> = () => ({})): Far => {
  const honest = make()
  Clock.use(honest.beat, 4)
  return { ...honest, ...lies(honest) }
}

const stopMillis = patient(3_000)

const stopped = async (child: ChildProcess): Promise<void> => {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  if (child.exitCode !== null) return
  if (child.connected) child.disconnect()
  const force = setTimeout(() => child.kill("SIGKILL"), stopMillis)
  await ended
  clearTimeout(force)
}

export const apart = (): Far => {
  const file = fileURLToPath(new URL("./child.mjs", import.meta.url))
  const child = fork(file, { execArgv: [], serialization: "advanced" })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let count = 0
  child.on("message", ({ error, id, value }: Reply) => {
    const request = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) request?.resolve(value)
    else request?.reject(new Error(`the far end failed: ${error}`))
  })
  child.once("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the far end ended with code ${code}`))
  })
  const ask =
    (name: string) =>
    (...args: ReadonlyArray<unknown>): Promise<unknown> =>
      new Promise((resolve, reject) => {
        count += 1
        waiting.set(count, { resolve, reject })
        const message: Ask = { id: count, name, args }
        child.send(message, (error) => {
          if (error !== null) reject(error)
        })
      })
  // The other process runs the same functions, with the same arguments and answers.
  const asks = Object.fromEntries(Object.keys(make()).map((name) => [name, ask(name)])) as unknown as Far
  return { ...asks, end: () => stopped(child) }
}
