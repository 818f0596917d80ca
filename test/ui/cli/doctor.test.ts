/** `quartet doctor` as a program of its own: what it finds, what it says to do, and how it ends. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { accounts } from "../../../adapters/sandbox/index.js"
import { makeAuthorization } from "../../../core/kernel/dispatch/execution.js"
import { permissionsOf } from "../../../ui/cli/doctor/credentials.js"
import type { Finding } from "../../../ui/cli/doctor/finding.js"
import { installation } from "../../../ui/cli/doctor/installation.js"
import { fits } from "../../../ui/cli/doctor/range.js"
import { quartet } from "../../support/quartet.js"
import { servedSandbox } from "../../support/sandboxes.js"
import { listen, nobody } from "../../support/servers.js"

const { run } = quartet()
const folder = mkdtempSync(join(tmpdir(), "quartet-doctor-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const platform = servedSandbox()

const admin = ({ email, password }: { readonly email: string; readonly password: string }) => ({
  QUARTET_BASE_URL: platform().url,
  QUARTET_PROJECT_ID: accounts.projectId,
  QUARTET_EMAIL: email,
  QUARTET_PASSWORD: password
})

/** What it finds about the platform that the variables name. */
const doctor = async (env: Readonly<Record<string, string>>) => {
  const { code, stderr, stdout } = await run(["doctor", "--json"], { env })
  const { findings, permissions } = JSON.parse(stdout)
  const of = (check: string): Finding => findings.find((one: Finding) => one.check === check)
  return { code, stderr, stdout, findings, permissions, of }
}

describe("a version", () => {
  it.each([
    ["3.22.2", "^3.22.2", true],
    ["3.30.0", "^3.22.2", true],
    ["3.22.1", "^3.22.2", false],
    ["4.0.0", "^3.22.2", false],
    ["4.0.0-beta.1", "^3.22.2", false],
    ["0.48.9", "^0.48.7", true],
    ["0.49.0", "^0.48.7", false],
    ["0.0.4", "^0.0.3", false],
    ["0.97.2", ">=0.90.10 <0.98.0", true],
    ["0.98.0", ">=0.90.10 <0.98.0", false],
    ["19.3.1", ">=18 <20", true],
    ["20.0.0", ">=18 <20", false],
    ["20.18.0", ">=20.19", false]
  ])("%s in %s: %s", (version, range, isSo) => expect(fits(version, range)).toBe(isSo))
})

describe("the installation", () => {
  const have = (name: string, version: string) => {
    const file = join(folder, "node_modules", name, "package.json")
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify({ version }))
  }
  const found = (check: string, node?: string) =>
    installation(join(folder, "src", "deep"), node).find((one) => one.check === check)

  it("says which peer does not fit, which is missing, and what to install", () => {
    have("effect", "4.0.1")
    have("react", "19.0.0")
    expect(found("effect")).toMatchObject({
      status: "failed",
      says: expect.stringContaining("4.0.1 does not fit ^3."),
      next: expect.stringContaining("npm install effect@3")
    })
    expect(found("react")?.status).toBe("ok")
    expect(found("rx, outbox")).toMatchObject({
      status: "skipped",
      says: "not installed: @effect-rx/rx, @effect-rx/rx-react",
      next: expect.stringMatching(
        /: npm pkg set "overrides\.@effect-rx\/rx\.@effect\/platform=0\.\d+" && npm install @effect-rx\/rx@0\.\d+ @effect-rx\/rx-react@0\.\d+$/
      )
    })
    expect(found("adapters/csv")).toMatchObject({ says: "not installed: csv-parse" })
    expect(found("csv-parse")).toBeUndefined()
    rmSync(join(folder, "node_modules"), { recursive: true })
    expect(found("effect")).toMatchObject({
      status: "failed",
      says: expect.stringContaining("not installed")
    })
  })

  it("says when Node is too old, or the project has another version of the package", () => {
    have("@quartet/sdk", "0.0.9")
    expect(found("node", "18.20.0")).toMatchObject({ status: "failed" })
    expect(found("@quartet/sdk")).toMatchObject({ status: "warning", says: expect.stringContaining("0.0.9") })
  })
})

