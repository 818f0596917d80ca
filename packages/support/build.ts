/** The package is built before the slow tests begin: several of them lay it out or pack it at the same time. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { root } from "./files.js"

export default (): void => {
  execFileSync(process.execPath, [join(root, "tools/build.mjs")], { stdio: "inherit" })
}
