/** Programs of the packages' users: compiled and bundled against their sources. */
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { transform } from "esbuild"
import { root } from "./files.js"
import { entriesOf, published } from "./workspaces.js"

/** The names under which programs import the packages, each with its source. */
const own = Object.fromEntries(
  published.flatMap(entriesOf).map(({ name, source }) => [name, [join(root, source)]])
)

/** Files of code with their names. */
export type Files = ReadonlyArray<readonly [file: string, code: string]>

/** Lays files out in a folder of the project's, where they find the packages' sources; answers the folder. */
export const layOut = async (files: Files): Promise<string> => {
  await mkdir(join(root, ".cache"), { recursive: true })
  const folder = await mkdtemp(join(root, ".cache/examples-"))
  // An app of Next names its own modules so.
  const next = {
    "next/headers": [join(root, "test/docs/next.ts")],
    "@/*": [join(folder, "guides/start-next/*.ts"), join(folder, "guides/start-next/*.tsx")]
  }
  const paths = { ...own, ...next }
  const config = {
    extends: "../../tsconfig.json",
    compilerOptions: { paths },
    include: ["**/*.ts", "**/*.tsx"]
  }
  for (const [file, code] of [["tsconfig.json", JSON.stringify(config)] as const, ...files]) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), code)
  }
  return folder
}

/** Whether a program runs on the oldest Node, once its types are gone: none of its syntax has to be translated. */
export const isPlain = async (code: string, loader: "ts" | "tsx" = "ts"): Promise<boolean> => {
  const [kept, lowered] = await Promise.all(
    ["esnext", "node20.19"].map((target) => transform(code, { loader, target, jsx: "preserve" }))
  )
  return kept?.code === lowered?.code
}

/** What the compiler says of files, by their names and their code. */
export const compile = async (files: Files): Promise<string> => {
  const folder = await layOut(files)
  const compiler = join(root, "node_modules/typescript/bin/tsc")
  const args = [compiler, "--noEmit", "--pretty", "false", "-p", join(folder, "tsconfig.json")]
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: root, maxBuffer: 16 * 1024 * 1024 }, (_, stdout, stderr) =>
      resolve(stdout + stderr)
    )
  })
  await rm(folder, { recursive: true, force: true })
  return said
}
