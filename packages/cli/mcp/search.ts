/** Finds calls by words, and describes one. */

import { type Audience, isPaged } from "@quartet/sdk/extend"
import { type Described, errorsOf, samplesOf } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import { findCall, reasonOf } from "./call.js"
import { type Clients, entries, judge, needs, riskOf } from "./calls.js"
import type { Failure } from "./failure.js"
import { answerSchema, inputSchema } from "./schemas.js"
import { part, type Reply } from "./text.js"
import { query, scoreOf } from "./words.js"

const toolOf = ({ isRead }: Described): "read" | "write" => (isRead ? "read" : "write")

/** What `search` is asked for. */
export interface Search {
  readonly words: string
  readonly client: Audience | undefined
  readonly tool: "read" | "write" | undefined
  readonly limit: number
}

/** What is known of a call, in one line. */
const lineOf = (entry: Described, clients: Clients, obstacle: string | undefined) => {
  const permission = needs(entry, clients)
  const risk = riskOf(entry)
  return {
    operation: entry.key,
    summary: entry.summary,
    tool: toolOf(entry),
    ...(permission === undefined ? {} : { permission }),
    ...(risk === undefined ? {} : { asksFirst: risk }),
    ...(obstacle === undefined ? {} : { unavailable: obstacle })
  }
}

/** The calls that hold the words, the best first; of calls that hold them alike, those that can be made. */
export const search = (
  clients: Clients,
  { client, limit, tool, words: phrase }: Search
): Effect.Effect<Reply> =>
  Effect.map(judge(clients), (obstacleOf) => {
    const words = query(phrase)
    const ranked = entries
      .filter((entry) => client === undefined || entry.audience === client)
      .filter((entry) => tool === undefined || toolOf(entry) === tool)
      .flatMap((entry) => {
        const score = scoreOf(words, [
          [entry.name, 5],
          [entry.summary, 2],
          [entry.declared.path, 1],
          [entry.audience, 1]
        ])
        if (score === 0) return []
        const obstacle = obstacleOf(entry)
        const reason = obstacle === undefined ? undefined : reasonOf(entry, clients, obstacle)
        return [{ entry, reason, score: score - (reason === undefined ? 0 : 50) }]
      })
      .sort((left, right) => right.score - left.score)
    const lines = ranked
      .slice(0, limit)
      .map(({ entry, reason }) => JSON.stringify(lineOf(entry, clients, reason)))
    const text = `[${lines.map((line) => `\n${line}`).join(",")}\n]`
    if (ranked.length === 0)
      return {
        text: "[]",
        note: "No call holds these words. Use others; without words, all calls are listed."
      }
    return ranked.length <= limit
      ? { text }
      : { text, note: `${ranked.length - limit} more: name more words, or a higher "limit".` }
  })

/** Everything about one call. */
export const describe = (clients: Clients, name: string): Effect.Effect<Reply, Failure> =>
  Effect.gen(function* () {
    const entry = yield* findCall(clients, name)
    const { audience, declared } = entry
    const obstacle = (yield* judge(clients))(entry)
    const reason = obstacle === undefined ? undefined : reasonOf(entry, clients, obstacle)
    const { api, legacy } = clients[audience]?.dispatcher.settings ?? {}
    const samples = samplesOf(
      { audience, operation: entry.name, declared, input: {} },
      {
        baseUrl: api === undefined ? "https://api.example.com" : api.origin + api.prefix,
        ...(legacy === undefined ? {} : { legacyUrl: legacy.origin + legacy.prefix })
      }
    )
    const isFile = "bytes" in declared.success
    const described = {
      ...lineOf(entry, clients, reason),
      request: `${declared.method} ${declared.path}${declared.host === "legacy" ? " (legacy)" : ""}`,
      input: inputSchema(entry),
      answer: answerSchema(declared),
      ...(isPaged(entry.operation)
        ? { paging: 'page by page: `page` and `limit` in the input, or "pages" of `read`' }
        : {}),
      ...(isFile ? { download: "a file; `read` shows it if it is text" } : {}),
      errors: errorsOf(declared, audience).map(({ tag }) => tag),
      samples: Object.fromEntries(samples.map(({ label, source }) => [label, source]))
    }
    return part(JSON.stringify(described), 0)
  })
