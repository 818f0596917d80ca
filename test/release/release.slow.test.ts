// `npm run release` in a small project with packages of the same names, a repository to push to, and a registry that has what a test gives it.
import { execFile, execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { read, removeFolder, root } from "@quartet/support/files.js"
import { patient } from "@quartet/support/patience.js"
import { type Listening, listen } from "@quartet/support/servers.js"
import { workspaces } from "@quartet/support/workspaces.js"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

let home = ""
let project = ""
let registry: Listening
/** The versions that the registry has, of the packages that it has any of. */
let published: Readonly<Record<string, ReadonlyArray<string>>> = {}

/** Our packages that are published. */
const packages = workspaces.filter(({ manifest }) => manifest.private !== true)
const names = packages.map(({ manifest }) => manifest.name)
const allAt = (...versions: ReadonlyArray<string>) =>
  Object.fromEntries(names.map((name) => [name, versions]))

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd: project, encoding: "utf8" }).trim()

const write = (file: string, text: string): void => {
  mkdirSync(join(project, file, ".."), { recursive: true })
  writeFileSync(join(project, file), text)
}

const passes = "node -e 0"
const fails = "node -e 'process.exit(3)'"

/** The manifest of the project's root. */
const manifest = (scripts: Readonly<Record<string, string>> = {}, repository = "somebody/something") => ({
  name: "@quartet/sdk",
  version: "0.1.0",
  repository: { type: "git", url: `git+https://github.com/${repository}.git` },
  files: ["index.js"],
  exports: { ".": "./index.js" },
  scripts: { check: passes, test: passes, ...scripts },
  workspaces: workspaces.map(({ folder }) => folder)
})

/** The manifests of the other packages, which ask for each other as ours do. */
const writePackages = (version = "0.1.0"): void => {
  for (const { folder, manifest } of workspaces) {
    if (folder === ".") continue
    const { name, peerDependencies = {}, private: isPrivate = false } = manifest
    const siblings = Object.entries(peerDependencies).filter(([peer]) => peer.startsWith("@quartet/"))
    const text = JSON.stringify({
      name,
      version: isPrivate ? "0.0.0" : version,
      ...(isPrivate ? { private: true } : { peerDependencies: Object.fromEntries(siblings) }),
      files: ["index.js"],
      exports: { ".": "./index.js" }
    })
    write(join(folder, "package.json"), text)
    write(join(folder, "index.js"), "")
  }
}

const manifestIn = (folder: string): { readonly version: string; readonly peerDependencies?: object } =>
  JSON.parse(readFileSync(join(project, folder, "package.json"), "utf8"))

/** That a package is published. */
const publishes = (name: string, version: string, options = ""): RegExp => {
  const file = `${name.slice(1).replace("/", "-")}-${version}.tgz`
  return new RegExp(`\\$ npm publish \\S*/${file.replaceAll(".", "\\.")}${options}`)
}

const commitAll = (): void => {
  git("add", "--all")
  git("commit", "--quiet", "--allow-empty", "--message", "Change something")
}

const commit = (contents = manifest()): void => {
  write("package.json", JSON.stringify(contents))
  commitAll()
}

/** What a release changes here. */
const stateOf = () => [git("rev-parse", "HEAD"), git("status", "--porcelain"), git("tag")]

const release = (...args: ReadonlyArray<string>) =>
  new Promise<{ readonly status: unknown; readonly output: string }>((resolve) => {
    const env = {
      ...process.env,
      // The project's own identity: a machine may have none.
      GIT_CONFIG_GLOBAL: join(home, "no-config"),
      npm_config_fetch_retries: "0",
      npm_config_cache: join(home, "cache"),
      npm_config_registry: registry.url
    }
    const script = join(root, "tools/release.mjs")
    execFile(process.execPath, [script, ...args], { cwd: project, env }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, output: stdout + stderr })
    )
  })

