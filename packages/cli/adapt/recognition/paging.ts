/** How a page of a list is asked for, and what says that another one follows. */

import { readHint, urlOf } from "@quartet/sdk/extend"
import { idIn } from "./entities.js"
import {
  common,
  type Exchange,
  isId,
  isObject,
  isSuccess,
  nodes,
  split,
  valueAt,
  wordOf
} from "./exchange.js"
import { fields } from "./known.js"
import { type Line, nothing, type Recognised, type Value } from "./line.js"
import { type Listed, listed, readAlready, thingsIn } from "./lists.js"

/** Names of parameters by what they are, those that are tried first before the others. */
export const parameters = {
  page: [
    "page",
    "page_number",
    "pageNumber",
    "p",
    "page[number]",
    "pageNo",
    "page_no",
    "pageIndex",
    "page_index"
  ],
  offset: ["offset", "skip", "start", "from", "page[offset]", "startIndex", "start_index"],
  limit: [
    "limit",
    "per_page",
    "perPage",
    "page_size",
    "pageSize",
    "size",
    "take",
    "count",
    "first",
    "page[size]",
    "page[limit]",
    "max",
    "top",
    "rows"
  ],
  cursor: [
    "cursor",
    "after",
    "page_token",
    "pageToken",
    "next_token",
    "nextToken",
    "page[cursor]",
    "page[after]",
    "starting_after",
    "token",
    "next"
  ]
} as const

const relationOf = (link: string | undefined): string | undefined =>
  link
    ?.split(/,\s*(?=<)/)
    .map((part) => /^\s*<([^>]*)>(.*)$/.exec(part))
    .find((match) => match !== null && /;\s*rel="?[^"]*\bnext\b/i.test(match[2] ?? ""))?.[1]

const wordsOfNext = new Set([
  "next",
  "nextcursor",
  "endcursor",
  "nextpagetoken",
  "nexttoken",
  "nextpage",
  "nextpageurl",
  "nexturl",
  "nextlink",
  "cursor",
  "after",
  "continuation",
  "continuationtoken",
  "hasmore",
  "hasnext",
  "hasnextpage"
])

const isAddress = (value: unknown): value is string =>
  typeof value === "string" && /^(https?:\/\/|\/|\?|[\w./-]+\?)\S*$/.test(value)

/** What says that another page follows. */
export interface Next {
  readonly place: string | { readonly header: string }
  /** `flag`: it says no more than that. */
  readonly kind: "address" | "cursor" | "number" | "flag"
  readonly value: unknown
}

const kindOf = (value: unknown): Next["kind"] | undefined => {
  if (isAddress(value)) return "address"
  if (typeof value === "boolean") return "flag"
  if (typeof value === "number" || (typeof value === "string" && /^\d{1,6}$/.test(value))) return "number"
  return typeof value === "string" && value !== "" ? "cursor" : undefined
}

const rank: ReadonlyArray<Next["kind"]> = ["address", "cursor", "number", "flag"]

/** What an answer says of the next page, most telling first. */
export const nextIn = ({ body, headers }: Exchange): ReadonlyArray<Next> => {
  const inBody = nodes(Array.isArray(body) ? undefined : body, 4).flatMap(
    ({ name, path, value }): ReadonlyArray<Next> => {
      const [holder, last] = split(path)
      const isLink = wordOf(last) === "href" && wordOf(split(holder)[1]) === "next"
      if (!(isLink || wordsOfNext.has(wordOf(name)))) return []
      const kind = kindOf(value)
      return kind === undefined ? [] : [{ place: path, kind, value }]
    }
  )
  const link = relationOf(headers.link)
  const all: ReadonlyArray<Next> = [
    ...(link === undefined ? [] : [{ place: { header: "link" }, kind: "address" as const, value: link }]),
    ...inBody
  ]
  return [...all].sort((a, b) => rank.indexOf(a.kind) - rank.indexOf(b.kind))
}

/** The parameters of an address, which may be a part of one. */
export const queryOf = (address: string): Readonly<Record<string, string>> => {
  const url = urlOf(/^https?:/.test(address) ? address : `http://localhost/${address.replace(/^\/*/, "")}`)
  return Object.fromEntries(url?.searchParams ?? [])
}

/** A page of a list: what was asked, and the ids of what came. */
interface Page {
  readonly query: Readonly<Record<string, string>>
  readonly ids: string
  readonly count: number
  readonly answer: Listed
}

/** The things of a list's answer by their ids, as one text. */
export const idsOf = (body: unknown, id: string | undefined): string =>
  JSON.stringify(thingsIn(body).map((thing) => (id === undefined ? thing : thing[id])))

