/** Starts the far end's process, and speaks with it. */
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Ask, Reply } from "./child.js"
import { Side } from "./side.js"

type Methods = { readonly [K in keyof Side]: Side[K] }

/** The far end, wherever it runs. */
export interface Far extends Methods {
  readonly end: () => Promise<void>
}

const stopMillis = 3000

const stop = async (child: ChildProcess): Promise<void> => {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  if (child.exitCode !== null) return
  if (child.connected) child.disconnect()
  const force = setTimeout(() => child.kill("SIGKILL"), stopMillis)
  await ended
  clearTimeout(force)
}

/** The far end in a process of its own. */
export const apart = (): Far => {
  const file = fileURLToPath(new URL("./child.js", import.meta.url))
  const child = fork(file, { execArgv: [], serialization: "advanced" })
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let count = 0
  child.on("message", ({ error, id, value }: Reply) => {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asked?.resolve(value)
    else asked?.reject(new Error(`the far end failed: ${error}`))
  })
  child.once("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the far end ended with code ${code}`))
  })
  const ask =
    (method: string) =>
    (...args: ReadonlyArray<unknown>): Promise<unknown> =>
      new Promise((resolve, reject) => {
        count += 1
        waiting.set(count, { resolve, reject })
        const message: Ask = { id: count, method, args }
        child.send(message, (error) => {
          if (error !== null) reject(error)
        })
      })
  const methods = Object.getOwnPropertyNames(Side.prototype).filter((name) => name !== "constructor")
  const asks = Object.fromEntries(methods.map((name) => [name, ask(name)]))
  // The other process runs the same class: its methods are these, with the same arguments and answers.
  return Object.assign(asks as unknown as Methods, { end: () => stop(child) })
}
