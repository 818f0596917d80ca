// Where the project is published: the one place that knows it. `npm run forge -- --set owner/name` writes it into every file
// that needs it, and --check says whether they agree. Until the project has a home, it is the placeholder.
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { importSource } from "./sources.mjs"

const root = new URL("../", import.meta.url)

/** No release is made from here. */
export const placeholder = "your-organisation/quartet"

/** The repository of a manifest, as `owner/name`. */
export const repositoryOf = (text) =>
  /github\.com\/([\w.-]+\/[\w.-]+?)\.git$/.exec(JSON.parse(text).repository?.url ?? "")?.[1]

/** The manifest of a package with what it says of its home. */
const manifestOf = (folder) => (text, home) => {
  const [owner, name] = home.split("/")
  const { bugs, homepage, license, repository, ...rest } = JSON.parse(text)
  const { description, keywords, name: own, version, ...more } = rest
  const directory = folder === "." ? {} : { directory: folder }
  const manifest = {
    name: own,
    version,
    description,
    keywords,
    homepage: `https://${owner}.github.io/${name}/`,
    bugs: { url: `https://github.com/${home}/issues` },
    repository: { type: "git", url: `git+https://github.com/${home}.git`, ...directory },
    license,
    ...more
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

/** A page with the addresses of its links and pictures: npm leads no relative one of a package's README to its file. */
const pageOf = (text, home) =>
  text.replaceAll(
    /(https:\/\/(?:raw\.githubusercontent\.com|github\.com))\/[\w.-]+\/[\w.-]+(?=\/(?:main|blob)\/)/g,
    `$1/${home}`
  )

const inFolder = (folder, file) => (folder === "." ? file : `${folder}/${file}`)

/** The files that name the repository, each with what it is then: the manifest and the README of every package that is published, and a page of the forge. */
const filesOf = (published) => ({
  ...Object.fromEntries(
    published.flatMap(({ folder }) => [
      [inFolder(folder, "package.json"), manifestOf(folder)],
      [inFolder(folder, "README.md"), pageOf]
    ])
  ),
  ".github/ISSUE_TEMPLATE/config.yml": (text, home) =>
    text.replaceAll(/https:\/\/github\.com\/[\w.-]+\/[\w.-]+/g, `https://github.com/${home}`)
})

const isCheck = process.argv.includes("--check")
const repository = process.argv.includes("--set")
  ? process.argv[process.argv.indexOf("--set") + 1]
  : undefined

const main = async () => {
  if (!isCheck && !/^[\w.-]+\/[\w.-]+$/.test(repository ?? "")) {
    console.error("Pass --set owner/name, or --check.")
    process.exitCode = 2
    return
  }
  const { published } = await importSource("packages/support/workspaces.ts")
  const home = repository ?? repositoryOf(readFileSync(new URL("package.json", root), "utf8")) ?? placeholder
  for (const [file, write] of Object.entries(filesOf(published))) {
    const url = new URL(file, root)
    const text = readFileSync(url, "utf8")
    if (write(text, home) === text) continue
    if (isCheck) {
      console.error(
        `${file} names another repository than package.json: run \`npm run forge -- --set ${home}\`.`
      )
      process.exitCode = 1
    } else {
      writeFileSync(url, write(text, home))
      console.info(`written: ${file}`)
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
