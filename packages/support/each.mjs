// Runs npm scripts one after the other, each to its end: one that fails hides nothing of the next. `node
// packages/support/each.mjs test:unit test:io -- ...args` hands the arguments to the last. Plain JavaScript, for npm to run.
import { spawnSync } from "node:child_process"

const commandLine = process.argv.slice(2)
const end = commandLine.indexOf("--")
const [scripts, args] = end < 0 ? [commandLine, []] : [commandLine.slice(0, end), commandLine.slice(end + 1)]

const failed = scripts.filter((script, at) => {
  const more = at === scripts.length - 1 && args.length > 0 ? ["--", ...args] : []
  const shell = process.platform === "win32"
  const { signal, status } = spawnSync("npm", ["run", script, ...more], { stdio: "inherit", shell })
  // Ctrl+C is meant for all of them.
  if (signal === "SIGINT" || status === 130) process.exit(130)
  return status !== 0
})
for (const script of failed) console.error(`failed script: ${script}`)
process.exitCode = failed.length > 0 ? 1 : 0
