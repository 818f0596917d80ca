/** Redis as Debian has it, in a folder of its own and on a free port of the loopback, for tests. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { patient, TimedOut } from "./patience.js"
import { nobody } from "./servers.js"

const startMillis = patient(20_000)

/** Starts a server that is empty, and keeps what it is told over a restart. It ends with `stop`, or with this process. */
export const open = async () => {
  const folder = await mkdtemp(join(tmpdir(), "quartet-redis-"))
  const port = Number(new URL(await nobody()).port)

  const start = async () => {
    const child = spawn(
      "redis-server",
      ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes", "--save", ""],
      { stdio: ["ignore", "pipe", "ignore"] }
    )
    let log = ""
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(
        () => reject(new TimedOut(`Redis is not ready: ${log.slice(-2000)}`, startMillis)),
        startMillis
      )
      const fail = (what: string): void => {
        clearTimeout(late)
        reject(new Error(`redis-server ${what}: ${log.slice(-2000)}`))
      }
      child.once("error", ({ message }) =>
        fail(`does not start (${message}): apt-get install -y redis-server`)
      )
      child.once("exit", (code) => fail(`ended at its start with code ${code}`))
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        log = (log + text).slice(-100_000)
        if (!log.includes("Ready to accept connections")) return
        clearTimeout(late)
        resolve()
      })
    })
    return child
  }

  let server = await start().catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  const stopNow = (): void => void server.kill("SIGKILL")
  process.once("exit", stopNow)
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, "exit")
    server.kill(signal)
    await ended
  }
  return {
    port,
    restart: async (): Promise<void> => {
      await end("SIGTERM")
      server = await start()
    },
    stop: async (): Promise<void> => {
      process.off("exit", stopNow)
      await end("SIGKILL")
      await rm(folder, { recursive: true, force: true })
    }
  }
}