beforeEach(async () => {
  published = {}
  registry = await listen(
    createServer((request, response) => {
      const name = decodeURIComponent(request.url?.slice(1) ?? "")
      const versions = published[name] ?? []
      const isKnown = request.method === "GET" && versions.length > 0
      response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" })
      response.end(
        JSON.stringify({
          name,
          "dist-tags": { latest: versions.at(-1) },
          versions: Object.fromEntries(versions.map((version) => [version, { name, version }]))
        })
      )
    })
  )
  home = mkdtempSync(join(tmpdir(), "quartet-release-"))
  project = join(home, "project")
  mkdirSync(project)
  execFileSync("git", ["init", "--quiet", "--bare", join(home, "origin")])
  git("init", "--quiet", "--initial-branch", "main")
  for (const [name, value] of Object.entries({ "user.name": "Test", "user.email": "test@example.test" }))
    git("config", name, value)
  git("remote", "add", "origin", join(home, "origin"))
  write(".changeset/config.json", read(".changeset/config.json"))
  write(
    ".changeset/one.md",
    '---\n"@quartet/sdk": minor\n---\n\nA new call\nthat lists boats\n\nin any harbour\n'
  )
  write(".changeset/two.md", '---\n"@quartet/react": patch\n---\n\nChanged: dates are Dates\n')
  write(
    "CHANGELOG.md",
    "# Changelog\n\nIntro.\n\n## [Unreleased]\n\n### Fixed\n\n- A leak\n\n## [0.0.9] - 2020-01-01\n\nOld.\n"
  )
  write(
    "package-lock.json",
    JSON.stringify({
      name: "@quartet/sdk",
      version: "0.1.0",
      packages: Object.fromEntries(
        packages.map(({ folder }) => [folder === "." ? "" : folder, { version: "0.1.0" }])
      )
    })
  )
  write("LICENSE", "Yours.\n")
  write("index.js", "")
  writePackages()
  write("node_modules/.keep", "")
  write(".gitignore", "node_modules\n")
  commit()
})

afterEach(async () => {
  await registry.close()
  await removeFolder(home)
})

describe("a dry run", () => {
  it(
    "checks, versions, tags, packs and publishes in a copy, and changes nothing here",
    async () => {
      const before = stateOf()
      const { output, status } = await release("--dry-run")
      expect([status, output]).toEqual([0, expect.stringContaining("0.1.0 would become 0.2.0")])
      expect(output).toMatch(/\$ npm run check\n[\s\S]*\$ npm test\n[\s\S]*version\n[\s\S]*\$ git tag/)
      for (const name of names)
        expect(output).toMatch(publishes(name, "0.2.0", " --access public --provenance --dry-run"))
      expect(output).not.toContain("$ git push")
      expect(stateOf()).toEqual(before)
    },
    patient(120_000)
  )

  it(
    "stops at a check that fails, before anything else",
    async () => {
      commit(manifest({ check: fails }))
      const { output, status } = await release("--dry-run")
      expect([status, output]).toEqual([1, expect.stringContaining("No release: this failed: npm run check")])
      expect(output).not.toContain("$ git clone")
    },
    patient(60_000)
  )
})

describe("the versions", () => {
  const bin = join(root, "node_modules/@changesets/cli/bin.js")

  it.each(
    names.flatMap((name) => [
      [name, "minor", "0.2.0"],
      [name, "patch", "0.1.1"]
    ])
  )(
    "of all packages go together: a change of %s that is a %s makes each %s, and none a major",
    (name, level, version) => {
      for (const file of ["one", "two"]) git("rm", "--quiet", `.changeset/${file}.md`)
      write(".changeset/only.md", `---\n"${name}": ${level}\n---\n\nText\n`)
      const peers = packages.map(({ folder }) => manifestIn(folder).peerDependencies)
      execFileSync(process.execPath, [bin, "version"], { cwd: project, stdio: "ignore" })
      expect(packages.map(({ folder }) => manifestIn(folder).version)).toEqual(packages.map(() => version))
      expect(packages.map(({ folder }) => manifestIn(folder).peerDependencies)).toEqual(peers)
      for (const { folder, manifest } of workspaces)
        if (manifest.private === true) expect(manifestIn(folder).version).toBe("0.0.0")
    }
  )
})

