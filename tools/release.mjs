// `npm run release`: makes a release of what is on main, or with --dry-run everything of it but pushing and publishing.
//
// It refuses a tree that is not committed, a main that is behind its origin, and a version that is out; it runs the checks and the
// tests. In a copy it takes the version of all packages from the changesets and their texts into CHANGELOG.md, commits, tags, builds and
// packs; then it pushes, and publishes each package with provenance. Nothing is written here before the push, so it can be started again
// after any step: of a version that is tagged, the packages that the registry does not have are only published.
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { placeholder, repositoryOf } from "./forge.mjs"
import { importSource } from "./sources.mjs"
import { pack } from "./stage.mjs"

const { linkPackages } = await importSource("packages/support/link-packages.ts")
const { workspacesIn } = await importSource("packages/support/workspaces.ts")

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

/** How a command ends, and what it says. */
const tried = (where, command, ...args) => spawnSync(command, args, { cwd: where, encoding: "utf8" })

/** What a command says. */
const ask = (where, command, ...args) => {
  const { status, stderr, stdout } = tried(where, command, ...args)
  if (status !== 0) refuse(`this failed: ${[command, ...args].join(" ")}\n${stderr.trim()}`)
  return stdout.trim()
}

const read = (where, file) => readFileSync(join(where, file), "utf8")

/** The version of all packages: they go together. */
const versionIn = (where) => JSON.parse(read(where, "package.json")).version

/** The packages that are published. */
const packagesIn = (where) => workspacesIn(where).filter(({ manifest }) => manifest.private !== true)

const tagOf = (version) => `v${version}`

const isTagged = (where, version) => ask(where, "git", "tag", "--list", tagOf(version)) !== ""

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
  const line = (named ? rest : text)
    .split("\n")
    .map((part, at) => (at === 0 ? part : `  ${part}`.trimEnd()))
    .join("\n")
  return { group, line: line.startsWith("- ") ? line : `- ${line}` }
}

