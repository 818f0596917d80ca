/** What a page of the documentation is on the site: its title, its description, its text with links that lead on. */

/** A page by the parts that a reader sees before its text. */
export interface Parts {
  readonly title: string
  /** Its first sentences as plain text, for search engines and lists. */
  readonly description: string
  /** All but the title. */
  readonly body: string
}

/** Markdown without its marks. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll(/[*`\\]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()

const isParagraph = (block: string): boolean => block !== "" && !/^(?:[#|>!<-]|\d+\.)/.test(block)

/** The sentences of a paragraph. A colon before an example ends one too. */
const sentencesOf = (paragraph: string): ReadonlyArray<string> =>
  plain(paragraph)
    .replace(/:$/, ".")
    .split(/(?<=[.!?]\)?) /)
    .filter((sentence) => /[.!?]\)?$/.test(sentence))

/** The longest description of two sentences. One sentence may be longer: it is whole. */
const longest = 200

/** What a text says first: a sentence, or two that are short. Empty if it has none. */
export const descriptionOf = (text: string): string => {
  const blocks = text.replaceAll(/^( *)(`{3,})[\s\S]*?^\1\2 *$/gm, "").split(/\n{2,}/)
  const paragraphs = blocks.map((block) => block.trim()).filter(isParagraph)
  const [first = "", second = ""] = paragraphs.map(sentencesOf).find(({ length }) => length > 0) ?? []
  const both = `${first} ${second}`.trim()
  return both.length <= longest ? both : first
}

/** Takes a page apart. Its first line is its title. */
export const partsOf = (text: string): Parts => {
  const [, title, body = ""] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? []
  if (title === undefined) throw new Error(`a page begins without a title: ${text.slice(0, 80)}`)
  return { title: plain(title), description: descriptionOf(body), body: body.trimStart() }
}

/** Fenced blocks and code within a line: what stands in them is no link. */
const code = /^( *)(`{3,})[\s\S]*?^\1\2 *$|`+[^`\n]*`+/gm

/** Stands for the code of a link's text while the link is looked at. */
const placeholder = /\uE000(\d+)\uE001/g

/** The text with the targets of its links and images changed; undefined leaves the link's text alone. */
export const relinked = (text: string, target: (old: string) => string | undefined): string => {
  const kept: Array<string> = []
  const hidden = text.replaceAll(code, (match) => `\uE000${kept.push(match) - 1}\uE001`)
  return hidden
    .replaceAll(/(!?)\[([^\]]*)\]\(([^()\s]+)\)/g, (whole, mark: string, label: string, old: string) => {
      if (/^(?:https?|mailto):/.test(old)) return whole
      const to = target(old)
      return to === undefined ? label : `${mark}[${label}](${to})`
    })
    .replaceAll(placeholder, (_, index: string) => kept[Number(index)] ?? "")
}

/** Diagrams as elements that the site's script draws. */
export const drawn = (text: string): string =>
  text.replaceAll(
    /^```mermaid\n([\s\S]*?)^```$/gm,
    (_, source: string) =>
      `<pre class="mermaid">\n${source.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}</pre>`
  )

/** The anchors of a page's headings. Of those with one text, all but the first have a number. */
export const anchorsIn = (text: string): ReadonlySet<string> => {
  const anchors = new Set<string>()
  for (const [, heading = ""] of text
    .replaceAll(code, (match) => match.replaceAll("#", ""))
    .matchAll(/^#+ (.+)$/gm)) {
    const slug = plain(heading)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-")
    let [anchor, count] = [slug, 0]
    while (anchors.has(anchor)) anchor = `${slug}-${++count}`
    anchors.add(anchor)
  }
  return anchors
}
