/** What differs between two texts of a written module, by the names that they export. */

/** An export that was added, removed or changed, with the lines that make the difference. @category models */
export interface Change {
  readonly name: string
  readonly kind: "added" | "removed" | "changed"
  /** Lines that only the one or the other has, with `-` or `+` before them. */
  readonly lines: ReadonlyArray<string>
}

const blocksOf = (text: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const blocks = new Map<string, ReadonlyArray<string>>()
  for (const block of text.split(/\n{2,}/)) {
    const [, kind, name = "the imports"] =
      /^(?:export )?(?:declare )?(interface|type|const|module) ([^\s:={]+)/m.exec(block) ?? []
    // An interface and a schema have one name; a line of both is one of the whole.
    blocks.set(name, [
      ...(blocks.get(name) ?? []),
      ...block.split("\n").filter((line) => kind === undefined || line !== "")
    ])
  }
  return blocks
}

/** The changes from one text to another; none where both say the same. @category getters */
export const changes = (before: string, after: string): ReadonlyArray<Change> => {
  const [old, now] = [blocksOf(before.replaceAll("\r\n", "\n")), blocksOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name): ReadonlyArray<Change> => {
    const [was, is] = [old.get(name), now.get(name)]
    if (was === undefined) return [{ name, kind: "added", lines: [] }]
    if (is === undefined) return [{ name, kind: "removed", lines: [] }]
    const lines = [
      ...was.filter((line) => !is.includes(line)).map((line) => `- ${line.trim()}`),
      ...is.filter((line) => !was.includes(line)).map((line) => `+ ${line.trim()}`)
    ]
    return was.join("\n") === is.join("\n") ? [] : [{ name, kind: "changed", lines }]
  })
}
