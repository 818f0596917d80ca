/** The documentation that comes with the package: its pages by sections, found by words. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Either from "effect/Either"
import { Failure } from "./failure.js"
import { part, type Reply } from "./text.js"
import { query, scoreOf } from "./words.js"

/** A part of a page, from its heading to the next. */
interface Section {
  /** `docs/errors.md#mistakes-that-types-would-have-caught` */
  readonly id: string
  readonly heading: string
  readonly title: string
  readonly text: string
}

/** The pages about working with the SDK. Those of all calls are what `search` and `describe` answer. */
const folders = ["", "docs", "docs/guides"]
const others = new Set(["CHANGELOG.md", "CONTRIBUTING.md", "docs/calls.md", "docs/specification.md"])

/** The folder of the package that holds this file, built or not. */
const packageRoot = (from: string): string => {
  const manifest = join(from, "package.json")
  const isOwn = existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name === "@quartet/sdk"
  const above = join(from, "..")
  return isOwn || above === from ? from : packageRoot(above)
}

/** The anchor of a heading, as browsers and forges make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-")

const sectionsOf = (file: string, page: string): ReadonlyArray<Section> => {
  const sections: Array<{ heading: string; readonly lines: Array<string> }> = []
  let isCode = false
  for (const line of page.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode
    const [, heading] = isCode ? [] : (/^#{1,3} (.+)$/.exec(line) ?? [])
    if (heading !== undefined || sections.length === 0) sections.push({ heading: heading ?? file, lines: [] })
    sections.at(-1)?.lines.push(line)
  }
  const title = sections[0]?.heading ?? file
  return sections.map(({ heading, lines }) => ({
    id: `${file}#${anchorOf(heading)}`,
    heading,
    title,
    text: lines.join("\n").trim()
  }))
}

const read = (root: string): ReadonlyArray<Section> =>
  folders.flatMap((folder) => {
    if (!existsSync(join(root, folder))) return []
    const files = readdirSync(join(root, folder)).filter((name) => name.endsWith(".md"))
    return files
      .map((name) => (folder === "" ? name : `${folder}/${name}`))
      .filter((file) => !others.has(file))
      .flatMap((file) => sectionsOf(file, readFileSync(join(root, file), "utf8")))
  })

/** What `docs` is asked for. */
export interface Question {
  readonly words: string
  /** A page or a section by its id. */
  readonly page: string | undefined
  readonly from: number
}

const pageOf = ({ id }: Section): string => id.split("#")[0] ?? id

const excerpt = (text: string): string => {
  const prose = text.split("\n").slice(1).join(" ").replaceAll(/\s+/g, " ").trim()
  return prose.length > 240 ? `${prose.slice(0, 240)}…` : prose
}

const mostFound = 8

/** Answers from the pages, which are read at the first question. */
export const make = () => {
  let known: ReadonlyArray<Section> | undefined
  return ({ from, page, words }: Question): Either.Either<Reply, Failure> => {
    known ??= read(packageRoot(fileURLToPath(new URL(".", import.meta.url))))
    const sections = known
    if (page !== undefined) {
      const pageSections = sections.filter(({ id }) => id === page || id.startsWith(`${page}#`))
      if (pageSections.length > 0)
        return Either.right(part(pageSections.map(({ text }) => text).join("\n\n"), from))
      const message = `There is no page ${page}.`
      return Either.left(
        new Failure({ message, advice: "Call `docs` without arguments for the list of pages." })
      )
    }
    const wantedWords = query(words)
    if (wantedWords.length === 0) {
      const pages = new Map(sections.map((section) => [pageOf(section), section.title] as const).reverse())
      return Either.right({ text: JSON.stringify(Object.fromEntries([...pages].reverse()), undefined, 1) })
    }
    const matches = sections
      .map((section) => ({
        section,
        score: scoreOf(wantedWords, [
          [section.heading, 8],
          [section.title, 3],
          [section.text, 2]
        ])
      }))
      .filter(({ score }) => score > 0)
      .sort((left, right) => right.score - left.score)
    // The best section of each page: the sections of a long one would leave no room for others.
    const best = matches.filter(
      ({ section }, at) => matches.findIndex((match) => pageOf(match.section) === pageOf(section)) === at
    )
    const texts = best.slice(0, mostFound).map(({ section: { heading, id, text, title } }) =>
      JSON.stringify({
        page: id,
        title: heading === title ? title : `${title}: ${heading}`,
        excerpt: excerpt(text)
      })
    )
    return Either.right({
      text: `[${texts.map((line) => `\n${line}`).join(",")}\n]`,
      note: 'Read one with "page".'
    })
  }
}
