// Each example of the React guide compiles, under the package's own names.
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** The examples by their file names, which stand in their first lines. */
const examples = async (): Promise<ReadonlyArray<readonly [name: string, code: string]>> => {
  const text = await readFile(join(root, "docs/react.md"), "utf8")
  return [...text.matchAll(/```tsx\n\/\/ (\S+)\n([\s\S]*?)```/g)].map(([, name = "", code = ""]) => [
    name,
    code
  ])
}

/** Where the package's entrances lead while it is not built. */
const paths = async (): Promise<Record<string, ReadonlyArray<string>>> => {
  const { exports } = JSON.parse(await readFile(join(root, "package.json"), "utf8"))
  const entries = Object.entries<{ readonly types?: string } | string>(exports)
  return Object.fromEntries(
    entries.flatMap(([name, target]) =>
      typeof target === "string" || target.types === undefined
        ? []
        : [
            [
              `@quartet/sdk${name.slice(1)}`,
              [join(root, target.types.replace("./dist/", "").replace(/\.d\.ts$/, ".ts"))]
            ] as const
          ]
    )
  )
}

const compile = (project: string) =>
  new Promise<string>((resolve) => {
    const args = [join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", project]
    execFile(process.execPath, args, { cwd: root, maxBuffer: 16 * 1024 * 1024 }, (_, stdout, stderr) =>
      resolve(stdout + stderr)
    )
  })

test("every example of the guide compiles", { timeout: 120_000 }, async () => {
  const found = await examples()
  expect(found.map(([name]) => name)).toEqual([
    "client.ts",
    "request.tsx",
    "seen.tsx",
    "requests.tsx",
    "session.tsx",
    "chat.tsx",
    "server.tsx",
    "test.ts"
  ])
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
    expect(await compile(join(folder, "tsconfig.json"))).toContain("TS2769")
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
