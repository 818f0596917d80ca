/** Makes calls for the tools `read` and `write`, after everything that speaks against one is settled. */

import {
  asOneWork,
  type Bindable,
  type Bytes,
  type CallError,
  type Operation,
  type Page,
  PageSource,
  Pagination,
  prepare,
  Raw,
  textOf,
  whole
} from "@quartet/sdk/extend"
import type { Described } from "@quartet/sdk/extend/description"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Names from "../call/names.js"
import { type Clients, entries, judge, needs, type Obstacle, riskOf, secretsOf } from "./calls.js"
import type { Confirm, Exchange } from "./confirmation.js"
import { Failure, ofCall } from "./failure.js"
import { askedOf, type Input, inputOf } from "./input.js"
import { previewOf } from "./preview.js"
import { file, kindOf, Pages, type Reply, value, type Writing } from "./text.js"

const variables = {
  admin: "QUARTET_PROJECT_ID, QUARTET_EMAIL and QUARTET_PASSWORD",
  public: "QUARTET_API_KEY",
  private: "QUARTET_PRIVATE_KEY",
  endUser: "QUARTET_API_KEY and QUARTET_USER_SESSION_ID"
} as const

/** What stands against a call, in words. */
export const reasonOf = (entry: Described, clients: Clients, obstacle: Obstacle): string => {
  switch (obstacle._tag) {
    case "NoCredentials":
      return `this server has no credentials of the ${entry.audience} client (${variables[entry.audience]})`
    case "NotPermitted":
      return `the admin's token does not permit it: it needs ${needs(entry, clients)}, and has ${obstacle.grant}`
    case "SignInFailed":
      return `the admin could not be signed in: ${obstacle.error.message}`
  }
}

const failureOf = (entry: Described, clients: Clients, obstacle: Obstacle): Failure => {
  const message = `${entry.key}: ${reasonOf(entry, clients, obstacle)}. Nothing was sent.`
  if (obstacle._tag === "SignInFailed") return new Failure({ message, advice: ofCall(obstacle.error).advice })
  return new Failure({
    message,
    advice:
      obstacle._tag === "NoCredentials"
        ? "Ask the user to set them in this server's environment. Do not ask for them here."
        : "Do not try another way. Tell the user which permission is missing; an owner of the project can grant it."
  })
}

/** The names that one which there is not may stand for: with its client, if it names one, and of clients that can be called. */
const near = (clients: Clients, name: string): ReadonlyArray<string> => {
  const { client } = Names.read(name)
  const isNear = ({ audience }: Described) =>
    client === undefined ? clients[audience] !== undefined : audience === client
  return entries.filter(isNear).map(({ key }) => key)
}

/** The call of a name; without its client, that of the only client here that has it. */
export const findCall = (clients: Clients, name: string): Either.Either<Described, Failure> => {
  const named = Names.calls(name, entries)
  const own = named.filter(({ audience }) => clients[audience] !== undefined)
  const [only] = own.length > 0 ? own : named
  if (only !== undefined && Math.max(own.length, 1) === 1) return Either.right(only)
  return Either.left(
    new Failure({
      message:
        named.length > 0
          ? `Several clients have ${name}.`
          : `There is no call named ${name}${Names.meant(name, near(clients, name))}.`,
      advice:
        named.length > 0
          ? `Name one: ${named.map(({ key }) => key).join(", ")}.`
          : "Find its name with `search`; it is client, slice and call, such as admin.requests.list."
    })
  )
}

/** What both tools are made with. */
export interface Calling {
  readonly clients: Clients
  readonly confirm: Confirm
  readonly allowsWrites: boolean
}

/** The client of a call that nothing is known to stand against. */
const clientOf = (entry: Described, clients: Clients): Effect.Effect<Bindable, Failure> =>
  Effect.gen(function* () {
    const obstacle = (yield* judge(clients))(entry)
    if (obstacle !== undefined) return yield* failureOf(entry, clients, obstacle)
    // Without credentials there is an obstacle.
    return clients[entry.audience] as Bindable
  })

/** How a model gives an input: what it passes as it is, by the switch for that. */
const inputText = (input: unknown): string => {
  const opened = Raw.opened(input)
  return `"input": ${JSON.stringify(opened)}${opened === input ? "" : ', "raw": true'}`
}

/** The pages of a list, until as many are read as were asked for, or no more fits. */
const readPages = (
  { key, operation }: Described,
  { dispatcher }: Bindable,
  input: Input,
  pages: number,
  writing: Writing,
  { progress }: Exchange
): Effect.Effect<Reply, CallError> =>
  Effect.gen(function* () {
    // Whether it answers pages is known from its declaration.
    const list = operation as unknown as Operation<Input, Page<unknown>, never>
    const source = yield* PageSource.make(list, input, {})
    const within = asOneWork()
    const shown = new Pages(writing)
    let before: Pagination.Place | undefined
    for (let read = 0; read < pages; read++) {
      const step: Pagination.Step<unknown> = yield* Pagination.next(
        source,
        (pageInput) => within(dispatcher.call(list, pageInput)),
        before
      )
      const here = source.at(source.first + read)
      const left = shown.take(step.page)
      if (left > 0) {
        const from = read === 0 ? writing.from + shown.count : 0
        const next = `${inputText(here)}${from === 0 ? "" : `, "from": ${from}`}`
        return {
          text: shown.text(),
          note: `More than fits: go on with ${next}; or name the "fields" that you need.`
        }
      }
      before = step.place
      if (step.done) return { text: shown.text() }
      const { count, total } = step.place
      yield* progress(read + 1, count ?? undefined, `${key}: ${shown.count} of ${total ?? "?"} items`)
    }
    const next = inputText(source.at(source.first + pages))
    return { text: shown.text(), note: `There may be more: go on with ${next}.` }
  })

