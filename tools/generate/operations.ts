/** All operations with their docstrings and files, found in core, so that nothing is listed twice. */
import { basename, dirname, join } from "node:path"
import { type Declared, Operation } from "../../core/kernel/operation/operation.js"
import { filesIn, read, root } from "../files.js"

/** An operation in the source that declares it. */
export interface Found {
  readonly operation: Operation<never, unknown, never>
  readonly name: string
  readonly declared: Declared
  /** `core/requests/operations.ts` */
  readonly file: string
  readonly exported: string
  /** Its docstring as written in the source, with comment marks. */
  readonly docstring: string
  /** The text of its docstring, on one line. */
  readonly summary: string
}

export const load = (file: string): Promise<Readonly<Record<string, unknown>>> =>
  import(/* @vite-ignore */ join(root, file))

const docstringOf = (file: string, exported: string): string =>
  new RegExp(`/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/(?=\\s*export const ${exported}\\b)`).exec(read(file))?.[0] ??
  ""

/** The text of a docstring, on one line. */
const textOf = (docstring: string): string =>
  docstring
    .slice("/**".length, -"*/".length)
    .replace(/\s*\n\s*\* ?/g, " ")
    .trim()

/** The docstring at the top of a file. */
export const headOf = (file: string): string => /^\/\*\*(?:(?!\*\/)[\s\S])*\*\//.exec(read(file))?.[0] ?? ""

const pascal = (words: string): string =>
  words.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The name by which a module of core is imported: of `operations.ts` and `model.ts` its folder's, else its own. */
export const moduleName = (file: string): string => {
  const own = basename(file, ".ts")
  return pascal(own === "operations" || own === "model" ? basename(dirname(file)) : own)
}

const place = ({ exported, file }: Found): number => read(file).indexOf(`export const ${exported}:`)

/** All operations, by the order of their files and of their declarations in them. */
export const operations: ReadonlyArray<Found> = (
  await Promise.all(
    filesIn("core")
      .filter((file) => /^core\/[a-z-]+\/[a-z-]+\.ts$/.test(file) && read(file).includes("Operation.make("))
      .map(async (file) =>
        Object.entries(await load(file)).flatMap(([exported, operation]): ReadonlyArray<Found> => {
          if (!Operation.isOperation(operation)) return []
          const docstring = docstringOf(file, exported)
          const declared = operation.declaration()
          return [
            {
              operation,
              name: operation.name,
              declared,
              file,
              exported,
              docstring,
              summary: textOf(docstring)
            }
          ]
        })
      )
  )
)
  .flat()
  .sort((one, other) => one.file.localeCompare(other.file) || place(one) - place(other))
