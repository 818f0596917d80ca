/** `quartet sandbox` as a program of its own: what it prints, how it stops, and how it says what is wrong. */

import { quartet } from "@quartet/support/quartet.js"
import { describe, expect, it } from "vitest"
import * as Screen from "../sandbox/screen.js"
import { paint } from "../text.js"

const { ended, run, said, start } = quartet()

/** The address that it prints once it serves. */
const served = /on (http:\S+)[\s\S]*Ctrl\+C/

/** Makes Node find no package that the package itself does not bring. */
const asModule = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`
const withoutPeers = asModule(`
  import { register } from "node:module"
  register(${JSON.stringify(
    asModule(`
      export const resolve = (name, context, next) => {
        if (!/^(effect|@effect\\/|socket\\.io$|react)/.test(name)) return next(name, context)
        throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: "ERR_MODULE_NOT_FOUND" })
      }
    `)
  )})
`)

describe("quartet sandbox", () => {
  it("serves those it is told to, prints its address and accounts in columns, and stops gracefully", async () => {
    const child = start(["sandbox", "--port", "0", "--seed", "5", "--allow-origin", "https://app.test"])
    const whole = ended(child)
    const url = await said(child, served)
    const from = async (origin: string) => {
      const headers = { "x-api-key": "qk_public_demo", origin }
      const answer = await fetch(`${url}/project/self`, { headers })
      return [answer.status, answer.headers.get("access-control-allow-origin")]
    }
    expect(await from("https://app.test")).toEqual([200, "https://app.test"])
    expect(await from("https://evil.test")).toEqual([403, null])
    child.kill("SIGTERM")
    const { code, stderr, stdout } = await whole
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain("  project id        5eed00000000000000000001")
    expect(stdout).toContain("  admin             admin@quartet.test    admin-password")
    expect(stdout).toContain("  seed              5")
    expect(stdout.trimEnd().endsWith("The sandbox has stopped.")).toBe(true)
    expect(stdout).not.toContain("\u001b")
  })

  it("serves where no optional package is installed, and says that a port is taken", async () => {
    const first = start(["sandbox", "--port", "0"], { node: ["--import", withoutPeers] })
    const end = ended(first)
    const port = Number(new URL(await said(first, served)).port)
    const { code, stderr } = await run(["sandbox", "--port", String(port)])
    expect(code).toBe(1)
    expect(stderr).toBe(
      `quartet: port ${port} is in use. Try another: quartet sandbox --port ${port + 1} (or --port 0 for any free one)\n`
    )
    first.kill("SIGINT")
    expect((await end).code).toBe(0)
  })

  it.each([
    [["--prot", "1"], "--prot"],
    [["--port"], "the option --port is not known, lacks its value, or is given twice"],
    [["--port", "1", "--port", "2"], "--port"],
    [["--port", "70000"], "--port must be a whole number from 0 to 65535"],
    [["--seed", "-1"], "--seed must be a whole number from 0 to 4294967295"],
    [["--latency", "soon"], "--latency must be a whole number of milliseconds"],
    [["--allow-host", "http://a.test"], "--allow-host must be a host's name or address"],
    [["--allow-host", "a.test:4400"], 'without scheme and port, or * alone, not "a.test:4400"'],
    [["--allow-host", "", "--allow-host", "a.test"], "the option --allow-host is not known, lacks its value"],
    [["--allow-host", "a.test", "--allow-host"], "the option --allow-host is not known, lacks its value"],
    [["--allow-origin="], "the option --allow-origin is not known, lacks its value"],
    [["--allow-origin", "app.test"], "--allow-origin must be an origin such as https://app.test"],
    [["again"], '"again" is an unexpected argument']
  ])("refuses %j with code 2 and says why", async (args, message) => {
    const { code, stderr, stdout } = await run(["sandbox", ...args])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toContain(message)
    expect(stderr).toContain("See: quartet sandbox --help")
  })

  it("prints one aligned line for a request, coloured by its status where there is colour", () => {
    const received = {
      requestId: "sandbox-000001",
      method: "PUT",
      path: "/request-action/1/seen",
      query: "",
      operation: "requests.markSeen",
      audience: "endUser" as const,
      status: 409,
      headers: {},
      idempotencyKey: undefined,
      replayed: false,
      at: new Date(2025, 0, 2, 3, 4, 5),
      duration: 12
    }
    expect(Screen.line(received, paint(false))).toMatch(
      /^03:04:05 {2}409 {2}PUT {5}\/request-action\/1\/seen +requests\.markSeen +endUser {2}12 ms$/
    )
    expect(Screen.line(received, paint(true))).toContain("\u001b[33m409\u001b[39m")
  })
})
