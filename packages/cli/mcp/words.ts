/** How well texts match words. */

/** Words of questions that say nothing. */
const empty = new Set(
  "a an and are by do for from get how i in is it my of on or the to what which with".split(" ")
)

/** Forms of one word count as one: `requests`, `request`. */
const stem = (word: string): string => (word.length > 3 ? word.replace(/(?:ies|es|s)$/, "") : word)

/** The words of a text; of a name in camel case each part. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  (text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+|\d+/gu) ?? []).map((word) => stem(word.toLowerCase()))

const isAlike = (left: string, right: string): boolean =>
  Math.min(left.length, right.length) > 2 && (left.startsWith(right) || right.startsWith(left))

/** Words to look for; all of them, if none says anything. */
export const query = (text: string): ReadonlyArray<string> => {
  const words = wordsOf(text)
  const telling = words.filter((word) => !empty.has(word))
  return [...new Set(telling.length > 0 ? telling : words)]
}

/**
 * How well texts hold the words, each text by its weight: 0 where they hold none. A text that holds more of the words comes
 * before one that holds some of them often. Without words all texts are alike.
 */
export const scoreOf = (
  words: ReadonlyArray<string>,
  texts: ReadonlyArray<readonly [text: string, weight: number]>
): number => {
  if (words.length === 0) return 1
  const weighted = texts.map(([text, weight]) => [wordsOf(text), weight] as const)
  return words.reduce((sum, word) => {
    const best = weighted.map(([own, weight]) =>
      own.includes(word) ? weight : own.some((ownWord) => isAlike(word, ownWord)) ? weight / 2 : 0
    )
    const most = Math.max(...best)
    return most === 0 ? sum : sum + 100 + most
  }, 0)
}
