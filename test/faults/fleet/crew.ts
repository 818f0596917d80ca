/** The runners of a fleet as processes, and what is done to them: killed, stopped for a while, told to end, replaced. */
import { type ChildProcess, fork } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { patient } from "@quartet/support/patience.js"
import type { Event, JobName } from "./jobs.js"
import type { Told } from "./runner.js"

/** What became of a runner. */
export type Fate = "killed" | "stopped" | "woken" | "replaced" | "lost"

export interface Runner {
  readonly name: string
  readonly fates: Set<Fate>
  /** How it ended, once it has. */
  end?: string
}

interface Member extends Runner {
  readonly child: ChildProcess
  /** Once it takes part, or has ended. */
  readonly ready: Promise<unknown>
  readonly journal: string
}

/** A line of a runner's journal. */
export interface Noted {
  readonly runner: Runner
  readonly event: Event
  readonly job: JobName
  readonly item: number
}

const isAlive = ({ child }: Member): boolean => child.exitCode === null && child.signalCode === null

const program = (): readonly [file: string, ...args: ReadonlyArray<string>] => {
  const bundled = fileURLToPath(new URL("./runner.mjs", import.meta.url))
  // A test has no bundle of it beside its own.
  return existsSync(bundled) ? [bundled] : ["packages/support/run.mjs", "test/faults/fleet/runner.ts"]
}

/** Milliseconds for a runner that is told to end. */
const patience = patient(20_000)

/** A crew without runners. `folder` keeps their journals. */
export const make = (folder: string, settings: Omit<Told, "journal" | "name">) => {
  const members: Array<Member> = []
  const said: Array<string> = []
  // One session for all of them, sealed with a key that only they have.
  const key = randomBytes(32).toString("base64")
  const killAll = (): void => {
    for (const { child } of members) child.kill("SIGKILL")
  }
  process.once("exit", killAll)

  const start = (): Runner => {
    const name = `runner-${members.length + 1}`
    const journal = join(folder, `${name}.journal`)
    const [file, ...args] = program()
    const child = fork(file, [...args, JSON.stringify({ ...settings, name, journal } satisfies Told)], {
      execArgv: [],
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      env: { ...process.env, QUARTET_FLEET_KEY: key }
    })
    const ready = Promise.race([once(child, "message"), once(child, "exit")])
    const member: Member = { name, child, journal, ready, fates: new Set() }
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        said.push(`${name}: ${text.trimEnd()}`)
      })
    child.once("exit", (code, signal) => {
      member.end = `code ${code}, signal ${signal}`
      if (!member.fates.has("killed") && !member.fates.has("replaced")) member.fates.add("lost")
    })
    members.push(member)
    return member
  }

  const memberOf = ({ name }: Runner): Member => {
    const member = members.find((candidate) => candidate.name === name)
    if (member === undefined) throw new Error(`there is no ${name}`)
    return member
  }

  return {
    start,
    /** Waits until all that were started take part; none may have ended. */
    ready: async (): Promise<void> => {
      await Promise.all(members.map(({ ready }) => ready))
      const ended = members.filter(({ end }) => end !== undefined)
      if (ended.length > 0)
        throw new Error(`ended: ${ended.map(({ end, name }) => `${name} ${end}`)}\n${said.join("\n")}`)
    },
    /** Those that can work now. */
    working: (): ReadonlyArray<Runner> => members.filter(isAlive),
    all: (): ReadonlyArray<Runner> => members,
    /** Ends it as a power cut does. */
    kill: async (runner: Runner): Promise<void> => {
      const { child, fates } = memberOf(runner)
      fates.add("killed")
      const ended = once(child, "exit")
      child.kill("SIGKILL")
      await ended
    },
    /** Keeps it from doing anything until it is continued. */
    stop: (runner: Runner): void => {
      const { child, fates } = memberOf(runner)
      fates.add("stopped")
      child.kill("SIGSTOP")
    },
    proceed: (runner: Runner): void => void memberOf(runner).child.kill("SIGCONT"),
    /** Tells it to end, as a deployment does, and answers whether it ended by itself in time. */
    replace: async (runner: Runner): Promise<boolean> => {
      const { child, fates } = memberOf(runner)
      fates.add("replaced")
      const ended = once(child, "exit")
      child.kill("SIGTERM")
      const late = setTimeout(() => child.kill("SIGKILL"), patience)
      const [, signal] = await ended
      clearTimeout(late)
      return signal !== "SIGKILL"
    },
    /** What they noted, each in its order. */
    journal: (): ReadonlyArray<Noted> =>
      members.flatMap((runner) =>
        existsSync(runner.journal)
          ? readFileSync(runner.journal, "utf8")
              .split("\n")
              .slice(0, -1)
              .map((line): Noted => {
                // A runner writes nothing else.
                const [event, job, item] = line.split(" ") as [Event, JobName, string]
                return { runner, event, job, item: Number(item) }
              })
          : []
      ),
    /** What they wrote on their own account: nothing, unless something is worth knowing. */
    said: (): ReadonlyArray<string> => said,
    end: async (): Promise<void> => {
      process.off("exit", killAll)
      await Promise.all(
        members.filter(isAlive).map(async ({ child }) => {
          const ended = once(child, "exit")
          child.kill("SIGKILL")
          await ended
        })
      )
    }
  }
}
