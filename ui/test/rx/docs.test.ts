// Each example of the React guide compiles, under the package's own names.
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"
import { patient } from "@quartet/test-support/patience.js"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** The examples by their file names, which stand in their first lines. */
const examples = async (): Promise<ReadonlyArray<readonly [name: string, code: string]>> => {
  const text = await readFile(join(root, "docs/react.md"), "utf8")
  const blocks = text.matchAll(/```tsx\n\/\/ (\S+)\n([\s\S]*?)```/g)
  return [...blocks].map(([, name = "", code = ""]) => [name, code])
}

/** Where the package's entrances lead while it is not built. */
const paths = async (): Promise<Record<string, ReadonlyArray<string>>> => {
  const { exports } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))
  const types = Object.entries<{ readonly types?: string }>(exports).flatMap(([name, { types }]) =>
    types === undefined ? [] : [[name.slice(1), types.replace("./dist/", "")] as const]
  )
  const source = (file: string) => [join(root, file.replace(/\.d\.ts$/, ".ts"))]
  return Object.fromEntries(types.map(([name, file]) => [`@quartet/sdk${name}`, source(file)]))
}

const compile = (project: string) =>
  new Promise<string>((resolve) => {
    const args = [join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", project]
    execFile(process.execPath, args, { cwd: root, maxBuffer: 16 * 1024 * 1024 }, (_, stdout, stderr) =>
      resolve(stdout + stderr)
    )
  })

test("every example of the guide compiles", { timeout: patient(120_000) }, async () => {
  const found = await examples()
  const names =
    "client.ts request.tsx seen.tsx requests.tsx session.tsx tabs.tsx chat.tsx suspense.tsx live.tsx desk.tsx devtools.tsx server.tsx stream.tsx test.ts"
  expect(found.map(([name]) => name)).toEqual(names.split(" "))
  await mkdir(join(root, ".cache"), { recursive: true })
  const folder = await mkdtemp(join(root, ".cache/react-guide-"))
  try {
    for (const [name, code] of found) await writeFile(join(folder, name), code)
    const config = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: { paths: await paths() },
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
