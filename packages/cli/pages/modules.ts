/**
 * The module that says how the platform differs, as a page loads it: its text, and that of the files beside it which it imports. A
 * page finds no other packages.
 */
import { dirname, extname, relative, resolve, sep } from "node:path"
import * as Effect from "effect/Effect"
import { codes, Problem } from "../exit.js"
import * as Files from "../files.js"
import type { Place } from "../platform.js"

/** The one package that a page has for it. */
const sdk = "@quartet/sdk/platform"

/** Where the modules are served. */
const prefix = "/quartet.platform/"

/** Comments, and the texts that may look like them. */
const comments = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g

/** Imports, by what they name. */
const imports =
  /(?:^|[;}])[^\S\n]*(?:import|export)\b[^"'`;=]*?\bfrom\s*["']([^"'\n]+)["']|(?:^|[;}])[^\S\n]*import\s*["']([^"'\n]+)["']|\bimport\s*\(\s*["']([^"'\n]+)["']/gm

/** What a module imports. What this does not see, the page says when it loads it. */
const importsOf = (text: string): ReadonlyArray<string> =>
  [...text.replaceAll(comments, (_, kept: string | undefined) => kept ?? " ").matchAll(imports)].flatMap(
    ([, ...names]) => names.find((name) => name !== undefined) ?? []
  )

/** What a page is served for such a module. */
export interface Served {
  /** The path of the module itself. */
  readonly entry: string
  /** Texts by their paths. */
  readonly modules: ReadonlyMap<string, string>
}

const isJavaScript = (path: string): boolean => [".js", ".mjs"].includes(extname(path))

/** Reads the module and what it imports. Fails where a page could not load it. */
export const read = ({ file, path: entry }: Place): Effect.Effect<Served, Problem> =>
  Effect.gen(function* () {
    const folder = dirname(entry)
    const urlOf = (path: string): string => encodeURI(prefix + relative(folder, path).split(sep).join("/"))
    const refuse = (path: string, message: string): Problem =>
      new Problem({
        message: `${path === entry ? file : `${file} imports ${relative(folder, path)}, which`} ${message}`,
        next: `Have it import ${sdk} alone, and .js or .mjs files of its own folder: the console runs it in a page.`,
        code: codes.usage
      })
    const modules = new Map<string, string>()
    const waiting = [entry]
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (modules.has(urlOf(path))) continue
      if (!isJavaScript(path)) return yield* refuse(path, "is no .js or .mjs file")
      const text = yield* Files.need(path)
      modules.set(urlOf(path), text)
      for (const name of importsOf(text)) {
        if (name === sdk) continue
        if (!/^\.{1,2}\//.test(name))
          return yield* refuse(path, `imports ${name}, which a page does not have`)
        const next = resolve(dirname(path), name)
        if (relative(folder, next).startsWith(".."))
          return yield* refuse(path, `imports ${name}, outside its folder`)
        waiting.push(next)
      }
    }
    return { entry: urlOf(entry), modules }
  })
