// The samples of the pages do what they say. Each program and each command runs by itself, in the order of its page and
// against the page's own sandbox, to which `http://127.0.0.1:4400` is led. Of a page with components each that takes
// nothing is rendered, and what it shows counts as printed. `npm test` runs the pages that are read first.
import { spawn } from "node:child_process"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Server from "@quartet/sandbox/server"
import { layOut } from "@quartet/support/compiler.js"
import { read, removeFolder, root } from "@quartet/support/files.js"
import { patient } from "@quartet/support/patience.js"
import { quartet } from "@quartet/support/quartet.js"
import { conditions } from "@quartet/support/sources.js"
import { removalTimeout } from "@quartet/support/temporary.js"
import { Effect, Exit, Scope } from "effect"
import { build, type Plugin } from "esbuild"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { missingOf, type Program, pages, type Samples, type Session, samplesIn } from "./samples.js"

/** Milliseconds that a sample may take, and that an endless one goes on after it did what it should. */
const longest = patient(60_000)
const goesOn = 300

const { program: cli } = quartet()

/** Commands that are not run: installs, and the scripts of this project, which links.test.ts finds. */
const isRun = (command: string): boolean =>
  !/^(npm (install|i|ci|create|run|test|start)|npx (vitest|tsc|biome))\b/.test(command)

/** Commands that serve until they are stopped. */
const serves = (command: string): boolean => /^npx @quartet\/cli (sandbox|tour)\b/.test(command)

/** What `npx @quartet/cli` is in a page's shell: the command line as it is published. */
const shell = `npx() {
  [ "$1" = @quartet/cli ] || { command npx "$@"; return; }
  shift
  node "$QUARTET" "$@"
}
`

/** A server takes any free port. */
const onFreePort = (command: string): string =>
  serves(command) ? `${command.replace(/ --port \d+/, "")} --port 0` : command

/** What is installed is loaded from there; the packages' own sources, and what an app of Next names so, are bundled. */
const foreign: Plugin = {
  name: "foreign",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./#]/ }, ({ kind, path }) =>
      kind === "entry-point" || /^(@quartet|@|next)\//.test(path) ? undefined : { path, external: true }
    )
}

/** What became of a sample: its output, and its exit code unless it was stopped. */
interface Ended {
  readonly code: number | undefined
  readonly stdout: string
  readonly stderr: string
}

/** A page's sandbox, and what runs a command in a folder beside its programs. */
const platform = (programs: Samples["programs"]) => {
  const scope = Effect.runSync(Scope.make())
  let sandbox: Server.Served
  let folder = ""
  const led = (text: string): string => text.replaceAll("http://127.0.0.1:4400", sandbox.url)
  const built = (file: string): string => join(folder, "built", file.replace(/\.tsx?$/, ".mjs"))

  beforeAll(async () => {
    sandbox = await Effect.runPromise(Scope.extend(Server.serve({ port: 0, seed: 1 }), scope))
    folder = await layOut(programs.map(({ code, file }) => [file, `${led(code)}\nexport {}\n`] as const))
    await mkdir(join(folder, "home"))
    const own = programs.map(({ file }) => ({ in: join(folder, file), out: file.replace(/\.tsx?$/, "") }))
    await build({
      entryPoints: [...own, { in: join(root, "test/docs/render.ts"), out: "render" }],
      outdir: join(folder, "built"),
      outExtension: { ".js": ".mjs" },
      tsconfig: join(folder, "tsconfig.json"),
      bundle: true,
      conditions: [...conditions],
      splitting: true,
      plugins: [foreign],
      platform: "node",
      format: "esm",
      // Nothing is translated that the oldest Node would refuse.
      target: "esnext"
    })
  }, patient(60_000))

  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await removeFolder(folder)
  }, removalTimeout)

  /** Runs a command to its end, or until what is endless did what it should. */
  const run = async (
    [command = "", ...args]: ReadonlyArray<string>,
    isDone: (stdout: string) => boolean = () => false
  ): Promise<Ended> => {
    const child = spawn(command, args.map(led), {
      cwd: join(folder, "home"),
      env: { ...process.env, NO_COLOR: "1", QUARTET: cli() },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own: a shell is stopped with what it started.
      detached: true
    })
    let [stdout, stderr]: [string, string] = ["", ""]
    let code: number | undefined
    child.stdout.on("data", (text) => (stdout += text))
    child.stderr.on("data", (text) => (stderr += text))
    const closed = new Promise<void>((resolve) => child.once("close", () => resolve()))
    child.once("exit", (exitCode) => (code = exitCode ?? 1))
    const stopped = (async () => {
      for (let left = longest; left > 0 && code === undefined && !isDone(stdout); left -= 50) await sleep(50)
      if (code === undefined) await sleep(goesOn)
      if (code === undefined) process.kill(-Number(child.pid), "SIGKILL")
    })()
    await Promise.all([closed, stopped])
    return {
      code: child.signalCode === "SIGKILL" ? undefined : code,
      stdout: stdout.replaceAll(sandbox.url, "http://127.0.0.1:4400"),
      stderr
    }
  }
  return { run, built, log: () => sandbox.control.log() }
}