const download = (
  { operation }: Described,
  { dispatcher }: Bindable,
  input: Input,
  { from, secrets }: Writing
) => {
  // As its declaration says.
  const bytes = operation as unknown as Operation<Input, Bytes, never>
  return Effect.map(whole(dispatcher, bytes, input, undefined), (got): Reply => {
    const text = textOf(got, operation.name)
    return Either.isRight(text)
      ? file(text.right, { from, secrets })
      : {
          text: `${kindOf(got)}, ${got.byteLength} bytes. The command \`quartet call\` writes it to a file.`
        }
  })
}

/** What `read` is asked for. */
export interface Reading {
  readonly operation: string
  readonly input: Input
  /** Whether the body, and the words of filters, are sent as they are. */
  readonly raw: boolean
  readonly pages: number
  readonly from: number
  readonly fields: ReadonlyArray<string>
}

/** Runs a call that changes nothing. */
export const read = (
  { allowsWrites, clients }: Calling,
  { fields, from, input: toolInput, operation, pages, raw }: Reading,
  exchange: Exchange
): Effect.Effect<Reply, Failure> =>
  Effect.gen(function* () {
    const entry = yield* findCall(clients, operation)
    if (!entry.isRead)
      return yield* new Failure({
        message: `${entry.key} changes something. Nothing was sent.`,
        advice: allowsWrites
          ? "Use the tool `write`."
          : "This server only reads. The user can start it with --allow-writes; do not look for another way."
      })
    const client = yield* clientOf(entry, clients)
    const asked = yield* askedOf(entry, toolInput, raw)
    const input = yield* inputOf(entry.declared, asked)
    const writing = { fields, from, secrets: secretsOf(clients) }
    const isList = PageSource.isPaged(entry.operation)
    if (pages > 1 && !isList)
      return yield* new Failure({
        message: `${entry.key} does not answer page by page.`,
        advice: 'Leave "pages" out.'
      })
    const answer: Effect.Effect<Reply, CallError> = isList
      ? readPages(entry, client, input, pages, writing, exchange)
      : "bytes" in entry.declared.success
        ? download(entry, client, input, writing)
        : Effect.map(client.dispatcher.call(entry.operation, input as never), (got) =>
            isWholeList(got) ? wholeList(got, writing) : value(got, writing)
          )
    return yield* Effect.mapError(answer, ofCall)
  })

/** A list that is answered at once. */
const isWholeList = (answer: unknown): answer is Page<unknown> => Array.isArray(Object(answer).items)

const wholeList = (page: Page<unknown>, writing: Writing): Reply => {
  const shown = new Pages(writing)
  const left = shown.take(page)
  return left === 0
    ? { text: shown.text() }
    : {
        text: shown.text(),
        note: `More than fits: go on with "from": ${writing.from + shown.count}; or name the "fields" that you need.`
      }
}

/** What `write` is asked for. */
export interface Change {
  readonly operation: string
  readonly input: Input
  /** Whether the body, and the words of filters, are sent as they are. */
  readonly raw: boolean
  readonly confirmation: string | undefined
  readonly idempotencyKey: string | undefined
}

/** Runs a call that changes something. */
export const write = (
  { clients, confirm }: Calling,
  { confirmation, idempotencyKey, input: toolInput, operation, raw }: Change,
  exchange: Exchange
): Effect.Effect<Reply, Failure> =>
  Effect.gen(function* () {
    const entry = yield* findCall(clients, operation)
    if (entry.isRead)
      return yield* new Failure({ message: `${entry.key} changes nothing.`, advice: "Use the tool `read`." })
    const client = yield* clientOf(entry, clients)
    const asked = yield* askedOf(entry, toolInput, raw)
    const input = yield* inputOf(entry.declared, asked)
    const options = idempotencyKey === undefined ? {} : { idempotencyKey }
    const { dispatcher } = client
    // Nobody is asked about a call that would be refused.
    yield* Either.mapLeft(prepare(dispatcher, entry.operation, input as never, options), ofCall)
    const risk = riskOf(entry)
    if (risk !== undefined) {
      const preview = yield* previewOf(entry, clients, input, risk)
      yield* confirm({ entry, input: asked, risk, preview, confirmation }, exchange)
    }
    const answer = yield* Effect.mapError(dispatcher.call(entry.operation, input as never, options), ofCall)
    const { note, text } = value(answer, { fields: [], from: 0, secrets: secretsOf(clients) })
    return note === undefined
      ? { text }
      : { text, note: "It is done; the answer is cut. Do not repeat it: `read` the rest." }
  })
