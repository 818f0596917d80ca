// Each example of the React guide compiles, under the package's own names.
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { root } from "@quartet/support/files.js"
import { patient } from "@quartet/support/patience.js"
import { expect, test } from "vitest"

/** The examples by their file names, which stand in their first lines. */
const examples = async (): Promise<ReadonlyArray<readonly [name: string, code: string]>> => {
  const text = await readFile(join(root, "docs/react.md"), "utf8")
  const blocks = text.matchAll(/```tsx\n\/\/ (\S+)\n([\s\S]*?)```/g)
  return [...blocks].map(([, name = "", code = ""]) => [name, code])
}

const compile = (project: string) =>
  new Promise<string>((resolve) => {
    const args = [join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", project]
    execFile(process.execPath, args, { cwd: root, maxBuffer: 16 * 1024 * 1024 }, (_, stdout, stderr) =>
      resolve(stdout + stderr)
    )
  })

test("every example of the guide compiles", { timeout: patient(120_000) }, async () => {
  const samples = await examples()
  const names =
    "client.ts request.tsx seen.tsx requests.tsx session.tsx tabs.tsx chat.tsx suspense.tsx live.tsx desk.tsx devtools.tsx server.tsx stream.tsx test.ts"
  expect(samples.map(([name]) => name)).toEqual(names.split(" "))
  await mkdir(join(root, ".cache"), { recursive: true })
  const folder = await mkdtemp(join(root, ".cache/react-guide-"))
  try {
    for (const [name, code] of samples) await writeFile(join(folder, name), code)
    const config = {
      extends: join(root, "tsconfig.json"),
      include: ["*.ts", "*.tsx"]
    }
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config))
    expect(await compile(join(folder, "tsconfig.json"))).toBe("")
    await writeFile(join(folder, "wrong.tsx"), `import { client } from "./client.js"\nclient.query("no")\n`)
    expect(await compile(join(folder, "tsconfig.json"))).toContain("TS2345")
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
