// `npm run release` in a small project of its own, with a repository to push to.
import { execFile, execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { read, root } from "../../tools/files.js"

let home = ""
let project = ""

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd: project, encoding: "utf8" }).trim()

const write = (file: string, text: string): void => {
  mkdirSync(join(project, file, ".."), { recursive: true })
  writeFileSync(join(project, file), text)
}

/** The manifest of the project, whose checks leave a trace. */
const manifest = (check: string, repository = "somebody/something") => ({
  name: "released",
  version: "0.1.0",
  repository: { type: "git", url: `git+https://github.com/${repository}.git` },
  scripts: { check, test: "node -e 0" }
})

const commit = (given = manifest("node -e 0")): void => {
  write("package.json", JSON.stringify(given))
  git("add", "--all")
  git("commit", "--quiet", "--message", "Change something")
}

const release = (...args: ReadonlyArray<string>) =>
  new Promise<{ readonly status: unknown; readonly output: string }>((resolve) => {
    const env = {
      ...process.env,
      // The project's own identity: a machine may have none.
      GIT_CONFIG_GLOBAL: join(home, "no-config"),
      // There is no registry here.
      npm_config_fetch_retries: "0",
      npm_config_cache: join(home, "cache"),
      npm_config_registry: "http://127.0.0.1:9"
    }
    const script = join(root, "tools/release.mjs")
    execFile(process.execPath, [script, ...args], { cwd: project, env }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, output: stdout + stderr })
    )
  })

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "quartet-release-"))
  project = join(home, "project")
  mkdirSync(project)
  execFileSync("git", ["init", "--quiet", "--bare", join(home, "origin")])
  git("init", "--quiet", "--initial-branch", "main")
  for (const [name, value] of Object.entries({ "user.name": "Test", "user.email": "test@example.test" }))
    git("config", name, value)
  git("remote", "add", "origin", join(home, "origin"))
  write(".changeset/config.json", read(".changeset/config.json"))
  write(".changeset/one.md", '---\n"released": minor\n---\n\nA new call\nthat lists boats\n')
  write(".changeset/two.md", '---\n"released": patch\n---\n\nChanged: dates are Dates\n')
  write(
    "CHANGELOG.md",
    "# Changelog\n\nIntro.\n\n## [Unreleased]\n\n### Fixed\n\n- A leak\n\n## [0.0.9] - 2020-01-01\n\nOld.\n"
  )
  write(
    "package-lock.json",
    JSON.stringify({ name: "released", version: "0.1.0", packages: { "": { version: "0.1.0" } } })
  )
  write("node_modules/.keep", "")
  write(".gitignore", "node_modules\n")
  commit()
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

describe("a dry run", () => {
  it("checks, versions, tags, packs and publishes in a copy, and changes nothing here", async () => {
    const before = git("rev-parse", "HEAD")
    const { output, status } = await release("--dry-run")
    expect([status, output]).toEqual([0, expect.stringContaining("0.1.0 would become 0.2.0")])
    expect(output).toMatch(/\$ npm run check\n[\s\S]*\$ npm test\n[\s\S]*version\n[\s\S]*\$ git tag/)
    expect(output).toMatch(/\$ npm publish .*released-0\.2\.0\.tgz --access public --provenance --dry-run/)
    expect(output).not.toContain("$ git push")
    expect([git("rev-parse", "HEAD"), git("status", "--porcelain"), git("tag")]).toEqual([before, "", ""])
  }, 120_000)

  it("stops at a check that fails, before anything else", async () => {
    commit(manifest("node -e 'process.exit(3)'"))
    const { output, status } = await release("--dry-run")
    expect([status, output]).toEqual([1, expect.stringContaining("No release: this failed: npm run check")])
    expect(output).not.toContain("$ git clone")
  }, 60_000)
})

describe("a release", () => {
  it.each([
    ["a file that is not committed", () => write("new.txt", ""), "the tree is not clean"],
    [
      "another branch",
      () => void git("switch", "--quiet", "--create", "other"),
      "releases are made from main"
    ],
    ["a project without a home", () => commit(manifest("", "your-organisation/quartet")), "has no home yet"]
  ])("is refused with %s, before the checks", async (_, prepare, why) => {
    prepare()
    const { output, status } = await release()
    expect([status, output]).toEqual([1, expect.stringContaining(why)])
    expect(output).not.toContain("$ npm run check")
  })

  it("is refused where nothing is noted for it", async () => {
    git("rm", "--quiet", ".changeset/one.md", ".changeset/two.md")
    write("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n")
    commit()
    expect((await release()).output).toContain("nothing is noted for this release")
  }, 60_000)

  it("is committed, tagged and pushed before it is published, only with provenance, and goes on from there", async () => {
    const first = await release()
    // Here is no workflow that could vouch for it.
    expect([first.status, first.output]).toEqual([1, expect.stringMatching(/provenance/i)])
    expect(git("log", "-1", "--format=%s")).toBe("Release 0.2.0")
    expect(git("ls-remote", "--tags", "origin")).toContain("refs/tags/v0.2.0")
    expect(readFileSync(join(project, "CHANGELOG.md"), "utf8")).toMatch(
      /Intro\.\n\n## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A new call\n {2}that lists boats\n\n### Changed\n\n- dates are Dates\n\n### Fixed\n\n- A leak\n\n## \[0\.0\.9\]/
    )
    expect(JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8"))).toMatchObject({
      version: "0.2.0",
      packages: { "": { version: "0.2.0" } }
    })
    const second = await release()
    expect(second.output).toContain("released-0.2.0.tgz")
    expect(second.output).not.toContain("$ git commit")
  }, 120_000)
})