describe("quartet doctor", () => {
  it("is content with all that is well, and lists what the admin's token permits", async () => {
    const { code, findings, of, permissions, stderr } = await doctor({
      ...admin(accounts.admin),
      QUARTET_API_KEY: accounts.apiKey,
      QUARTET_PRIVATE_KEY: accounts.privateKey,
      QUARTET_USER_EMAIL: accounts.endUsers.ana.email,
      QUARTET_USER_PASSWORD: accounts.endUsers.ana.password
    })
    expect([code, stderr]).toEqual([0, ""])
    expect(findings.filter(({ status }: Finding) => status !== "ok")).toEqual([])
    expect(of("clock of address").says).toContain("agrees")
    for (const client of ["admin", "public", "private", "end-user"])
      expect(of(`credentials of the ${client} client`).says).toBe("accepted")
    expect(permissions.flatMap(({ denied }: { denied: ReadonlyArray<string> }) => denied)).toEqual([])
  })

  it("lists what a token does not permit", async () => {
    const { code, permissions } = await doctor(admin(accounts.viewer))
    expect(code).toBe(0)
    expect(permissions).toContainEqual({
      resource: "roles",
      permitted: ["get", "list"],
      denied: expect.arrayContaining(["create", "delete"])
    })
    expect(
      permissionsOf(
        { "request-action": { "*": 1, markSeen: 9 } },
        makeAuthorization("intended", { requests: "request-action" })
      ).find(({ resource }) => resource === "requests")
    ).toEqual({
      resource: "requests",
      permitted: expect.arrayContaining(["list", "markSeen"]),
      denied: expect.arrayContaining(["update"])
    })
  })

  it("ends with code 3 where credentials are refused or half of them is missing, and shows none", async () => {
    const { code, of, stdout } = await doctor({
      ...admin({ ...accounts.admin, password: "Wr0ng-secret" }),
      QUARTET_API_KEY: "Wr0ng-key",
      QUARTET_USER_EMAIL: "ana@quartet.test"
    })
    expect(code).toBe(3)
    expect(stdout).not.toContain("Wr0ng")
    expect(of("credentials of the admin client").says).toContain("check the e-mail and the password")
    expect(of("credentials of the public client").status).toBe("failed")
    expect(of("credentials of the end-user client").says).toBe("QUARTET_USER_PASSWORD is not set")
    expect(of("credentials of the private client").status).toBe("skipped")
  })

  it("says that a project is not there", async () => {
    const { code, of } = await doctor({
      ...admin(accounts.admin),
      QUARTET_PROJECT_ID: "5eed0000000000000000ffff"
    })
    expect(code).toBe(0)
    expect(of("credentials of the admin client")).toMatchObject({
      status: "warning",
      next: "Check QUARTET_PROJECT_ID."
    })
  })

  it.each([
    ["a clock that is off", 200, 3_600_000, "clock of address", "warning", /360\d s ahead of/],
    ["a gateway without a server", 502, 0, "address", "failed", /HTTP 502/]
  ])("tells %s", async (_, status, ahead, check, expected, says) => {
    const { close, url } = await listen(
      createServer((_, answer) => {
        answer.writeHead(status, { date: new Date(Date.now() + ahead).toUTCString() }).end()
      })
    )
    const { of } = await doctor({ QUARTET_BASE_URL: url })
    await close()
    expect(of(check)).toMatchObject({ status: expected, says: expect.stringMatching(says) })
  })

  it("ends with code 1 where nobody listens, and does not show a password in an address", async () => {
    const { code, of } = await doctor({ QUARTET_BASE_URL: await nobody() })
    expect([code, of("address").says]).toEqual([1, expect.stringContaining("ECONNREFUSED")])
    const other = await run(["doctor"], { env: { QUARTET_BASE_URL: "http://me:Secr3t@127.0.0.1" } })
    expect(other.stdout).toContain("QUARTET_BASE_URL must not hold credentials")
    expect(other.stdout + other.stderr).not.toContain("Secr3t")
  })

  it("prints each finding with what to do, and needs no configuration", async () => {
    const { code, stdout } = await run(["doctor"])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^✓ node: /m)
    expect(stdout).toMatch(/^– address: QUARTET_BASE_URL is not set\n {4}Set it in the environment/m)
  })
})
