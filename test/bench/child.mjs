// Starts and stops a server in a process of its own. It ends by itself when this process is gone.

import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"

const startMillis = 10_000
const stopMillis = 2000

/** Starts the program `file` of this folder; answers its first message, and how to send it one and to stop it. */
export const start = async (file, ...args) => {
  // Without execArgv a profiled run would profile the server too, and both would write to the same place.
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(path, args.map(String), { execArgv: [] })
  const ended = new Promise((resolve) => child.once("exit", resolve))
  process.once("exit", () => child.kill("SIGKILL"))
  const stop = async () => {
    if (child.connected) child.disconnect()
    const force = setTimeout(() => child.kill("SIGKILL"), stopMillis)
    await ended
    clearTimeout(force)
  }
  let timer
  try {
    const first = await new Promise((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`the server did not start within ${startMillis} ms`)),
        startMillis
      )
      child.once("message", resolve)
      child.once("error", reject)
      child.once("exit", (code) => reject(new Error(`the server ended at its start with code ${code}`)))
    })
    return { first, send: (message) => child.send(message), stop }
  } catch (error) {
    child.kill("SIGKILL")
    throw error
  } finally {
    clearTimeout(timer)
  }
}
