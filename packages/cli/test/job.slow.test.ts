/** `quartet job`: runs, watches and steers durable jobs, also when its runner is killed or stopped, as the bundled program. */
import type { spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Sandbox from "@quartet/sandbox"
import { quartet } from "@quartet/support/quartet.js"
import { temporaryFolder } from "@quartet/support/temporary.js"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const { ended, run, said, start } = quartet()

const folder = temporaryFolder("jobs")

const file = (name: string, content = ""): string => {
  const path = join(folder, name)
  if (content !== "") writeFileSync(path, content)
  return path
}

const rows = (count: number) => Array.from({ length: count }, (_, n) => `{"sku":"s${n}"}\n`).join("")
const store = `file:${join(folder, "fleet.db")}`
const { admin, projectId } = Sandbox.accounts

/** The environment of a sandbox that another process serves. */
let env: Readonly<Record<string, string>> = {}
let sandbox: ReturnType<typeof spawn> | undefined
beforeAll(async () => {
  const child = start(["sandbox", "--port", "0", "--quiet"])
  sandbox = child
  const address = await said(child, /on (http:\/\/127\.0\.0\.1:\d+)/)
  env = {
    QUARTET_BASE_URL: address,
    QUARTET_PROJECT_ID: projectId,
    QUARTET_EMAIL: admin.email,
    QUARTET_PASSWORD: admin.password,
    QUARTET_FLEET_STORE: store
  }
})
afterAll(() => void sandbox?.kill())

const job = (...words: ReadonlyArray<string>) => run(["job", ...words], { env })
const shoe = (path: string, kind = "shoe") => [
  ...["run", "import", "--file", path, "--to", "entities.create", "--input", `{"kind": "${kind}"}`],
  ...["--identify", "sku", "--yes"]
]
const skusOf = async (kind: string): Promise<Array<string>> => {
  const { stdout } = await run(
    ["call", "entities.list", "--all", "--page-size", "100", "--input", `{"kind": "${kind}"}`],
    { env }
  )
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).sku)
}