describe("a release", () => {
  it.each([
    ["a file that is not committed", () => write("new.txt", ""), "the tree is not clean"],
    [
      "another branch",
      () => void git("switch", "--quiet", "--create", "other"),
      "releases are made from main"
    ],
    ["a project without a home", () => commit(manifest({}, "your-organisation/quartet")), "has no home yet"],
    ["nobody who commits", () => git("config", "user.email", ""), "git does not know who commits"],
    [
      "a main that is behind its origin",
      () => {
        commitAll()
        git("push", "--quiet", "origin", "main")
        git("reset", "--quiet", "--hard", "HEAD~1")
      },
      "main is behind its origin"
    ],
    [
      "a tag that only its origin has",
      () => {
        git("push", "--quiet", "origin", "main", "HEAD:refs/tags/v0.2.0")
      },
      "these tags of its origin are not here: v0.2.0"
    ],
    [
      "nothing that is noted",
      () => {
        git("rm", "--quiet", ".changeset/one.md", ".changeset/two.md")
        write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n### Added\n")
        commit()
      },
      "nothing is noted for this release"
    ],
    [
      "a noted line outside of all groups",
      () => {
        write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n\n- A leak\n")
        commit()
      },
      "## [Unreleased] in CHANGELOG.md has lines before its first group"
    ]
  ])("is refused with %s, before the checks", async (_, prepare, why) => {
    prepare()
    const { output, status } = await release()
    expect([status, output]).toEqual([1, expect.stringContaining(why)])
    expect(output).not.toContain("$ npm run check")
  })

  it(
    "is committed, tagged and pushed before it is published, only with provenance, and goes on from there",
    async () => {
      const first = await release()
      // Here is no workflow that could vouch for it.
      expect([first.status, first.output]).toEqual([1, expect.stringMatching(/provenance/i)])
      expect(git("log", "-1", "--format=%s")).toBe("Release 0.2.0")
      expect(git("status", "--porcelain")).toBe("")
      const tag = `${git("rev-parse", "v0.2.0")}\trefs/tags/v0.2.0`
      expect(git("ls-remote", "origin")).toContain(tag)
      expect(git("ls-remote", "origin")).toContain(`${git("rev-parse", "HEAD")}\trefs/heads/main`)
      expect(readFileSync(join(project, "CHANGELOG.md"), "utf8")).toMatch(
        /Intro\.\n\n## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A new call\n {2}that lists boats\n\n {2}in any harbour\n\n### Changed\n\n- dates are Dates\n\n### Fixed\n\n- A leak\n\n## \[0\.0\.9\]/
      )
      const lock = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8"))
      expect([lock.version, Object.values(lock.packages)]).toEqual([
        "0.2.0",
        names.map(() => ({ version: "0.2.0" }))
      ])
      const second = await release()
      expect(second.output).toMatch(publishes("@quartet/sdk", "0.2.0"))
      expect(second.output).not.toContain("$ git commit")
      // What mends it may be a commit.
      write(".changeset/three.md", '---\n"@quartet/sdk": minor\n---\n\nAnother call\n')
      commitAll()
      const third = await release()
      expect(third.output).toMatch(publishes("@quartet/sdk", "0.2.0"))
      // A run that failed after the first two has published these: the others are left.
      const [sdk = "", sibling = "", ...rest] = names
      published = { [sdk]: ["0.2.0"], [sibling]: ["0.2.0"] }
      const left = await release()
      expect(left.output).toMatch(publishes(rest[0] ?? "", "0.2.0"))
      expect(left.output).not.toMatch(publishes(sdk, "0.2.0"))
      expect(left.output).not.toMatch(publishes(sibling, "0.2.0"))
      published = allAt("0.2.0")
      const next = await release()
      expect(next.output).toMatch(publishes("@quartet/sdk", "0.3.0"))
    },
    patient(240_000)
  )

  it.each([
    ["no changeset", undefined],
    ["a changeset without a level", "---\n---\n"]
  ])(
    "is refused with lines under Unreleased and %s, once the version is released",
    async (_, changeset) => {
      for (const name of ["one", "two"]) git("rm", "--quiet", `.changeset/${name}.md`)
      write("package.json", JSON.stringify({ ...manifest(), version: "0.2.0" }))
      writePackages("0.2.0")
      commitAll()
      git("tag", "v0.2.0")
      git("push", "--quiet", "origin", "main", "v0.2.0")
      published = allAt("0.2.0")
      if (changeset !== undefined) write(".changeset/empty.md", changeset)
      commitAll()
      const before = stateOf()
      const { output, status } = await release()
      const why = "No release: 0.2.0 is released already: write a changeset"
      expect([status, output]).toEqual([1, expect.stringContaining(why)])
      expect(output).not.toContain("$ npm run check")
      expect(stateOf()).toEqual(before)
    },
    patient(60_000)
  )

  it.each([
    ["the generated files", manifest({ generate: fails }), "npm run generate"],
    ["the build", manifest({ build: fails }), "npm run build"],
    ["the push", manifest(), "git push"]
  ])(
    "that fails at %s leaves nothing here, and can be started again",
    async (step, broken, command) => {
      commit(broken)
      const hook = join(home, "origin/hooks/pre-receive")
      mkdirSync(join(hook, ".."), { recursive: true })
      if (step === "the push") writeFileSync(hook, "#!/bin/sh\nexit 1\n", { mode: 0o755 })
      const before = stateOf()
      const first = await release()
      expect([first.status, first.output]).toEqual([
        1,
        expect.stringContaining(`No release: this failed: ${command}`)
      ])
      expect(stateOf()).toEqual(before)
      rmSync(hook, { force: true })
      write("package.json", JSON.stringify(manifest()))
      commitAll()
      const second = await release()
      expect(second.output).toMatch(publishes("@quartet/sdk", "0.2.0"))
      expect(git("tag")).toBe("v0.2.0")
    },
    patient(120_000)
  )
})