/** What runs the samples of a page, and says what is wrong with one: nothing if all is well. */
const reader = (programs: Samples["programs"]) => {
  const { built, log, run } = platform(programs)

  const judge = async (
    command: ReadonlyArray<string>,
    prints: ReadonlyArray<string>,
    isDone?: (stdout: string) => boolean
  ): Promise<ReadonlyArray<unknown>> => {
    const before = log().length
    const { code, stderr, stdout } = await run(command, isDone)
    const missing = missingOf(stdout, prints)
    // What the platform refused, the page has to tell of.
    const refused = log()
      .slice(before)
      .filter(({ status }) => prints.length === 0 && status >= 400)
    const isAsMeant = isDone === undefined ? code === 0 : code === undefined && isDone(stdout)
    return [
      ...(isAsMeant ? [] : [`ended with ${code}`, stdout, stderr]),
      ...(missing === undefined ? [] : [`printed ${stdout}`, `and not ${missing}`]),
      ...refused
    ]
  }

  const program = ({ file, isEndless, prints }: Program) => {
    const before = log().length
    const command = file.endsWith(".tsx") ? ["node", built("render.ts"), built(file)] : ["node", built(file)]
    const isDone = (stdout: string) => log().length > before && missingOf(stdout, prints) === undefined
    return judge(command, prints, isEndless ? isDone : undefined)
  }

  const session = ({ commands, prints }: Session) => {
    const script = shell + commands.filter(isRun).map(onFreePort).join("\n")
    const isDone = (stdout: string) => stdout.includes("http://")
    return judge(["bash", "-ec", script], prints, commands.some(serves) ? isDone : undefined)
  }
  return { program, session }
}

const samples = pages
  .map((page) => {
    const { programs, sessions } = samplesIn(page, read(page))
    return { page, programs, sessions: sessions.filter(({ commands }) => commands.some(isRun)) }
  })
  .filter(({ programs, sessions }) => programs.length + sessions.length > 0)

describe.each(samples)("the samples of $page", ({ programs, sessions }) => {
  const { program, session } = reader(programs)
  if (programs.length > 0)
    test.each(programs)(
      "line $line: the program runs",
      async (sample) => expect(await program(sample), `line ${sample.line}`).toEqual([]),
      longest * 2
    )
  if (sessions.length > 0)
    test.each(sessions)(
      "line $line: the commands run",
      async (sample) => expect(await session(sample), `line ${sample.line}`).toEqual([]),
      longest * 2
    )
})

describe("controls: what is wrong is found in", () => {
  const visitor = `import { createPublicClient } from "@quartet/sdk/promise"
const visitor = createPublicClient({ baseUrl: "http://127.0.0.1:4400", apiKey: "wrong" })`
  const { programs, sessions } = samplesIn(
    "wrong.md",
    [
      `\`\`\`ts\n${visitor}\nawait visitor.boxes.list()\n\`\`\``,
      `\`\`\`ts\n${visitor}\nawait visitor.boxes.list().catch(() => console.log("a"))\n\`\`\``,
      `\`\`\`ts\nimport "node:fs"\nconsole.log("a b")\n\`\`\`\n\`\`\`text\na\n\`\`\``,
      `\`\`\`sh\nnpx @quartet/cli nothing\n\`\`\``
    ].join("\n")
  )
  const { program, session } = reader(programs)

  test.each([
    [0, "ended with 1"],
    [1, expect.objectContaining({ operation: "boxes.list", status: 401 })],
    [2, "and not a\n"]
  ])("program %s", async (index, output) => {
    const [sample] = programs.slice(index)
    expect(sample && (await program(sample))).toContainEqual(output)
  })

  test("a command", async () => {
    const [sample] = sessions
    expect(sample && (await session(sample))).toContainEqual("ended with 2")
  })
})
