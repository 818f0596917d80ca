/** All operations with their docstrings and files, found in core, so that nothing is listed twice. */
import { basename, dirname, join, posix } from "node:path"
import { filesIn, read, root } from "@quartet/support/files.js"
import { type Declared, Operation } from "../../core/kernel/operation/operation.js"
import { fitting } from "./written.js"

/** An operation in the source that declares it. */
export interface Found {
  readonly operation: Operation<never, unknown, never>
  readonly name: string
  readonly declared: Declared
  /** `core/requests/operations.ts` */
  readonly file: string
  readonly exported: string
  /** The types of its input and its answer, as written in the source. */
  readonly types: readonly [input: string, answer: string]
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

/** The first two arguments of the type that a source gives an operation. */
const typesOf = (file: string, exported: string): Found["types"] => {
  const [, text = ""] = new RegExp(`export const ${exported}: Operation<([^=]*)> =`).exec(read(file)) ?? []
  let depth = 0
  const parts = [""]
  for (const character of text.replaceAll(/\s+/g, " ")) {
    depth += "<{[(".includes(character) ? 1 : ">}])".includes(character) ? -1 : 0
    if (character === "," && depth === 0) parts.push("")
    else parts[parts.length - 1] += character
  }
  const [input = "", answer = ""] = parts.map((part) => part.trim())
  if (input === "" || answer === "") throw new Error(`${file}: ${exported} states no type`)
  return [input, answer]
}

/** Names that a file takes from the sources of operations. */
export interface Imports {
  /** By their modules. */
  readonly named: ReadonlyMap<string, ReadonlyArray<string>>
  readonly statements: ReadonlyArray<string>
}

const imports = /^import (?:type )?(?:\* as (\w+)|\{([^}]*)\}) from "(\.[^"]+)"/gm

/** The imports of what the types of operations name, for a file in a folder of clients. */
export const importsFor = (operations: ReadonlyArray<Pick<Found, "file" | "types">>): Imports => {
  const named = new Map<string, ReadonlyArray<string>>()
  const whole = new Set<string>()
  for (const { file, types } of operations) {
    const used: ReadonlyArray<string> = types.join(" ").match(/(?<![.\w"])[A-Z]\w*/g) ?? []
    for (const [, all = "", some = "", from = ""] of read(file).matchAll(imports)) {
      const path = `../../${posix.join(posix.dirname(file), from)}`
      if (used.includes(all)) whole.add(`import type * as ${all} from "${path}"`)
      const names = some.split(",").map((name) => name.trim().replace(/^type /, ""))
      const imported = [...(named.get(path) ?? []), ...names.filter((name) => used.includes(name))]
      if (imported.length > 0)
        named.set(
          path,
          [...new Set(imported)].sort((left, right) => left.localeCompare(right, "en"))
        )
    }
  }
  const statements = Array.from(named, ([path, names]) =>
    fitting("import type {", names, `} from "${path}"`, " ")
  )
  return { named, statements: [...whole, ...statements] }
}

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
              types: typesOf(file, exported),
              docstring,
              summary: textOf(docstring)
            }
          ]
        })
      )
  )
)
  .flat()
  .sort((left, right) => left.file.localeCompare(right.file) || place(left) - place(right))
