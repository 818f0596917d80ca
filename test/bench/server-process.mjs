// Starts and stops the server's process. The server ends by itself when this process is gone.

import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"

const startMillis = 10_000
const stopMillis = 2000

export const startServer = async (ports, chunked) => {
  const file = fileURLToPath(new URL("./server.mjs", import.meta.url))
  // Without execArgv a profiled run would profile the server too, and both would write to the same place.
  const child = fork(file, [String(ports), chunked ? "chunked" : "sized"], { execArgv: [] })
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
    const message = await new Promise((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`the server did not start within ${startMillis} ms`)),
        startMillis
      )
      child.once("message", resolve)
      child.once("error", reject)
      child.once("exit", (code) => reject(new Error(`the server ended at its start with code ${code}`)))
    })
    return {
      urls: message.ports.map((port) => `http://127.0.0.1:${port}`),
      bytes: message.bytes,
      stop
    }
  } catch (error) {
    child.kill("SIGKILL")
    throw error
  } finally {
    clearTimeout(timer)
  }
}
