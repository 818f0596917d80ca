/** `quartet doctor` as a program of its own: what it finds, what it says to do, and how it ends. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { dirname, join } from "node:path"
import { accounts } from "@quartet/sandbox"
import { makeAuthorization } from "@quartet/sdk/extend"
import { quartet } from "@quartet/support/quartet.js"
import { servedSandbox } from "@quartet/support/sandboxes.js"
import { listen, nobody } from "@quartet/support/servers.js"
import { temporaryFolder } from "@quartet/support/temporary.js"
import { describe, expect, it } from "vitest"
import { permissionsOf } from "../doctor/credentials.js"
import type { Finding } from "../doctor/finding.js"
import { installation } from "../doctor/installation.js"
import { fits } from "../doctor/range.js"

const { run } = quartet()
const folder = temporaryFolder("doctor")

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
  const of = (check: string): Finding => findings.find((finding: Finding) => finding.check === check)
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
  const { version } = JSON.parse(readFileSync("packages/cli/package.json", "utf8"))

  /** A project of these files, a folder in it included. */
  const project = (files: Readonly<Record<string, string | object>>) => {
    const root = realpathSync(mkdtempSync(join(folder, "project-")))
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), typeof content === "string" ? content : JSON.stringify(content))
    }
    mkdirSync(join(root, "src", "deep"), { recursive: true })
    return root
  }
  const link = (root: string, target: string, name: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    symlinkSync(join(root, target), join(root, name), "junction")
  }
  const row = (at: string, check: string, node?: string) =>
    installation(join(at, "src", "deep"), node).find((finding) => finding.check === check)

  const installed = (name: string, more: object = {}) => ({
    [`node_modules/${name}/package.json`]: { version, ...more }
  })
  const sdk = installed("@quartet/sdk", { peerDependencies: { effect: "^3.22.2" } })
  const react = installed("@quartet/react", {
    peerDependencies: {
      "@quartet/sdk": ">=0.1.0 <1.0.0",
      effect: "^3.22.2",
      react: ">=18 <20",
      "react-dom": ">=18 <20"
    },
    peerDependenciesMeta: { "react-dom": { optional: true } }
  })
  const effect = installed("effect", { version: "3.22.2" })

  it("is well where the packages and their peers are there and fit", () => {
    const root = project({ ...sdk, ...react, ...effect, ...installed("react", { version: "19.0.0" }) })
    expect(installation(root).map(({ check, status }) => [check, status])).toEqual([
      ["node", "ok"],
      ["@quartet/sdk", "ok"],
      ["@quartet/react", "ok"],
      ["effect", "ok"],
      ["react", "ok"]
    ])
  })

  it("says how to install the SDK in a project without it", () => {
    expect(row(project({}), "@quartet/sdk")).toMatchObject({
      status: "skipped",
      next: expect.stringMatching(/: npm install @quartet\/sdk effect@3$/)
    })
  })

  it("names a peer that is missing or does not fit, with the command that installs it", () => {
    expect(row(project(sdk), "effect")).toMatchObject({
      status: "failed",
      says: expect.stringContaining("not installed"),
      next: "@quartet/sdk cannot be loaded without it: npm install effect@3"
    })
    expect(row(project({ ...sdk, ...installed("effect", { version: "4.0.1" }) }), "effect")).toMatchObject({
      status: "failed",
      says: "4.0.1 does not fit ^3.22.2",
      next: "Install one that does: npm install effect@3"
    })
    const hooks = project({ ...sdk, ...react, ...effect })
    expect(row(hooks, "react")?.next).toBe("@quartet/react cannot be loaded without it: npm install react@19")
    expect(row(hooks, "react-dom")).toBeUndefined()
    const old = {
      ...installed("react", { version: "18.3.1" }),
      ...installed("react-dom", { version: "17.0.2" })
    }
    expect(row(project({ ...sdk, ...react, ...effect, ...old }), "react-dom")).toMatchObject({
      status: "failed"
    })
  })

  it("warns of packages of Quartet whose versions differ", () => {
    const root = project({ ...sdk, ...effect, ...installed("@quartet/fleet", { version: "0.0.9" }) })
    expect(row(root, "@quartet/fleet")).toMatchObject({
      status: "warning",
      says: `0.0.9 is the project's, ${version} is the command line's`,
      next: expect.stringContaining(`npm install @quartet/sdk@${version} @quartet/fleet@${version}`)
    })
  })

  it("warns of a second copy of a peer", () => {
    const root = project({
      ...sdk,
      ...effect,
      ...installed("@quartet/fleet", { peerDependencies: { effect: "^3.22.2" } }),
      "node_modules/@quartet/fleet/node_modules/effect/package.json": { version: "3.22.4" }
    })
    expect(row(root, "effect")).toMatchObject({
      status: "warning",
      says: expect.stringContaining(join(root, "node_modules/@quartet/fleet/node_modules/effect"))
    })
  })

  it("counts a peer that stands beside the SDK alone, as pnpm installs it, as installed", () => {
    const store = "node_modules/.pnpm/@quartet+sdk@1/node_modules"
    const root = project({
      "pnpm-lock.yaml": "",
      "package.json": {},
      [`${store}/@quartet/sdk/package.json`]: { version, peerDependencies: { effect: "^3.22.2" } },
      [`${store}/effect/package.json`]: { version: "3.22.2" }
    })
    link(root, `${store}/@quartet/sdk`, "node_modules/@quartet/sdk")
    expect(row(root, "effect")).toMatchObject({ status: "ok", says: "3.22.2 fits ^3.22.2" })
  })

  it("tells a member of a workspace of a peer that its SDK, which stands in the root, does not find", () => {
    const root = project({
      "package.json": { workspaces: ["packages/*"] },
      ...sdk,
      "packages/a/package.json": { name: "a" },
      "packages/a/src/deep/a.js": "",
      "packages/a/node_modules/effect/package.json": { version: "3.22.2" }
    })
    expect(row(join(root, "packages/a"), "effect")).toMatchObject({
      status: "failed",
      says: expect.stringContaining(`but not found from ${join(root, "node_modules/@quartet/sdk")}`)
    })
  })

  const classic = "# THIS IS AN AUTOGENERATED FILE.\n# yarn lockfile v1\n"
  const workspaces = { workspaces: ["packages/*"] }
  it.each([
    ["package-lock.json", "npm install", { "package-lock.json": "{}" }, {}],
    ["pnpm-lock.yaml", "pnpm add", { "pnpm-lock.yaml": "" }, {}],
    ["pnpm-workspace.yaml", "pnpm add -w", { "pnpm-workspace.yaml": "", "pnpm-lock.yaml": "" }, {}],
    ["yarn.lock", "yarn add", { "yarn.lock": classic }, {}],
    ["a root of Yarn Classic", "yarn add -W", { "yarn.lock": classic }, workspaces],
    ["a root of Yarn", "yarn add", { "yarn.lock": "__metadata:\n  version: 8\n" }, workspaces],
    ["bun.lock", "bun add", { "bun.lock": "{}" }, {}],
    ["bun.lockb", "bun add", { "bun.lockb": "" }, {}],
    ["a lock file left behind", "pnpm add", { "package-lock.json": "{}", "pnpm-lock.yaml": "" }, {}],
    ["packageManager", "yarn add", { "package-lock.json": "{}" }, { packageManager: "yarn@4.9.1" }]
  ])("prints the commands of the package manager, known by %s: %s", (_, add, files, manifest) => {
    const root = project({ ...sdk, ...files, "package.json": manifest })
    expect(row(root, "effect")?.next).toContain(`: ${add} effect@3`)
  })

  it.each([
    ["npm install", ".package-lock.json", "yarn.lock"],
    ["pnpm add", ".modules.yaml", "package-lock.json"],
    ["yarn add", ".yarn-integrity", "package-lock.json"],
    ["yarn add", ".yarn-state.yml", "package-lock.json"]
  ])("without a lock file prints %s, known by node_modules/%s, below a stray %s", (add, trace, stray) => {
    const root = project({
      ...sdk,
      [stray]: "{}",
      "app/package.json": {},
      "app/src/deep/a.js": "",
      [`app/node_modules/${trace}`]: "{}"
    })
    expect(row(join(root, "app"), "effect")?.next).toContain(`: ${add} effect@3`)
  })

  it("says when Node is too old", () => {
    expect(row(project(sdk), "node", "18.20.0")).toMatchObject({ status: "failed" })
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

  it.each([
    [
      "sign-in",
      "admin",
      { QUARTET_PROJECT_ID: "p1", QUARTET_EMAIL: "a@b.test", QUARTET_PASSWORD: "pw" },
      "failed"
    ],
    ["read", "public", { QUARTET_API_KEY: "key-123456" }, "warning"],
    [
      "sign-in",
      "end-user",
      { QUARTET_API_KEY: "key-123456", QUARTET_USER_EMAIL: "a@b.test", QUARTET_USER_PASSWORD: "pw" },
      "failed"
    ],
    [
      "read",
      "end-user",
      { QUARTET_API_KEY: "key-123456", QUARTET_USER_SESSION_ID: "session-123456" },
      "warning"
    ]
  ])("points to adapt where a %s is answered in another form", async (_, client, env, status) => {
    const { close, url } = await listen(
      createServer((request, answer) => {
        answer.writeHead(200, { "content-type": "application/json" })
        answer.end(request.method === "HEAD" ? undefined : JSON.stringify({ data: { token: "t", id: 7 } }))
      })
    )
    const { of } = await doctor({ QUARTET_BASE_URL: url, ...env })
    await close()
    expect(of(`credentials of the ${client} client`)).toMatchObject({
      status,
      next: expect.stringContaining("quartet adapt")
    })
  })

  it.each([
    ["admin", { QUARTET_PROJECT_ID: "p1", QUARTET_EMAIL: "a@b.test", QUARTET_PASSWORD: "pw" }],
    [
      "end-user",
      { QUARTET_API_KEY: "key-123456", QUARTET_USER_EMAIL: "a@b.test", QUARTET_USER_PASSWORD: "pw" }
    ]
  ])(
    "takes no %s for accepted whose sign-in is refused for its fields, and points to adapt",
    async (client, env) => {
      const { close, url } = await listen(
        createServer((_, answer) => {
          answer.writeHead(422, { "content-type": "application/json" })
          answer.end(JSON.stringify({ message: "username is required" }))
        })
      )
      const { of } = await doctor({ QUARTET_BASE_URL: url, ...env })
      await close()
      expect(of(`credentials of the ${client} client`)).toMatchObject({
        status: "failed",
        next: expect.stringContaining("quartet adapt")
      })
    }
  )

  it("points from refused credentials to what says where they go, and not to itself", async () => {
    const { close, url } = await listen(
      createServer((_, answer) => {
        answer.writeHead(401, { "content-type": "application/json" }).end("{}")
      })
    )
    const { of } = await doctor({
      QUARTET_BASE_URL: url,
      QUARTET_API_KEY: "key-123456",
      QUARTET_PRIVATE_KEY: "private-123456"
    })
    await close()
    for (const client of ["public", "private"]) {
      const { next } = of(`credentials of the ${client} client`)
      expect(next).toMatch(/\(credentials\).*quartet adapt/)
      expect(next).not.toContain("quartet doctor")
    }
  })

  it("takes no end user for accepted who may not read who they are", async () => {
    const { close, url } = await listen(
      createServer((request, answer) => {
        const isSignIn = request.method === "POST"
        answer.writeHead(isSignIn ? 200 : 403, { "content-type": "application/json" })
        answer.end(
          JSON.stringify(
            isSignIn ? { sessionId: "session-123456", user: { _id: "u1" } } : { message: "Not for visitors" }
          )
        )
      })
    )
    const { of } = await doctor({
      QUARTET_BASE_URL: url,
      QUARTET_API_KEY: "key-123456",
      QUARTET_USER_EMAIL: "a@b.test",
      QUARTET_USER_PASSWORD: "pw"
    })
    await close()
    expect(of("credentials of the end-user client")).toMatchObject({
      status: "warning",
      says: expect.stringContaining("not known"),
      next: expect.stringContaining("credentials.endUserSession")
    })
  })

  it("ends with code 1 where nobody listens, and does not show a password in an address", async () => {
    const { code, of } = await doctor({ QUARTET_BASE_URL: await nobody() })
    expect([code, of("address").says]).toEqual([1, expect.stringContaining("ECONNREFUSED")])
    const second = await run(["doctor"], { env: { QUARTET_BASE_URL: "http://me:Secr3t@127.0.0.1" } })
    expect(second.stdout).toContain("QUARTET_BASE_URL must not hold credentials")
    expect(second.stdout + second.stderr).not.toContain("Secr3t")
  })

  it("prints each finding with what to do, and needs no configuration", async () => {
    const { code, stdout } = await run(["doctor"])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^✓ node: /m)
    expect(stdout).toMatch(/^– address: QUARTET_BASE_URL is not set\n {4}Set it in the environment/m)
  })
})
