/** The samples of a page as what they are to its reader: programs, commands, and what both print. */
import { filesIn } from "@quartet/support/files.js"
import { type Block, blocksIn } from "./markdown.js"

/** The pages whose samples are compiled and run. */
export const pages = ["README.md", "AGENTS.md", ...filesIn("docs").filter((file) => file.endsWith(".md"))]

/** What a fence may say of a sample that is not run to its end. There are no other reasons. */
const reasons = [
  "", // it is run to its end
  "endless", // it is stopped once it has sent something, and printed what the page says
  "foreign", // the code of another library, beside ours: it is not compiled
  "example=" // it stands in the file that follows, below `examples`, which are installed and run
]

/** One program: a sample that imports, and those below it that go on from it. */
export interface Program {
  readonly page: string
  /** Below a folder with the name of its page. */
  readonly file: string
  readonly line: number
  /** Each line stands where it stands on the page, so that the compiler names the page's lines. */
  readonly code: string
  readonly isEndless: boolean
  /** What it prints: the blocks of `text` below it, in which `…` stands for anything. */
  readonly prints: Array<string>
}

/** The commands of one block. */
export interface Session {
  readonly page: string
  readonly line: number
  readonly commands: ReadonlyArray<string>
  readonly prints: Array<string>
}

/** A sample that stands in an example. */
export interface Quotation {
  readonly page: string
  readonly line: number
  readonly file: string
  readonly code: string
}

export interface Samples {
  readonly programs: ReadonlyArray<Program>
  readonly sessions: ReadonlyArray<Session>
  readonly quotations: ReadonlyArray<Quotation>
  /** Fences with another reason than those that there are. */
  readonly unknown: ReadonlyArray<string>
}

const isCode = ({ language }: Block): boolean => /^(tsx?|jsx?|mjs|typescript|javascript)$/.test(language)
const isShell = ({ language }: Block): boolean => /^(sh|bash|shell|console)$/.test(language)
const nameOf = (code: string): string | undefined => /^\/\/ ([\w-]+\.tsx?)\n/.exec(code)?.[1]

/** The commands of a shell, without comments; one that goes on in the next line (`\`) is one. */
const commandsOf = (code: string): ReadonlyArray<string> =>
  code
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "")

/** Code at its line, below what stands above it. */
const at = (line: number, code: string, above = ""): string =>
  above + "\n".repeat(line + 1 - above.split("\n").length) + code

/**
 * The samples of a page. One that imports stands alone; one that does not goes on from the one above it. One that begins
 * with the name of a file (`// kit.ts`) is that file, and the others of its page may import it.
 */
export const samplesIn = (page: string, text: string): Samples => {
  const programs: Array<Program> = []
  const sessions: Array<Session> = []
  const quotations: Array<Quotation> = []
  const unknown: Array<string> = []
  const folder = page.replace(/^docs\//, "").replace(/\.md$/, "")
  let prints: Array<string> | undefined
  for (const block of blocksIn(text).blocks) {
    const { code, language, line, note } = block
    if (language === "text") prints?.push(code)
    if (!isCode(block) && !isShell(block)) continue
    prints = undefined
    const [reason = "", file = ""] = note.split(/(?<==)/)
    const last = programs.at(-1)
    if (!reasons.includes(reason) || (isShell(block) && reason !== ""))
      unknown.push(`${page}:${line} ${note}`)
    else if (isShell(block)) {
      prints = []
      sessions.push({ page, line, commands: commandsOf(code), prints })
    } else if (reason === "example=") quotations.push({ page, line, file, code })
    else if (reason === "foreign") continue
    else if (last !== undefined && nameOf(code) === undefined && !/^import /m.test(code)) {
      prints = last.prints
      const isEndless = last.isEndless || reason === "endless"
      programs.splice(-1, 1, { ...last, code: at(line, code, last.code), isEndless })
    } else {
      prints = []
      const name = `${folder}/${nameOf(code) ?? `line-${line}.${language}`}`
      programs.push({ page, file: name, line, code: at(line, code), isEndless: reason === "endless", prints })
    }
  }
  return { programs, sessions, quotations, unknown }
}

/**
 * Where an output does not hold, in their order, the lines that a page says; undefined if it does. A block without words
 * says that nothing is printed.
 */
export const missingOf = (output: string, prints: ReadonlyArray<string>): string | undefined => {
  let rest = output
  return prints.find((said) => {
    if (/^[\s…]*$/.test(said)) return output.trim() !== ""
    const pattern = said
      .trim()
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    const match = new RegExp(`^${pattern.join(".*")}$`, "m").exec(rest)
    rest = match === null ? "" : rest.slice(match.index + match[0].length)
    return match === null
  })
}