describe("quartet job", () => {
  it("has its commands in one help, and the options of each in its own", async () => {
    const { code, stdout } = await run(["job", "--help"])
    expect(code).toBe(0)
    for (const name of [
      "run",
      "work",
      "list",
      "show",
      "pause",
      "resume",
      "retry",
      "settle",
      "serve",
      "rm",
      "cancel"
    ]) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} +[A-Z]`, "m"))
      const own = await run(["job", name, "--help"])
      expect([own.code, own.stderr]).toEqual([0, ""])
      expect(own.stdout).toContain(`$ quartet job ${name} `)
      expect(own.stdout).not.toMatch(/This setting is optional|EXAMPLES\n*$/)
    }
  })

  it("has the jobs that are there in the help of `job run`, and in the help of each the options that it takes, and no others", async () => {
    const options = {
      import: ["file", "to", "identify", "numbers", "booleans"],
      export: ["file", "call", "columns", "keep-formulas"],
      notify: ["key", "payload", "receiver", "to", "call"],
      refunds: ["file", "delimiter"]
    }
    const { stdout } = await run(["job", "run", "--help"])
    expect(stdout).toContain("--module file")
    for (const [name, own] of Object.entries(options)) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} +[A-Z]`, "m"))
      const help = await run(["job", "run", name, "--help"])
      expect([help.code, help.stderr]).toEqual([0, ""])
      expect(help.stdout).toContain(`$ quartet job run ${name} `)
      expect(help.stdout).toContain(`\n  quartet job run ${name} --`)
      const has = (option: string): boolean => new RegExp(`--${option}\\b`).test(help.stdout)
      const others = ["module", ...(name === "refunds" ? ["to", "call", "columns", "input"] : [])]
      expect([own.filter(has), others.filter(has)]).toEqual([own, []])
    }
  })

  it("imports the rows of a file once, shows the run, and knows it when it is asked for again", async () => {
    const path = file("shoes.csv", "sku,price\n007,2.50\n8,\n")
    const words = [...shoe(path), "--numbers", "price"]
    const dry = await job(...words, "--dry-run")
    expect(
      dry.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    ).toEqual([
      { call: "admin.entities.create", input: { kind: "shoe", payload: { sku: "007", price: 2.5 } } },
      { call: "admin.entities.create", input: { kind: "shoe", payload: { sku: "8" } } }
    ])
    expect(await skusOf("shoe")).toEqual([])
    const first = await job(...words, "--json")
    expect([first.code, first.stderr]).toEqual([0, expect.stringMatching(/^quartet: run [0-9a-f]{20}\n$/)])
    const last = JSON.parse(first.stdout.trim().split("\n").at(-1) ?? "")
    expect(last).toMatchObject({ state: "done", total: 2, done: 2, failed: 0, unknown: 0 })
    expect((await skusOf("shoe")).sort()).toEqual(["007", "8"])

    const again = await job(...words)
    expect(again.code).toBe(0)
    expect(again.stderr).toContain("was done before. --key <text> makes another one.")
    expect(await skusOf("shoe")).toHaveLength(2)
    const shown = await job("show", last.run.slice(0, 6))
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining("2 of 2 done")])
    expect(JSON.parse((await job("list", "--json")).stdout)).toMatchObject([{ run: last.run }])
  })

  it("pauses at a line that cannot be read, and goes on behind what was read once it is corrected", async () => {
    const path = file("broken.ndjson", '{"sku":"a"}\nsecret\n')
    const first = await job(...shoe(path, "broken"))
    expect(first.code).toBe(1)
    expect(first.stderr).toContain("broken.ndjson, line 2: is not JSON")
    expect(first.stderr).not.toContain("secret")
    file("broken.ndjson", '{"sku":"a"}\n{"sku":"b"}\n')
    expect((await job(...shoe(path, "broken"))).code).toBe(0)
    expect((await skusOf("broken")).sort()).toEqual(["a", "b"])
  })

  it("ends with 1 where items failed, prints them, and tries corrected ones again", async () => {
    const path = file("failed.csv", "sku,price\na,1\nb,much\n")
    const words = [...shoe(path, "failed"), "--numbers", "price"]
    const { code, stderr } = await job(...words)
    expect(code).toBe(1)
    const id = /run ([0-9a-f]{20}) is done, except for 1 that failed/.exec(stderr)?.[1] ?? ""
    const failures = await job("show", id, "--failures")
    expect(JSON.parse(failures.stdout)).toMatchObject({ item: 1, state: "failed", tag: "InputError" })
    file("failed.csv", "sku,price\na,1\nb,2\n")
    const retry = await job("retry", id, "--read-again")
    expect([retry.code, retry.stderr]).toEqual([0, expect.stringContaining("1 item to try again")])
    expect((await job(...words)).code).toBe(0)
    expect((await skusOf("failed")).sort()).toEqual(["a", "b"])
  })

  it("settles, and says of a run that has ended what cannot be done with it", async () => {
    const path = file("steered.csv", "sku,price\na,much\n")
    const { stderr } = await job(...shoe(path, "steered"), "--numbers", "price")
    const id = /run ([0-9a-f]{20}) is done/.exec(stderr)?.[1] ?? ""
    expect((await job("settle", id, "--items", "0")).stderr).toContain("1 item noted as done")
    expect(JSON.parse((await job("show", id, "--json")).stdout)).toMatchObject({ done: 1, failed: 0 })
    for (const [command, done] of [
      ["pause", "paused"],
      ["cancel", "cancelled"]
    ] as const)
      expect(await job(command, id)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`cannot be ${done}`)
      })
    expect(await job("resume", "nothing")).toMatchObject({
      code: 2,
      stderr: 'quartet: there is no run "nothing" in this store\nSee: quartet job list\n'
    })
  })

  it("exports a list, and asks before it takes the place of a file", async () => {
    const path = file("users.csv")
    const words = [
      "run",
      "export",
      "--call",
      "users.list",
      "--input",
      '{"query": {"sort": "createdAt"}}',
      "--file",
      path
    ]
    expect((await job(...words, "--columns", "_id,email")).code).toBe(0)
    const lines = readFileSync(path, "utf8").trim().split("\r\n")
    expect([lines[0], lines.length]).toEqual(["_id,email", 61])
    expect(existsSync(`${path}.parts`)).toBe(false)
    expect(await job(...words, "--key", "again")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Overwrite")
    })
  })

  it("notifies everybody once, and refunds the payments of a file", async () => {
    const notified = await job(
      ...["run", "notify", "--key", "spring", "--payload", '{"title": "Hi"}', "--yes"]
    )
    expect([notified.code, notified.stderr]).toEqual([0, expect.stringContaining("done: 60 of 60 done")])
    const { stdout } = await run(
      ["call", "payments.list", "--input", '{"statusIn": ["succeeded"], "limit": 2}'],
      { env }
    )
    const ids: ReadonlyArray<string> = JSON.parse(stdout).items.map(({ _id }: { _id: string }) => _id)
    const path = file("refunds.csv", `id,amount\n${ids.map((id) => `${id},1\n`).join("")}`)
    expect(await job("run", "refunds", "--file", path)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("It is about money")
    })
    expect((await job("run", "refunds", "--file", path, "--yes")).code).toBe(0)
    const paid = await run(["call", "payments.get", "--input", `{"id": "${ids[0]}"}`], { env })
    expect(JSON.parse(paid.stdout)).toMatchObject({ status: "partially_refunded", refundedAmount: 1 })
  })

  it("forgets a run over a sandbox of its own at the end", async () => {
    const words = [...shoe(file("tried.ndjson", rows(3)), "tried"), "--sandbox"]
    for (const _ of [1, 2])
      expect(await run(["job", ...words], { cwd: folder })).toMatchObject({
        code: 0,
        stderr: expect.stringContaining("done: 3 of 3 done")
      })
    expect(existsSync(join(folder, "quartet-fleet.db"))).toBe(false)
  })

  it("pauses a run whose credentials are refused, with code 3", async () => {
    const path = file("refused.ndjson", rows(2))
    const { code, stderr } = await run(["job", ...shoe(path, "refused")], {
      env: { ...env, QUARTET_PASSWORD: "not-the-one" }
    })
    expect([code, stderr]).toEqual([3, expect.stringContaining("is paused: CredentialsError:")])
    expect(stderr).not.toContain("not-the-one")
  })
})

