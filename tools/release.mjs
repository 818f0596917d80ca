// `npm run release`: makes a release of what is on main, or with --dry-run everything of it but pushing and publishing, in a copy.
//
// It refuses a tree that is not committed, runs the checks and the tests, takes the version from the changesets and their
// texts into CHANGELOG.md, commits, tags and packs, then pushes and publishes with provenance. It can be started again after any
// step: what is tagged is only published.
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { placeholder, repositoryOf } from "./forge.mjs"

const root = process.cwd()
const isDry = process.argv.includes("--dry-run")
const groups = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]

class Refusal extends Error {}

const refuse = (why) => {
  throw new Refusal(why)
}

/** Runs a command and shows what it says. */
const run = (where, command, ...args) => {
  console.info(`\n$ ${[command, ...args].join(" ")}`)
  const { status } = spawnSync(command, args, { cwd: where, stdio: "inherit" })
  if (status !== 0) refuse(`this failed: ${[command, ...args].join(" ")}`)
}

/** What a command says. */
const ask = (where, command, ...args) => execFileSync(command, args, { cwd: where, encoding: "utf8" }).trim()

const read = (where, file) => readFileSync(join(where, file), "utf8")

const versionIn = (where) => JSON.parse(read(where, "package.json")).version

/** The changesets: the level of each, and its text. */
const changesetsIn = (where) =>
  readdirSync(join(where, ".changeset"))
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .sort()
    .map((file) => {
      const [, head = "", body = ""] =
        /^---\n([\s\S]*?)---\n([\s\S]*)$/.exec(read(where, join(".changeset", file))) ?? []
      return { level: /: *(major|minor|patch)/.exec(head)?.[1], text: body.trim() }
    })

/** A changeset's line and its group, which its first word names, or else its level. */
const lineOf = ({ level, text }) => {
  const [, word, rest] = /^(\w+): ([\s\S]*)$/.exec(text) ?? []
  const named = groups.includes(word)
  const group = named ? word : level === "patch" ? "Fixed" : level === "minor" ? "Added" : "Changed"
  const line = (named ? rest : text).replaceAll("\n", "\n  ")
  return { group, line: line.startsWith("- ") ? line : `- ${line}` }
}

/** The changelog with what was not released, and the changesets, under the version. */
const withRelease = (changelog, version, date, changesets) => {
  const title = "## [Unreleased]"
  const start = changelog.indexOf(title)
  if (start < 0) refuse(`CHANGELOG.md has no section ${title}`)
  const after = changelog.slice(start + title.length)
  const end = after.search(/^## \[/m)
  const [section, rest] = end < 0 ? [after, ""] : [after.slice(0, end), after.slice(end)]
  const held = new Map(
    section
      .split(/^### /m)
      .slice(1)
      .map((text) => {
        const [name = "", ...lines] = text.split("\n")
        return [name.trim(), lines.join("\n").trim()]
      })
  )
  for (const { group, line } of changesets.filter(({ text }) => text !== "").map(lineOf))
    held.set(group, [held.get(group), line].filter(Boolean).join("\n"))
  if (held.size === 0) refuse("nothing is noted for this release: write a changeset (`npx changeset`)")
  const order = [...groups, ...held.keys()].filter(
    (name, index, all) => held.has(name) && all.indexOf(name) === index
  )
  const text = order.map((name) => `### ${name}\n\n${held.get(name)}\n`).join("\n")
  return `${changelog.slice(0, start)}${title}\n\n## [${version}] - ${date}\n\n${text}${rest === "" ? "" : `\n${rest}`}`
}

/** Writes the version into the files that name it, and says which it is. */
const version = (where) => {
  const changesets = changesetsIn(where)
  if (changesets.length > 0) {
    run(where, process.execPath, fileURLToPath(import.meta.resolve("@changesets/cli/bin.js")), "version")
    const next = versionIn(where)
    const lock = JSON.parse(read(where, "package-lock.json"))
    lock.version = next
    lock.packages[""].version = next
    writeFileSync(join(where, "package-lock.json"), `${JSON.stringify(lock, undefined, 2)}\n`)
  }
  const date = new Date().toISOString().slice(0, 10)
  const changelog = withRelease(read(where, "CHANGELOG.md"), versionIn(where), date, changesets)
  writeFileSync(join(where, "CHANGELOG.md"), changelog)
  run(where, "npm", "run", "generate", "--if-present")
  return versionIn(where)
}

/** A copy of what is committed, with the packages that are installed here. */
const copy = (folder) => {
  const where = join(folder, "copy")
  const who = ["user.name", "user.email"].flatMap((key) => [
    "--config",
    `${key}=${ask(root, "git", "config", key)}`
  ])
  run(root, "git", "clone", "--quiet", ...who, root, where)
  symlinkSync(join(root, "node_modules"), join(where, "node_modules"))
  writeFileSync(join(where, ".git", "info", "exclude"), "node_modules\n")
  return where
}

const release = (folder) => {
  if (ask(root, "git", "status", "--porcelain") !== "")
    refuse("the tree is not clean: commit or remove what git status names")
  const home = repositoryOf(read(root, "package.json"))
  if (!isDry && ask(root, "git", "branch", "--show-current") !== "main") refuse("releases are made from main")
  if (!isDry && (home === undefined || home === placeholder))
    refuse("the project has no home yet: `npm run forge -- --set owner/name`")

  run(root, "npm", "run", "check")
  run(root, "npm", "test")

  const where = isDry ? copy(folder) : root
  const before = versionIn(where)
  const isTagged = ask(where, "git", "tag", "--points-at", "HEAD").split("\n").includes(`v${before}`)
  const next = isTagged ? before : version(where)
  if (!isTagged) {
    run(where, "git", "add", "--all")
    run(where, "git", "commit", "--quiet", "--message", `Release ${next}`)
    run(where, "git", "tag", "--annotate", `v${next}`, "--message", `Release ${next}`)
  }
  const [packed] = JSON.parse(
    ask(where, "npm", "pack", "--json", "--loglevel=error", "--pack-destination", folder)
  )
  console.info(`\n${packed.filename}: ${packed.entryCount} files, ${packed.size} bytes, ${packed.integrity}`)
  if (!isDry) run(where, "git", "push", "--atomic", "origin", "HEAD:main", `v${next}`)
  const publish = ["publish", join(folder, packed.filename), "--access", "public", "--provenance"]
  run(where, "npm", ...publish, ...(isDry ? ["--dry-run"] : []))
  console.info(
    isDry
      ? `\nA dry run: ${before} would become ${next}. Nothing was pushed or published.\n\n${ask(where, "git", "show", "--stat", "HEAD")}`
      : `\n${next} is published.`
  )
}

const folder = mkdtempSync(join(tmpdir(), "release-"))
try {
  release(folder)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(`\nNo release: ${error.message}.`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
