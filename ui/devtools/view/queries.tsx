/** The queries of a registry: what was answered and when, who observes it, and what can be done with it. */
import * as Result from "@effect-rx/rx/Result"
import { type Texts, textsOf } from "@quartet/sdk/extend"
import * as Cause from "effect/Cause"
import * as React from "react"
import { hydrations } from "../../rx/hydration.js"
import type { CacheEntry } from "../../rx/query-cache.js"
import type { Registry } from "../../rx/registry.js"
import { type Known, type Secrets, secretsIn } from "../secrets.js"
import { Button, Item, isMatch, type Line, List, Search, Source, span, type Tone, time } from "./parts.js"

export const queriesIn = (registry: Registry): ReadonlyArray<CacheEntry> =>
  [...registry.get(hydrations).caches].flatMap(({ all }) => all)

const stateOf = ({ isInvalidated, isObserved, result }: CacheEntry): readonly [string, Tone] => {
  if (result.waiting && (isObserved || !Result.isInitial(result))) return ["fetching", "busy"]
  if (Result.isFailure(result)) return ["error", "bad"]
  if (Result.isInitial(result)) return ["not asked", "calm"]
  return isInvalidated ? ["outdated", "warn"] : ["answered", "good"]
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`

const nameOf = ({ kind, of }: CacheEntry["definition"]): string =>
  `${of.name}${kind === "" ? "" : " (pages)"}`

const lineOf = (entry: CacheEntry, known: Known): Line => {
  const { answered, definition, observers } = entry
  const [badge, tone] = stateOf(entry)
  const users = observers.size === 0 ? "not observed" : plural(observers.size, "observer")
  const age = answered === undefined ? "" : `, ${span(Date.now() - answered.at)} old`
  return {
    badge,
    tone,
    name: nameOf(definition),
    side: `${users}${age}`,
    about: textsOf(definition, known).line
  }
}

interface AnswerProps {
  readonly result: CacheEntry["result"]
  readonly texts: Texts
  readonly secrets: Secrets
}

const Answer = ({ result, secrets, texts }: AnswerProps) => {
  const text = React.useMemo(() => {
    const value = Result.value(result)
    return value._tag === "Some" ? texts.answer(value.value, secrets) : ""
  }, [result, secrets, texts])
  return (
    <>
      {Result.isFailure(result) && <Source title="Error" text={texts.error(Cause.squash(result.cause))} />}
      <Source title="Data" text={text} />
    </>
  )
}

const Details = ({ entry, known }: { readonly entry: CacheEntry; readonly known: Known }) => {
  const { answered, definition, isObserved, result, updates } = entry
  const texts = textsOf(definition, known)
  const about = [
    definition.of.call === undefined ? "an effect of the app" : `client ${definition.of.call.client}`,
    answered === undefined ? "no answer yet" : `answered at ${time(answered.at)}`,
    ...(updates.length > 0 ? [plural(updates.length, "optimistic change")] : [])
  ]
  return (
    <>
      <p className="faint">{about.join(", ")}</p>
      <div className="row">
        <Button onClick={() => entry.refetch()}>{isObserved ? "Refetch" : "Mark as stale"}</Button>
        <Button onClick={() => entry.reset()}>Reset</Button>
      </div>
      <Source title="Input" text={texts.input} />
      <Answer result={result} secrets={texts.secrets} texts={texts} />
    </>
  )
}

/** The ways to order queries. Of thousands, at each tick, texts are not compared as a language does. */
const orders = {
  name: ({ definition: left }: CacheEntry, { definition: right }: CacheEntry): number =>
    left.of.name < right.of.name ? -1 : left.of.name > right.of.name ? 1 : 0,
  age: (left: CacheEntry, right: CacheEntry): number => (right.answered?.at ?? 0) - (left.answered?.at ?? 0)
}

export const Queries = ({ registry }: { readonly registry: Registry }) => {
  const [search, setSearch] = React.useState("")
  const [order, setOrder] = React.useState<keyof typeof orders>("name")
  const known = registry.get(secretsIn)
  const all = queriesIn(registry)
  const matches =
    search === ""
      ? [...all]
      : all.filter((entry) => {
          const { about, badge, name } = lineOf(entry, known)
          return isMatch(search, name, about, badge)
        })
  const shown = matches.sort(orders[order])
  const refetchAll = (): void => {
    for (const entry of shown) entry.refetch()
  }
  const tools = (
    <>
      <Search label="Find queries" value={search} onChange={setSearch} />
      <select
        aria-label="Order"
        value={order}
        onChange={({ target }) => setOrder(target.value === "age" ? "age" : "name")}
      >
        <option value="name">By name</option>
        <option value="age">Newest answer first</option>
      </select>
      <Button disabled={shown.length === 0} onClick={refetchAll}>
        Refetch all
      </Button>
    </>
  )
  return (
    <List
      label="Queries"
      tools={tools}
      empty={all.length === 0 ? "No queries yet." : "No queries match."}
      items={shown}
    >
      {(entry) => (
        <Item key={entry.definition.key} line={lineOf(entry, known)}>
          {() => <Details entry={entry} known={known} />}
        </Item>
      )}
    </List>
  )
}