describe("quartet job whose runner ends", () => {
  it("goes on with what a killed runner had begun, and does nothing twice", async () => {
    const path = file("killed.ndjson", rows(1500))
    const child = start(["job", ...shoe(path, "killed"), "--per-second", "400"], { env })
    for (let tries = 0; tries < 200 && (await skusOf("killed")).length < 100; tries++);
    child.kill("SIGKILL")
    await ended(child)
    const before = (await skusOf("killed")).length
    expect([before >= 100, before < 1500]).toEqual([true, true])
    const { code, stderr } = await job(...shoe(path, "killed"))
    expect([code, stderr]).toEqual([0, expect.stringContaining("done: 1,500 of 1,500 done")])
    const all = await skusOf("killed")
    expect([all.length, new Set(all).size]).toEqual([1500, 1500])
  })

  it("stops at Ctrl+C in order, says how to go on, and another runner does", async () => {
    const path = file("stopped.ndjson", rows(400))
    const child = start(["job", ...shoe(path, "stopped"), "--per-second", "50"], { env })
    for (let tries = 0; tries < 200 && (await skusOf("stopped")).length < 10; tries++);
    child.kill("SIGINT")
    const { code, stderr } = await ended(child)
    expect(code).toBe(130)
    expect(stderr).toContain("stopping: what was begun is ended first")
    expect(stderr).toContain("It goes on with the same command, or with: quartet job work\n")
    const runner = start(["job", "work", "--per-second", "1000"], { env })
    const runs: ReadonlyArray<{ readonly run: string; readonly key: string }> = JSON.parse(
      (await job("list", "--json")).stdout
    )
    const id = runs.find(({ key }) => key.includes("stopped"))?.run ?? ""
    const isDone = async () => JSON.parse((await job("show", id, "--json")).stdout).state === "done"
    for (let tries = 0; tries < 100 && !(await isDone()); tries++);
    expect(await isDone()).toBe(true)
    runner.kill("SIGTERM")
    expect((await ended(runner)).code).toBe(0)
    expect(new Set(await skusOf("stopped")).size).toBe(400)
  })

  it("is left alone by a runner of another platform, which says so, and done by one of its own", async () => {
    const path = file("elsewhere.ndjson", rows(200))
    const child = start(["job", ...shoe(path, "elsewhere"), "--per-second", "50"], { env })
    for (let tries = 0; tries < 200 && (await skusOf("elsewhere")).length < 10; tries++);
    child.kill("SIGINT")
    await ended(child)
    const stranger = start(["job", "work"], { env: { ...env, QUARTET_BASE_URL: "http://127.0.0.1:9" } })
    const id = await new Promise<string>((done) => {
      let notes = ""
      stranger.stderr.on("data", (piece) => {
        notes += String(piece)
        const [, run] = /the run (\w+) is left to other runners: this run is for http/.exec(notes) ?? []
        if (run !== undefined) done(run)
      })
    })
    const standing = JSON.parse((await job("show", id, "--json")).stdout)
    expect(standing).toMatchObject({ state: "running", total: 200 })
    const runner = start(["job", "work"], { env })
    const isDone = async () => JSON.parse((await job("show", id, "--json")).stdout).state === "done"
    for (let tries = 0; tries < 100 && !(await isDone()); tries++);
    expect(await isDone()).toBe(true)
    expect(new Set(await skusOf("elsewhere")).size).toBe(200)
    for (const worker of [stranger, runner]) {
      worker.kill("SIGTERM")
      await ended(worker)
    }
  })
})