/** Pages of one list. The longest shows which field is the id: a page of one item has many that differ from no other. */
const pagesOf = (answers: ReadonlyArray<Listed>): ReadonlyArray<Page> => {
  const [longest] = [...answers].sort((a, b) => b.items.length - a.items.length)
  const id = longest && idIn(thingsIn(longest.body))
  return answers.map((answer) => ({
    query: answer.query,
    ids: idsOf(answer.body, id),
    count: answer.items.length,
    answer
  }))
}

const isOneOf = (names: ReadonlyArray<string>, name: string): boolean =>
  names.some((each) => wordOf(each) === wordOf(name))

/** Whether two requests ask the same but for these parameters. */
const isSameBut = (a: Page, b: Page, names: ReadonlyArray<string>): boolean =>
  [...new Set([...Object.keys(a.query), ...Object.keys(b.query)])].every(
    (name) => names.includes(name) || a.query[name] === b.query[name]
  )

const pairs = <A>(all: ReadonlyArray<A>): ReadonlyArray<readonly [A, A]> =>
  all.flatMap((a, at) => all.slice(at + 1).map((b) => [a, b] as const))

/** The parameter of `names` whose numbers lead to other items. */
const movedBy = (pages: ReadonlyArray<Page>, names: ReadonlyArray<string>): string | undefined => {
  for (const [a, b] of pairs(pages))
    for (const name of Object.keys({ ...a.query, ...b.query })) {
      const [left, right] = [a.query[name], b.query[name]]
      if (!isOneOf(names, name) || left === right || ![left, right].every((text = "0") => /^\d+$/.test(text)))
        continue
      if (a.count > 0 && b.count > 0 && a.ids !== b.ids && isSameBut(a, b, [name])) return name
    }
  return undefined
}

/** Whether numbers follow each other by a step, from 0 or 1 on. */
const isRow = (numbers: ReadonlyArray<number>, step: number): boolean =>
  (numbers[0] === 0 || numbers[0] === 1) &&
  numbers.every((number, at) => number === (numbers[0] ?? 0) + at * step)

/**
 * The parameter of a name that nothing is known of, whose numbers lead from one page to the next: at least three of them in a row, with
 * other items each, and all pages but the last as long. A filter has no such row.
 */
const walkedBy = (
  pages: ReadonlyArray<Page>
): { readonly by: "page" | "offset"; readonly name: string } | undefined => {
  const names = new Set(pages.flatMap(({ query }) => Object.keys(query)))
  for (const name of names) {
    if ([...Object.values(parameters)].some((known) => isOneOf(known, name)) || fields().has(name)) continue
    const numbered = pages.filter(({ count, query }) => count > 0 && /^\d{1,9}$/.test(query[name] ?? ""))
    for (const start of numbered) {
      const row = [
        ...new Map(
          numbered
            .filter((page) => isSameBut(page, start, [name]))
            .map((page) => [Number(page.query[name]), page])
        )
      ].sort(([a], [b]) => a - b)
      const [size = 0] = row.map(([, { count }]) => count)
      const isFull = row.slice(0, -1).every(([, { count }]) => count === size)
      if (row.length < 3 || !isFull || new Set(row.map(([, { ids }]) => ids)).size < row.length) continue
      const numbers = row.map(([number]) => number)
      if (isRow(numbers, 1) && size > 1) return { by: "page", name }
      if (size > 1 && isRow(numbers, size)) return { by: "offset", name }
    }
  }
  return undefined
}

/** The parameter that the address of the next page names. */
const namedBy = (answers: ReadonlyArray<Listed>, names: ReadonlyArray<string>): string | undefined =>
  common(
    answers.flatMap((answer) =>
      nextIn(answer)
        .filter(({ kind }) => kind === "address")
        .slice(0, 1)
        .map(
          ({ value }) =>
            Object.entries(queryOf(String(value))).find(
              ([name, text]) => isOneOf(names, name) && /^\d+$/.test(text)
            )?.[0]
        )
    )
  )

/** The parameter that took what a page had answered as its next. */
const followed = (
  pages: ReadonlyArray<Page>
): { readonly name: string; readonly place: Next["place"] } | undefined => {
  for (const page of pages)
    for (const { kind, place, value } of nextIn(page.answer)) {
      if (kind === "address" || kind === "flag") continue
      const name = pages
        .filter(({ count, ids }) => count > 0 && ids !== page.ids)
        .flatMap(({ query }) => Object.entries(query))
        .find(
          ([each, text]) =>
            text === String(value) && page.query[each] !== text && isOneOf(parameters.cursor, each)
        )?.[0]
      if (name !== undefined) return { name, place }
    }
  return undefined
}

