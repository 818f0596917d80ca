/** PostgreSQL as Debian has it, in a folder of its own and on a free port of the loopback, for tests. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { chown, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { patient, TimedOut } from "./patience.js"
import { nobody } from "./servers.js"

const run = promisify(execFile)
const installed = "/usr/lib/postgresql"
const startMillis = patient(60_000)

const missing = `there is no PostgreSQL in ${installed}: apt-get install -y postgresql`

/** Where the newest server's programs are. */
const programs = async (): Promise<string> => {
  const versions = await readdir(installed).catch((): Array<string> => [])
  const [newest] = versions.map(Number).sort((a, b) => b - a)
  const folder = join(installed, String(newest), "bin")
  const programs = await readdir(folder).catch((): Array<string> => [])
  if (!["initdb", "postgres", "psql"].every((name) => programs.includes(name))) throw new Error(missing)
  return folder
}

/** It refuses to run as root, so root runs it as the user that its package makes. */
const owner = async () => {
  if (process.getuid?.() !== 0) return {}
  const idOf = async (flag: string) => Number((await run("id", [flag, "postgres"])).stdout)
  return { uid: await idOf("-u"), gid: await idOf("-g") }
}

export interface Options {
  /** Whether what is committed outlives the machine's crash: slow, and needed only where that is tested. */
  readonly durable?: boolean
}

/** Starts a server that is empty. It ends with `stop`, or with this process. */
export const open = async ({ durable = false }: Options = {}) => {
  const bin = await programs()
  const user = await owner()
  const folder = await mkdtemp(join(tmpdir(), "quartet-postgres-"))
  const data = join(folder, "data")
  const password = randomBytes(12).toString("hex")
  const port = new URL(await nobody()).port
  const environment = { ...process.env, LC_ALL: "C" }
  let server: ChildProcess | undefined
  let log = ""

  const start = async (): Promise<void> => {
    const settings = [
      "listen_addresses=127.0.0.1",
      `port=${port}`,
      "unix_socket_directories=",
      "max_connections=200",
      ...(durable ? [] : ["fsync=off", "full_page_writes=off"])
    ]
    const child = spawn(
      join(bin, "postgres"),
      ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
      {
        ...user,
        cwd: folder,
        env: environment,
        stdio: ["ignore", "ignore", "pipe"]
      }
    )
    server = child
    log = ""
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(
        () => reject(new TimedOut(`PostgreSQL is not ready: ${log.slice(-2000)}`, startMillis)),
        startMillis
      )
      const fail = (what: string): void => {
        clearTimeout(late)
        reject(new Error(`PostgreSQL ${what}: ${log.slice(-2000)}`))
      }
      child.once("error", (error) => fail(`does not start (${error.message})`))
      child.once("exit", (code) => fail(`ended at its start with code ${code}`))
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        log = (log + text).slice(-100_000)
        if (!log.includes("ready to accept connections")) return
        clearTimeout(late)
        resolve()
      })
    })
  }

  /** `SIGINT` ends it in order, with its connections; `SIGQUIT` as a crash does. */
  const end = async (signal: "SIGINT" | "SIGQUIT"): Promise<void> => {
    const child = server
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, "exit")
    child.kill(signal)
    await ended
  }

  const stopNow = (): void => void server?.kill("SIGQUIT")
  process.once("exit", stopNow)
  const url = `postgres://quartet:${password}@127.0.0.1:${port}/postgres`
  const remove = async (): Promise<void> => {
    process.off("exit", stopNow)
    await end("SIGQUIT")
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const passwordFile = join(folder, "password")
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (user.uid !== undefined)
      for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid)
    const flags = ["-U", "quartet", "-A", "scram-sha-256", "-E", "UTF8", "--no-locale", "--no-sync"]
    await run(join(bin, "initdb"), ["-D", data, `--pwfile=${passwordFile}`, ...flags], {
      ...user,
      cwd: folder,
      env: environment
    })
    await start()
  } catch (error) {
    await remove()
    throw error
  }

  /** Asks it with its own client; a line for each row, columns apart by `|`. */
  const query = async (sql: string, database = "postgres"): Promise<string> => {
    const flags = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql]
    const address = new URL(url)
    address.pathname = `/${database}`
    const { stdout } = await run(join(bin, "psql"), [...flags, address.href], { env: environment })
    return stdout.trim()
  }
  return {
    url,
    query,
    /** Ends the server and starts it again on the same port: in order, or as after a crash. */
    restart: async (how: "fast" | "crash" = "fast"): Promise<void> => {
      await end(how === "fast" ? "SIGINT" : "SIGQUIT")
      await start()
    },
    /** Cuts all connections but its own, and answers how many they were. */
    cut: async (): Promise<number> =>
      Number(
        await query(
          "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
      ),
    stop: remove
  }
}

export type Postgres = Awaited<ReturnType<typeof open>>
