/** A registry of the repository's own packages, as they are packed: package managers install them by their names, like all others. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { Packed } from "./packed.js"
import { listen } from "./servers.js"

const manifestIn = (tarball: string): object =>
  JSON.parse(execFileSync("tar", ["-xOzf", tarball, "package/package.json"], { encoding: "utf8" }))

/** Serves packed packages until it is closed: `.npmrc` names its address for the scope `@quartet`. */
export const serveRegistry = async (packages: ReadonlyArray<Packed>) => {
  const manifests = new Map(packages.map(({ name, path }) => [name, manifestIn(path)]))
  const time = "2026-01-01T00:00:00.000Z"
  const server = createServer(({ headers, url = "" }, response) => {
    const path = decodeURIComponent(url).slice(1)
    const tarball = packages.find(({ filename, name }) => path === name || path === filename)
    if (tarball === undefined) {
      response.statusCode = 404
      response.end("{}")
    } else if (path === tarball.filename) response.end(readFileSync(tarball.path))
    else {
      const { filename, integrity, name, shasum, version } = tarball
      const dist = { tarball: `http://${headers.host}/${filename}`, integrity, shasum }
      response.setHeader("content-type", "application/json")
      response.end(
        JSON.stringify({
          name,
          "dist-tags": { latest: version },
          versions: { [version]: { ...manifests.get(name), dist } },
          time: { created: time, modified: time, [version]: time }
        })
      )
    }
  })
  return listen(server)
}