/** The parameter that says how many items a page has. */
export const limitedBy = (
  pages: ReadonlyArray<{ readonly query: Readonly<Record<string, string>>; readonly count: number }>
): string | undefined =>
  pages
    .flatMap(({ count, query }) =>
      Object.entries(query).flatMap(([name, text]) =>
        isOneOf(parameters.limit, name) &&
        Number(text) === count &&
        pages.some((other) => other.count > count)
          ? [name]
          : []
      )
    )
    .at(0)

/** The parameter that was sent with the number of items that came, where no page had more. */
const likelyLimit = (pages: ReadonlyArray<Page>): string | undefined =>
  pages
    .flatMap(({ count, query }) =>
      Object.entries(query).flatMap(([name, text]) =>
        isOneOf(parameters.limit, name) && Number(text) === count ? [name] : []
      )
    )
    .at(0)

const firstOf = (
  pages: ReadonlyArray<Page>,
  name: string,
  refused: ReadonlyArray<Exchange>
): { readonly first: number; readonly isSure: boolean } => {
  if (refused.some(({ query }) => query[name] === "0")) return { first: 1, isSure: true }
  const at = (number: number) => pages.filter(({ query }) => query[name] === String(number))
  const [zero] = at(0)
  const one = at(1).find((page) => zero !== undefined && isSameBut(page, zero, [name]))
  if (zero !== undefined && one !== undefined)
    return { first: zero.count > 0 && zero.ids !== one.ids ? 0 : 1, isSure: true }
  return { first: zero !== undefined && zero.count > 0 ? 0 : 1, isSure: zero !== undefined }
}

/** The number that the first offset has; undefined where no answer shows it. */
const firstOffset = (pages: ReadonlyArray<Page>, name: string): number | undefined => {
  const at = (number: string | undefined) => pages.filter(({ query }) => query[name] === number)
  const isPair = (a: Page, b: Page): boolean => isSameBut(a, b, [name])
  for (const start of at(undefined)) {
    if (at("0").some((page) => isPair(page, start) && page.ids === start.ids)) return 0
    const [one] = at("1").filter((page) => isPair(page, start))
    if (one !== undefined && one.count > 0) return one.ids === start.ids ? 1 : 0
  }
  return undefined
}

/** The parameter that took the id of the last thing of the page before it. */
const followedById = (pages: ReadonlyArray<Page>): string | undefined => {
  const lastOf = ({ answer }: Page): unknown => {
    const things = thingsIn(answer.body)
    return Object.values(things.at(-1) ?? {})[0]
  }
  return pages
    .flatMap((page) => Object.entries(page.query).map(([name, text]) => ({ name, text, page })))
    .find(
      ({ name, page, text }) =>
        text.length > 1 &&
        pages.some(
          (other) => other.ids !== page.ids && other.query[name] !== text && isId(lastOf(other), text)
        )
    )?.name
}

const pageLine = (by: string, values: Readonly<Record<string, Value>>, reason: string): Line => ({
  at: "lists.page",
  value: { by, ...values },
  reason
})

/** What is not the default of a parameter. */
const unless = (name: string, value: Value | undefined, standard: Value): Readonly<Record<string, Value>> =>
  value === undefined || value === standard ? {} : { [name]: value }

