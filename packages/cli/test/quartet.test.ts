/** What all commands share: help, version, completions, search, exit codes. */
import { execFileSync } from "node:child_process"
import { read } from "@quartet/support/files.js"
import { quartet } from "@quartet/support/quartet.js"
import { describe, expect, it } from "vitest"
import { search } from "../call/search.js"
import { summaries } from "../summaries.js"

const { run } = quartet()
const names = Object.keys(summaries)

describe("quartet", () => {
  it("lists every command, and each has help with examples", async () => {
    const { code, stdout } = await run(["--help"])
    expect(code).toBe(0)
    for (const [name, summary] of Object.entries(summaries)) {
      expect(stdout).toContain(`  ${name.padEnd(10)}  ${summary}`)
      const help = await run([name, "--help"])
      expect([help.code, help.stderr]).toEqual([0, ""])
      expect(help.stdout).toContain(`$ quartet ${name}`)
      expect(help.stdout).toContain(summary)
      expect(
        help.stdout.match(new RegExp(`^  quartet ${name}\\b.*\\n {6}\\S`, "gm"))?.length
      ).toBeGreaterThan(1)
      expect(help.stdout).not.toContain("\u001b")
    }
  })

  it("has every command on its page", () => {
    const listed = [...read("docs/cli.md").matchAll(/^\| `([a-z]+)` \| \w/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual([...names].sort())
  })

  it("prints its version, also by -v", async () => {
    for (const option of ["--version", "-v"])
      expect(await run([option])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/)
      })
  })

  it.each(["bash", "zsh", "fish"])("completes every command in %s", async (shell) => {
    const { code, stdout } = await run(["--completions", shell])
    expect(code).toBe(0)
    for (const name of names) expect(stdout).toContain(name)
    expect(stdout).toContain(shell === "fish" ? "-l latency" : "--latency")
    expect(stdout).not.toMatch(/wizard|log-level|\bsh\b/)
  })

  it("completes commands and options in bash, as bash itself does", async () => {
    const { stdout } = await run(["--completions", "bash"])
    const lines = [
      "quartet san",
      "quartet cons",
      "quartet call --ou",
      "quartet mcp --con",
      "quartet job sh",
      "quartet job run imp",
      "quartet job run import --del"
    ]
    const script = `${stdout}
complete_() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quartet_bash_completions quartet; echo "$*: \${COMPREPLY[*]}"; }
${lines.map((line) => `complete_ ${line}`).join("\n")}`
    expect(execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n")).toEqual([
      "quartet san: sandbox",
      "quartet cons: console",
      "quartet call --ou: --output",
      "quartet mcp --con: --confirm",
      "quartet job sh: show",
      "quartet job run imp: import",
      "quartet job run import --del: --delimiter"
    ])
  })

  it("has the help of a command under `help` too", async () => {
    const [whole, all, own] = await Promise.all([
      run(["help", "doctor"]),
      run(["help"]),
      run(["doctor", "--help"])
    ])
    expect(whole).toEqual(own)
    expect([all.code, all.stdout]).toEqual([0, expect.stringContaining("Usage: quartet <command>")])
    for (const option of ["--version", "--help"])
      expect(await run(["help", option])).toEqual(await run([option]))
  })

  it.each([
    [[], "a command is missing"],
    [["serve"], 'the command "serve" is not known; there are: sandbox, '],
    [["--completions", "tcsh"], "--completions takes the name of a shell: bash, zsh or fish"],
    [["constructor"], 'the command "constructor" is not known'],
    [["help", "serve"], 'the command "serve" is not known']
  ])("ends %j with code 2 and says what there is", async (args, message) => {
    const { code, stderr, stdout } = await run(args)
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain(message)
    expect(stderr).toContain("See: quartet --help")
  })
})

describe("quartet operations", () => {
  it("knows all calls, each operation once with its clients", () => {
    const all = search([])
    expect(all.flatMap(({ clients }) => clients)).toHaveLength(168)
    expect(search([], "private").flatMap(({ clients }) => clients)).toContain("private")
    expect(search([], "private").length).toBe(8)
  })

  it("finds by all words, in names before summaries and paths", () => {
    expect(search(["order", "csv"]).map(({ operation }) => operation)).toEqual(["ordersV2.csv"])
    expect(search(["REQUESTS.LIST"])[0]?.operation).toBe("requests.list")
    const [first, ...others] = search(["refund"])
    expect(first?.operation).toBe("payments.refund")
    expect(others.every(({ operation }) => !operation.includes("refund"))).toBe(true)
    expect(search(["request-action/{id}/seen"]).map(({ operation }) => operation)).toEqual([
      "requests.markSeen"
    ])
    expect(search(["no such words"])).toEqual([])
  })

  it("finds a call by the name that the other commands take, with its client", () => {
    for (const name of ["end-user.requests.list", "endUser.requests.list"])
      expect(search([name])[0]).toMatchObject({ operation: "requests.list" })
    expect(search(["public.requests.list"])).toEqual([])
    expect(search(["end-user.request"], "admin").every(({ clients }) => clients.includes("end-user"))).toBe(
      true
    )
  })

  it("prints a line for each, all about one that is named, and JSON for a program", async () => {
    const list = await run(["operations", "request", "comment"])
    expect(list.stdout).toMatch(/^requests\.addComment +admin, end-user +Adds a comment; either side may\.$/m)
    const single = await run(["operations", "requests.markSeen"])
    expect(single.stdout).toContain("PUT request-action/{id}/seen")
    expect(single.stdout).toMatch(/^ {2}version \(\w+\) /m)
    const json = await run(["operations", "--client", "end-user", "requests.markSeen", "--json"])
    expect(JSON.parse(json.stdout)).toMatchObject([
      { operation: "requests.markSeen", clients: ["admin", "end-user"], method: "PUT", requires: "Write" }
    ])
  })

  it("says so where there is none, with code 1, for a program too", async () => {
    const stderr = expect.stringContaining("in its name, summary or path")
    expect(await run(["operations", "zebra"])).toEqual({ code: 1, stdout: "", stderr })
    const { stdout, ...ending } = await run(["operations", "zebra", "--json"])
    expect([ending, JSON.parse(stdout)]).toEqual([{ code: 1, stderr }, []])
  })
})
