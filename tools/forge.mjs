// Where the project is published: the one place that knows it. `npm run forge -- --set owner/name` writes it into every file
// that needs it, and --check says whether they agree. Until the project has a home, it is the placeholder.
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const root = new URL("../", import.meta.url)
const manifest = "package.json"

/** No release is made from here. */
export const placeholder = "your-organisation/quartet"

const keywords =
  "api-client backend cms durable-jobs e-commerce effect headless mcp promise rate-limit react rest sdk tanstack-query typescript".split(
    " "
  )

/** The repository of a manifest, as `owner/name`. */
export const repositoryOf = (text) =>
  /github\.com\/([\w.-]+\/[\w.-]+?)\.git$/.exec(JSON.parse(text).repository?.url ?? "")?.[1]

/** The files that name the repository, each with what it is then. */
const files = {
  [manifest]: (text, home) => {
    const [owner, name] = home.split("/")
    const { license, ...rest } = JSON.parse(text)
    const { description, name: own, version } = rest
    const told = {
      name: own,
      version,
      description,
      keywords,
      homepage: `https://${owner}.github.io/${name}/`,
      bugs: { url: `https://github.com/${home}/issues` },
      repository: { type: "git", url: `git+https://github.com/${home}.git` },
      license
    }
    return `${JSON.stringify({ ...told, ...Object.fromEntries(Object.entries(rest).filter(([key]) => !(key in told))) }, undefined, 2)}\n`
  },
  ".github/ISSUE_TEMPLATE/config.yml": (text, home) =>
    text.replaceAll(/https:\/\/github\.com\/[\w.-]+\/[\w.-]+/g, `https://github.com/${home}`)
}

const isCheck = process.argv.includes("--check")
const given = process.argv.includes("--set") ? process.argv[process.argv.indexOf("--set") + 1] : undefined

const main = () => {
  if (!isCheck && !/^[\w.-]+\/[\w.-]+$/.test(given ?? "")) {
    console.error("Pass --set owner/name, or --check.")
    process.exitCode = 2
    return
  }
  const home = given ?? repositoryOf(readFileSync(new URL(manifest, root), "utf8")) ?? placeholder
  for (const [file, write] of Object.entries(files)) {
    const url = new URL(file, root)
    const text = readFileSync(url, "utf8")
    if (write(text, home) === text) continue
    if (isCheck) {
      console.error(
        `${file} names another repository than ${manifest}: run \`npm run forge -- --set ${home}\`.`
      )
      process.exitCode = 1
    } else {
      writeFileSync(url, write(text, home))
      console.info(`written: ${file}`)
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