/** The changelog before the section of what was not released, that section by its groups with the changesets, and the rest. */
const noted = (changelog, changesets) => {
  const title = "## [Unreleased]"
  const start = changelog.indexOf(title)
  if (start < 0) refuse(`CHANGELOG.md has no section ${title}`)
  const after = changelog.slice(start + title.length)
  const end = after.search(/^## \[/m)
  const [section, rest] = end < 0 ? [after, ""] : [after.slice(0, end), after.slice(end)]
  const [loose = "", ...texts] = section.split(/^### /m)
  if (loose.trim() !== "") refuse(`${title} in CHANGELOG.md has lines before its first group`)
  const named = texts.map((text) => {
    const [name = "", ...lines] = text.split("\n")
    return [name.trim(), lines.join("\n").trim()]
  })
  const sections = new Map(named.filter(([, lines]) => lines !== ""))
  for (const { group, line } of changesets.filter(({ text }) => text !== "").map(lineOf))
    sections.set(group, [sections.get(group), line].filter(Boolean).join("\n"))
  if (sections.size === 0) refuse("nothing is noted for this release: write a changeset (`npx changeset`)")
  return { head: `${changelog.slice(0, start)}${title}`, sections, rest }
}

/** The changelog with what is noted under the version. */
const withRelease = ({ head, sections, rest }, version) => {
  const date = new Date().toISOString().slice(0, 10)
  const order = [...groups, ...sections.keys()].filter(
    (name, index, all) => sections.has(name) && all.indexOf(name) === index
  )
  const text = order.map((name) => `### ${name}\n\n${sections.get(name)}\n`).join("\n")
  return `${head}\n\n## [${version}] - ${date}\n\n${text}${rest === "" ? "" : `\n${rest}`}`
}

/** Whether a tag or a section of the changelog says that this version was released. */
const isReleased = (where, version) =>
  isTagged(where, version) || read(where, "CHANGELOG.md").includes(`\n## [${version}]`)

/** What is noted for the next release. Refuses if nothing is, or nothing that gives it a version of its own. */
const notesIn = (where) => {
  const changesets = changesetsIn(where)
  const notes = noted(read(where, "CHANGELOG.md"), changesets)
  const before = versionIn(where)
  if (isReleased(where, before) && changesets.every(({ level }) => level === undefined))
    refuse(`${before} is released already: write a changeset (\`npx changeset\`)`)
  return { changesets, notes }
}

/** Writes the next version into the files that name it, and says which it is. */
const version = (where) => {
  const { changesets, notes } = notesIn(where)
  if (changesets.length > 0)
    run(where, process.execPath, fileURLToPath(import.meta.resolve("@changesets/cli/bin.js")), "version")
  const next = versionIn(where)
  if (isReleased(where, next))
    refuse(`there is a ${next} already, a tag ${tagOf(next)} or a section of CHANGELOG.md`)
  const lock = JSON.parse(read(where, "package-lock.json"))
  lock.version = next
  for (const { folder } of packagesIn(where)) lock.packages[folder === "." ? "" : folder].version = next
  writeFileSync(join(where, "package-lock.json"), `${JSON.stringify(lock, undefined, 2)}\n`)
  writeFileSync(join(where, "CHANGELOG.md"), withRelease(notes, next))
  run(where, "npm", "run", "generate", "--if-present")
  return next
}

/** Whether the registry has this version. */
const isPublished = (where, { name, version }) => {
  const { status, stderr, stdout } = tried(where, "npm", "view", `${name}@${version}`, "version")
  if (status !== 0 && !stderr.includes("E404"))
    refuse(`the registry does not say whether ${name}@${version} is published:\n${stderr.trim()}`)
  return status === 0 && stdout.trim() !== ""
}

/** Who commits. */
const who = () =>
  ["user.name", "user.email"].map((key) => {
    const value = tried(root, "git", "config", key).stdout.trim()
    if (value === "") refuse(`git does not know who commits: \`git config ${key} …\``)
    return `${key}=${value}`
  })

/** Refuses where a push would be refused. */
const checkOrigin = () => {
  const [theirs = ""] = ask(root, "git", "ls-remote", "origin", "refs/heads/main").split(/\s/)
  if (theirs !== "" && tried(root, "git", "merge-base", "--is-ancestor", theirs, "HEAD").status !== 0)
    refuse("main is behind its origin: `git pull --tags`")
  const here = new Set(ask(root, "git", "tag").split("\n"))
  const tags = ask(root, "git", "ls-remote", "--tags", "--refs", "origin").split("\n").filter(Boolean)
  const missing = tags.map((line) => line.replace(/^.*refs\/tags\//, "")).filter((tag) => !here.has(tag))
  if (missing.length > 0)
    refuse(`these tags of its origin are not here: ${missing.join(", ")}: \`git fetch --tags\``)
}

/** A copy of what is committed, with the packages that are installed here. */
const copy = (folder, config) => {
  const where = join(folder, "copy")
  run(root, "git", "clone", "--quiet", ...config.flatMap((pair) => ["--config", pair]), root, where)
  linkPackages(root, where)
  writeFileSync(join(where, ".git", "info", "exclude"), "node_modules\n")
  return where
}

/** Pushes the commit and the tag of the copy, and takes them over. From here: a workflow's credentials are this repository's. */
const push = (where, tag) => {
  const commit = ask(where, "git", "rev-parse", `${tag}^{commit}`)
  const object = ask(where, "git", "rev-parse", tag)
  run(root, "git", "fetch", "--quiet", "--no-tags", where, `refs/tags/${tag}`)
  run(root, "git", "push", "--atomic", "origin", `${commit}:refs/heads/main`, `${object}:refs/tags/${tag}`)
  run(root, "git", "merge", "--quiet", "--ff-only", commit)
  run(root, "git", "update-ref", `refs/tags/${tag}`, object)
}

const release = (folder) => {
  if (ask(root, "git", "status", "--porcelain") !== "")
    refuse("the tree is not clean: commit or remove what git status names")
  const config = who()
  const before = versionIn(root)
  if (!isDry) {
    const home = repositoryOf(read(root, "package.json"))
    if (ask(root, "git", "branch", "--show-current") !== "main") refuse("releases are made from main")
    if (home === undefined || home === placeholder)
      refuse("the project has no home yet: `npm run forge -- --set owner/name`")
    checkOrigin()
  }
  // Only the publishing of some failed, or was not tried.
  const isLeft =
    isTagged(root, before) && packagesIn(root).some(({ manifest }) => !isPublished(root, manifest))
  if (!isLeft) notesIn(root)

  run(root, "npm", "run", "check")
  run(root, "npm", "test")
  run(root, "npm", "run", "test:release", "--if-present")

  const where = copy(folder, config)
  if (isLeft) run(where, "git", "checkout", "--quiet", tagOf(before))
  const next = isLeft ? before : version(where)
  if (!isLeft) {
    run(where, "git", "add", "--all")
    run(where, "git", "commit", "--quiet", "--message", `Release ${next}`)
    run(where, "git", "tag", "--annotate", tagOf(next), "--message", `Release ${next}`)
  }
  run(where, "npm", "run", "build", "--if-present")
  const missing = packagesIn(where).filter(({ manifest }) => !isLeft || !isPublished(where, manifest))
  const tarballs = missing.map(({ folder: from, manifest }) => {
    if (manifest.version !== next)
      refuse(`${manifest.name} is ${manifest.version}, and not ${next} like the others`)
    const packed = pack(from, join(folder, "packed"), where)
    const { entryCount, filename, integrity, size } = packed
    console.info(`${filename}: ${entryCount} files, ${size} bytes, ${integrity}`)
    return packed.path
  })
  if (!isDry && isLeft) run(root, "git", "push", "origin", `refs/tags/${tagOf(next)}`)
  if (!isDry && !isLeft) push(where, tagOf(next))
  for (const path of tarballs)
    run(root, "npm", "publish", path, "--access", "public", "--provenance", ...(isDry ? ["--dry-run"] : []))
  const would = isLeft ? "be published" : `become ${next}`
  console.info(
    isDry
      ? `\nA dry run: ${before} would ${would}. Nothing was pushed or published.\n\n${ask(where, "git", "show", "--stat", "HEAD")}`
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
