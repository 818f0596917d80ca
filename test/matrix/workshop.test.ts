// The commands of the matrix and of the examples end, whatever they leave behind.
import { tmpdir } from "node:os"
import { expect, it } from "vitest"
import { execute, Unfinished } from "./workshop.js"

const cwd = tmpdir()

it.each([0, 1])("what a command leaves behind is ended, and is a failure: code %i", async (code) => {
  // It starts another one, which would hold its output far longer than a test may take.
  const program = `
    const args = ["-e", "setTimeout(() => undefined, 600_000)"]
    require("node:child_process").spawn(process.execPath, args, { stdio: "inherit" })
    console.log("left")
    process.exit(${code})`
  const left = execute(process.execPath, ["-e", program], { cwd, limit: 1_000 })
  await expect(left).rejects.toThrow(Unfinished)
  await expect(left).rejects.toThrow(/did not end within 1 s\nleft/)
})

it("a command that fails tells its code and what it wrote", async () => {
  const failing = execute(process.execPath, ["-e", "console.error('no'); process.exit(3)"], { cwd })
  await expect(failing).rejects.toThrow(/ended with 3\nno/)
})