it("a reader of stdout that has enough stops a run in order, and not as one that is done", async () => {
  const path = file("piped.ndjson", rows(400))
  const child = start(["job", ...shoe(path, "piped"), "--per-second", "50", "--json"], { env })
  child.stdout.once("data", () => child.stdout.destroy())
  let stderr = ""
  child.stderr.on("data", (piece) => {
    stderr += String(piece)
  })
  const code = await new Promise((done) => child.on("close", done))
  expect([code, stderr]).toEqual([1, expect.stringContaining("It goes on with the same command")])
})

describe("quartet job refuses", () => {
  const here = file("here.csv", "a\n1\n")
  it.each([
    [["run", "imprt"], 'there is no job "imprt" (did you mean "import"?)'],
    [["run", "import", "--file", here], "--to is missing"],
    [["run", "import", "--to", "entities.create", "--file", "none.csv"], "there is no file none.csv"],
    [["run", "import", "--to", "items.create", "--file", here], 'there is no call named "items.create"'],
    [["run", "import", "--to", "entities.list", "--file", here], "entities.list writes nothing"],
    [["run", "import", "--to", "entities.create", "--file", here], 'needs the field "kind" beside the row'],
    [
      ["run", "import", "--to", "users.create", "--file", here, "--input", "[]"],
      "--input must be a JSON object"
    ],
    [
      ["run", "import", "--to", "users.create", "--file", here, "--columns", "a"],
      "the option --columns is not known"
    ],
    [["run", "export", "--file", "out.txt", "--call", "users.list"], "out.txt is neither .csv nor"],
    [["run", "export", "--file", "out.csv", "--call", "users.get"], "users.get answers no list page by page"],
    [["run"], "Missing argument <job>"],
    [["run", "own"], "for one of your own, pass --module"],
    [["run", "import", "--module", "none.js"], "none.js cannot be loaded"],
    [["run", "import", "--to", "users.create"], "--file is missing\nSee: quartet job run import --help"],
    [["run", "notify", "--payload", "{}"], "--key is missing"],
    [["run", "notify", "--key", "a", "--payload", "{}"], "--payload has no fields"],
    [["rm", "--older-than", "30"], "--older-than must be a number of days, hours or minutes, such as 30d"],
    [["run", "notify", "--key", "a"], "--payload is missing"],
    [
      ["run", "notify", "--key", "a", "--payload", '{"a":1}', "--to", "payments.refund"],
      "sends no notification"
    ],
    [["run", "own", "--module", "none.js"], "none.js cannot be loaded"],
    [["list", "--store", "postgres://me:pass-word@127.0.0.1/db"], "--store holds a password"],
    [["list", "--store", "mysql://127.0.0.1/db"], "the store must be file:<path> or postgres://"],
    [["settle", "a", "--items", "x"], "--items must be numbers with commas between them"],
    [["frob"], "Invalid subcommand"]
  ])("%j", async (words, message) => {
    const { code, stderr, stdout } = await run(["job", ...words], { cwd: folder })
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain(message)
    expect(stderr).not.toContain("pass-word")
  })
})