const ofGroup = (pages: ReadonlyArray<Page>, refused: ReadonlyArray<Exchange>): Recognised => {
  const answers = pages.map(({ answer }) => answer)
  const limit = limitedBy(pages) ?? likelyLimit(pages)
  const limited = unless("limit", limit, "limit")
  const unseen =
    limit === undefined ? ["lists.page.limit: no answer showed which parameter sets the number of items"] : []
  const walked = walkedBy(pages)
  const page = movedBy(pages, parameters.page) ?? (walked?.by === "page" ? walked.name : undefined)
  const done = (
    line: Line | undefined,
    fits: ReadonlyArray<string>,
    more: ReadonlyArray<Line> = [],
    open: ReadonlyArray<string> = []
  ): Recognised => ({
    lines: [...(line === undefined ? [] : [line]), ...more],
    fits,
    unseen: [...unseen, ...open]
  })
  const byNumber = (name: string, how: string): Recognised => {
    const { first, isSure } = firstOf(pages, name, refused)
    const open = isSure
      ? []
      : ["lists.page.first: whether the first page is 1 or 0 was not seen; 1 is assumed"]
    const values = { ...unless("parameter", name, "page"), ...limited, ...unless("first", first, 1) }
    return Object.keys(values).length === 0
      ? done(
          undefined,
          [
            `pages are asked for by \`page\`${limit === undefined ? "" : " and `limit`"}${isSure ? ", from 1" : ""}`
          ],
          [],
          open
        )
      : done(
          pageLine("page", values, `${how}${first === 0 ? ", and the first number is 0" : ""}`),
          [],
          [],
          open
        )
  }
  if (page !== undefined) return byNumber(page, `other numbers of \`${page}\` led to other items`)
  const offset = movedBy(pages, parameters.offset) ?? (walked?.by === "offset" ? walked.name : undefined)
  if (offset !== undefined) {
    const first = firstOffset(pages, offset)
    return done(
      pageLine(
        "offset",
        { ...unless("parameter", offset, "offset"), ...limited, ...unless("first", first, 0) },
        `other numbers of \`${offset}\` led to other items`
      ),
      [],
      [],
      first === undefined
        ? ["lists.page.first: whether offsets begin at 0 or 1 was not seen; 0 is assumed"]
        : []
    )
  }
  const cursor = followed(pages)
  if (cursor !== undefined)
    return done(
      pageLine(
        "cursor",
        { ...unless("parameter", cursor.name, "cursor"), ...limited },
        `\`${cursor.name}\` took what the page before it had answered`
      ),
      [],
      [{ at: "lists.next", value: cursor.place, reason: "the cursor of the next page stood there" }]
    )
  const address = answers.flatMap(nextIn).find(({ kind }) => kind === "address")
  const named = address && queryOf(String(address.value))
  const [byPage, byOffset] = [namedBy(answers, parameters.page), namedBy(answers, parameters.offset)]
  if (address !== undefined && byPage !== undefined && answers.length === 1)
    return byNumber(byPage, `the address of the next page names \`${byPage}\``)
  if (address !== undefined && byOffset !== undefined && answers.length === 1)
    return done(
      pageLine(
        "offset",
        { ...unless("parameter", byOffset, "offset"), ...limited },
        `the address of the next page names \`${byOffset}\``
      ),
      []
    )
  if (address !== undefined && named !== undefined)
    return done(
      pageLine("link", limited, "an answer holds the address of the next page"),
      [],
      [{ at: "lists.next", value: address.place, reason: "the address of the next page stood there" }]
    )
  const byId = followedById(pages)
  const size = limit === undefined ? "" : `, limit: ${JSON.stringify(limit)}`
  return {
    ...nothing,
    unseen: [
      byId === undefined
        ? `lists.page: no parameter was seen to lead to another page (of a list with more items than one)${limit === undefined ? "" : `; \`${limit}\` sets the number of items: write { by, parameter${size} }`}`
        : `lists.page: \`${byId}\` took the id of the last thing before it: write { by: "cursor", parameter: "${byId}"${size} }, and lists.next as a function that answers that id while there is more`
    ]
  }
}

/** Whether the SDK hears of a next page from the answers by itself. */
const isHeard = (answers: ReadonlyArray<Listed>): boolean =>
  answers.every((answer) => {
    const page = readAlready(answer, answer.items)
    return page !== undefined && readHint({ ...page, items: page.items }, 1, undefined).more !== undefined
  })

/** How pages are asked for. */
export const paging = (exchanges: ReadonlyArray<Exchange>): Recognised => {
  const answers = listed(exchanges.filter(isSuccess))
  const groups = new Map<string, Array<Listed>>()
  for (const answer of answers) groups.set(answer.path, [...(groups.get(answer.path) ?? []), answer])
  const told = [...groups.values()]
    .map(pagesOf)
    .sort((a, b) => b.length - a.length)
    .map((pages) =>
      ofGroup(
        pages,
        exchanges.filter((each) => !isSuccess(each) && each.path === pages[0]?.answer.path)
      )
    )
    .sort((a, b) => b.lines.length + b.fits.length - (a.lines.length + a.fits.length))
  const [best] = told
  if (best === undefined) return nothing
  const by = best.lines.find(({ at }) => at === "lists.page")?.value
  const isByNumber = by === undefined || (isObject(by) && (by.by === "page" || by.by === "offset"))
  const next = answers
    .map((answer) => nextIn(answer).find(({ kind }) => kind !== "cursor"))
    .filter((found) => found !== undefined)
  const place = common(next.map((found) => JSON.stringify(found.place)))
  const [found] = next
  if (!isByNumber || place === undefined || found === undefined || isHeard(answers)) return best
  return {
    ...best,
    lines: [
      ...best.lines,
      { at: "lists.next", value: found.place, reason: "it says whether another page follows" }
    ]
  }
}

/** The value of a place of the next page, for whoever follows it. */
export const nextAt = ({ body, headers }: Exchange, place: Next["place"]): unknown =>
  typeof place === "string" ? valueAt(body, place) : relationOf(headers[place.header])
