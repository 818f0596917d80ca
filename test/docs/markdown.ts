/** What a reader follows on a page: its headings, links, commands and examples. */

export interface Block {
  /** `ts`, `sh`, … */
  readonly language: string
  /** What the fence says after the language: `endless`, `example=…`. */
  readonly note: string
  readonly code: string
  /** The line on which it begins, from 1. */
  readonly line: number
}

/** The fenced blocks of a page, and the page without them. */
export const blocksIn = (text: string): { readonly blocks: ReadonlyArray<Block>; readonly prose: string } => {
  const blocks: Array<Block> = []
  const prose: Array<string> = []
  let open: (Omit<Block, "code"> & { readonly code: Array<string> }) | undefined
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^```(\w*) *(.*)$/.exec(line)
    if (open === undefined && fence === null) prose.push(line)
    else if (open === undefined)
      open = { language: fence?.[1] ?? "", note: fence?.[2] ?? "", line: index + 1, code: [] }
    else if (fence === null) open.code.push(line)
    else {
      blocks.push({ ...open, code: `${open.code.join("\n")}\n` })
      open = undefined
    }
  }
  return { blocks, prose: prose.join("\n") }
}

/** The targets of a page's links and images, without those of its code. */
export const linksIn = (text: string): ReadonlyArray<string> =>
  [
    ...blocksIn(text)
      .prose.replaceAll(/`[^`]*`/g, "")
      .matchAll(/\]\(([^()\s]+)\)/g)
  ].map(([, target = ""]) => target)

/** The anchors of a page: its headings as a reader's browser names them. */
export const anchorsIn = (text: string): ReadonlyArray<string> =>
  [...blocksIn(text).prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-")
  )

/** The project's files and folders that a page names, from the root or from `core`; `*` stands for any name. */
export const pathsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?<![\w/@.-])(?:core|kernel|adapters|clients|ui|tools|test|docs)\/[\w./*-]*[\w*]/g)].map(
    ([path]) => path
  )

/** The scripts that a page tells its reader to run: `npm run check`, `npm test`. */
export const scriptsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\bnpm (?:run ([\w:-]+)|(test|start)\b)/g)].map(([, run, short]) => run ?? short ?? "")

/** The programs, or the packages of one program, that a page tells its reader to run: `npx vitest`, `npx -y @quartet/cli`. */
export const programsIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\bnpx (?:-y )?((?:@[\w-]+\/)?\w[\w-]*)/g)].map(([, name = ""]) => name)
