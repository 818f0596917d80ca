/**
 * The program that each cell of the matrix runs against a served sandbox. It names nothing of a runtime, so that it
 * compiles without the types of the DOM and of Node. Each part asserts what comes back, and throws where it is wrong.
 */
import { Admin, pages, type Transport } from "@quartet/sdk"
import { createAdminClient, createPublicClient, Errors, signInEndUser } from "@quartet/sdk/promise"
import * as DefaultTransport from "@quartet/sdk/transport"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Outcome, Platform } from "./platform.js"

type Sender = Transport["Type"]

/** A part of the program: what it is called in the table, and what it does over the default transport or another one. */
type Part = (platform: Platform, transport?: Sender) => Promise<void>

const expect = (isSo: boolean, what: string): void => {
  if (!isSo) throw new Error(what)
}

const asAdmin = ({ admin, apiKey, baseUrl, projectId }: Platform, transport?: Sender) =>
  createAdminClient({
    baseUrl,
    projectId,
    apiKey,
    ...admin,
    ...(transport === undefined ? {} : { transport })
  })

/** A list, a write that is read again, an error of the platform and one before anything is sent, and a loop over pages. */
export const calls: Part = async (platform, transport) => {
  const { apiKey, baseUrl, projectId, viewer } = platform
  const shared = { baseUrl, apiKey, ...(transport === undefined ? {} : { transport }) }
  const admin = asAdmin(platform, transport)
  const { items, paging } = await admin.requests.list({ limit: 5 })
  expect(items.length === 5 && items.every(({ createdAt }) => createdAt instanceof Date), "a list")

  const visitor = createPublicClient(shared)
  const box = await visitor.boxes.create({ payload: { label: "grün 🐢" } })
  const read = await visitor.boxes.get({ id: box._id })
  expect(read.label === "grün 🐢", "a write")
  await visitor.boxes.delete({ id: box._id })
  await visitor.close()

  const missing: unknown = await admin.requests.get({ id: "nobody" }).catch((error: unknown) => error)
  expect(missing instanceof Errors.NotFound && missing.status === 404, `an error: ${String(missing)}`)
  const reader = createAdminClient({ ...shared, projectId, ...viewer })
  const denied: unknown = await reader.files.delete({ id: "f1" }).catch((error: unknown) => error)
  expect(denied instanceof Errors.PermissionDenied, `a refusal: ${String(denied)}`)
  await reader.close()

  const ids = new Set<string>()
  for await (const { _id } of admin.requests.list.pages({}, { limit: 7 })) ids.add(_id)
  expect(ids.size === paging.total && ids.size > 7, `pages: ${ids.size} of ${paging.total}`)
  await admin.close()
}

const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7 + (at >> 8)) % 256)

/** An upload, and its download in pieces. */
const files: Part = async (platform, transport) => {
  const { apiKey, baseUrl, endUser } = platform
  const user = await signInEndUser({
    baseUrl,
    apiKey,
    ...endUser,
    ...(transport === undefined ? {} : { transport })
  })
  const { _id: id } = await user.files.upload({ file: { content: bytes, name: "plan é.bin" } })
  let at = 0
  for await (const piece of user.files.download({ id }))
    for (const byte of piece) expect(byte === bytes[at++], `byte ${at} of a download`)
  expect(at === bytes.length, `a download of ${at} bytes`)
  await user.close()
}

/** A message that is sent over the chat and comes back. */
const chat: Part = async (platform) => {
  const admin = asAdmin(platform)
  const { items } = await admin.conversations.list({ limit: 1 })
  const conversationId = items[0]?._id ?? ""
  const open = await admin.chat.open({ history: false })
  const { clientId } = await open.send({ conversationId, text: "hello" })
  // Other cells talk in the same conversation.
  for await (const message of open.messages) if (message.clientId === clientId) break
  await open.close()
  await admin.close()
}

/** A list and a stream of pages as Effects. */
const effects: Part = async ({ admin, baseUrl, projectId }) => {
  const program = Effect.gen(function* () {
    const { paging } = yield* Admin.requests.list({ limit: 1 })
    const counted = yield* Stream.runCount(pages(Admin.requests.list, {}, { limit: 7 }))
    const error = yield* Effect.flip(Admin.requests.get({ id: "nobody" }))
    expect(counted === paging.total && error._tag === "NotFound", `Effects: ${counted}, ${error._tag}`)
  })
  await Effect.runPromise(
    program.pipe(
      Effect.provide(Admin.layer({ baseUrl, projectId, ...admin })),
      Effect.provide(DefaultTransport.layer)
    )
  )
}

/** Runs parts one after the other. */
export const outcomeOf = async (parts: Readonly<Record<string, () => Promise<void>>>): Promise<Outcome> => {
  const outcome: Record<string, string> = {}
  for (const [name, part] of Object.entries(parts)) {
    outcome[name] = await part().then(
      () => "works",
      (error: unknown) => (error instanceof Errors.InputError ? `refuses: ${error.message}` : String(error))
    )
  }
  return outcome
}

/** Calls and files over a transport. */
export const over = async (platform: Platform, transport: Sender): Promise<void> => {
  await calls(platform, transport)
  await files(platform, transport)
}

/** Runs all parts over the default transport, and calls and files over each other one that is given. */
export const run = (
  platform: Platform,
  others: Readonly<Record<string, () => Sender>> = {}
): Promise<Outcome> =>
  outcomeOf({
    calls: () => calls(platform),
    files: () => files(platform),
    chat: () => chat(platform),
    effects: () => effects(platform),
    ...Object.fromEntries(
      Object.entries(others).map(([name, make]) => [name, async () => over(platform, make())])
    )
  })
