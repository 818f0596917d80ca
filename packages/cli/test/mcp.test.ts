// The server of the Model Context Protocol, by the protocol's official client, over a sandbox.

import * as Sandbox from "@quartet/sandbox"
import { effect } from "@quartet/support/effect.js"
import { Effect, TestClock } from "effect"
import { describe, expect, it } from "vitest"
import { entries, riskOf } from "../mcp/calls.js"
import * as Confirmation from "../mcp/confirmation.js"
import { most } from "../mcp/text.js"
import { type Answer, connected, type Options } from "./mcp-client.js"

type Found = ReadonlyArray<Record<string, string>>
type Listed = {
  readonly items: ReadonlyArray<Record<string, unknown>>
  readonly paging: Record<string, number>
}

const listed = (answer: Answer) => answer.json() as Listed
const searched = (answer: Answer) => answer.json() as Found

/** The first payment, and the input of its refund. */
const refundOf = async ({ ask }: Awaited<ReturnType<typeof connected>>) => {
  const input = { statusIn: ["succeeded"], limit: 1 }
  const [payment] = listed(await ask("read", { operation: "admin.payments.list", input })).items
  return { operation: "admin.payments.refund", input: { id: payment?._id, payload: { amount: 100 } } }
}

const confirmationIn = ({ texts }: Answer): string =>
  /"confirmation": "([^"]+)"/.exec(texts[0] ?? "")?.[1] ?? ""

describe("the tools", () => {
  it("are four that change nothing, and `write` only where it is allowed", async () => {
    await using reading = await connected()
    await using writing = await connected({ allowsWrites: true })
    const { tools } = await reading.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(["search", "describe", "read", "docs"])
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true)
    const [write, ...more] = (await writing.client.listTools()).tools.filter(
      ({ annotations }) => annotations?.readOnlyHint !== true
    )
    expect(more).toEqual([])
    expect(write).toMatchObject({
      name: "write",
      annotations: { destructiveHint: true, idempotentHint: false }
    })
    await expect(
      reading.ask("write", { operation: "admin.users.delete", input: { id: "1" } })
    ).rejects.toThrow("There is no tool write")
  })

  it("describe their arguments as JSON Schema, and say which of them are wrong", async () => {
    await using server = await connected()
    const { tools } = await server.client.listTools()
    expect(tools.find(({ name }) => name === "read")?.inputSchema).toMatchObject({
      type: "object",
      required: ["operation"],
      properties: { pages: { type: "integer", minimum: 1, maximum: 100 } },
      additionalProperties: false
    })
    const wrong = await server.ask("read", { operaton: "admin.users.list", pages: 0 })
    expect(wrong.isError).toBe(true)
    expect(wrong.texts[0]).toMatch(
      /operaton: is unexpected.*operation: is missing; pages: must be a whole number from 1 to 100\n/s
    )
    for (const [tool, argument, value, rule] of [
      ["read", "fields", ["_id", 5], "must be a list of texts"],
      ["search", "client", "end-user", "must be one of admin, public, private, endUser"],
      ["docs", "words", {}, "must be a text"]
    ] as const)
      expect(
        (await server.ask(tool, { operation: "admin.users.list", [argument]: value })).texts[0]
      ).toContain(`${argument}: ${rule}`)
  })
})

describe("search", () => {
  it("finds calls by words, the best first, with client, tool, permission and what is asked first", async () => {
    await using server = await connected()
    const calls = searched(await server.ask("search", { words: "refund a payment" }))
    expect(calls[0]).toEqual({
      operation: "admin.payments.refund",
      summary:
        "Refunds a transaction; an optional body gives the amount and a reason, and takes no other fields.",
      tool: "write",
      permission: "payments.refund at level Write (3)",
      asksFirst: "money"
    })
    expect(searched(await server.ask("search", { words: "entity kinds", tool: "read" }))[0]?.operation).toBe(
      "admin.entities.list"
    )
    const boxes = searched(await server.ask("search", { words: "boxes", client: "public" }))
    expect(boxes.map(({ operation }) => operation)).toContain("public.boxes.list")
    expect(boxes.every(({ operation = "" }) => operation.startsWith("public."))).toBe(true)
  })

  it("says how many more there are, and offers every call but those that sign in", async () => {
    await using server = await connected()
    const some = await server.ask("search", { limit: 3 })
    expect(searched(some)).toHaveLength(3)
    expect(some.texts[1]).toMatch(/^\d+ more/)
    const all = searched(await server.ask("search", { limit: 200 }))
    expect(all.map(({ operation }) => operation).filter((name = "") => /ogin$/.test(name))).toEqual([])
    expect(all).toHaveLength(entries.length)
  })

  it("says why a call cannot be made: no credentials, or not permitted by the admin's token", async () => {
    await using server = await connected({ admin: Sandbox.accounts.viewer, only: ["admin"] })
    const [refund, , , get] = searched(await server.ask("search", { words: "refund payments" }))
    expect(refund?.unavailable).toBe(
      "the admin's token does not permit it: it needs payments.refund at level Write (3), and has *.* = 1"
    )
    expect(get?.unavailable ?? "").toBe("")
    const [box] = searched(await server.ask("search", { words: "boxes list", client: "public" }))
    expect(box?.unavailable).toBe("this server has no credentials of the public client (QUARTET_API_KEY)")
  })

  it("still finds calls where the admin cannot be signed in, and says so", async () => {
    await using server = await connected({ admin: { email: "admin@quartet.test", password: "wrong" } })
    const [call] = searched(await server.ask("search", { words: "requests markSeen", client: "admin" }))
    expect(call?.unavailable).toMatch(/^the admin could not be signed in/)
    expect(JSON.stringify(call)).not.toContain("wrong")
  })
})

describe("describe", () => {
  it("gives input and answer as JSON Schema, permission, errors and samples", async () => {
    await using server = await connected()
    const described = (await server.ask("describe", { operation: "admin.requests.list" })).json()
    expect(described).toMatchObject({
      tool: "read",
      permission: "requests.list at level Read (1)",
      request: "GET request-action",
      input: { type: "object", properties: { statusIn: { type: "array" } }, additionalProperties: false },
      answer: { properties: { items: { items: { $ref: "#/$defs/Requests.RequestAction" } } } },
      errors: expect.arrayContaining(["PermissionDenied", "NetworkError"]),
      samples: {
        curl: expect.stringContaining("http://sandbox.test/request-action"),
        Effect: expect.stringContaining("Admin.requests.list()"),
        Promise: expect.stringContaining("await admin.requests.list()")
      }
    })
    expect(JSON.stringify(described)).not.toContain("OutcomeUnknown")
  })

  it("tells all of each call in one answer, whose references lead somewhere", async () => {
    await using server = await connected({ only: [] })
    for (const { key } of entries) {
      const answer = await server.ask("describe", { operation: key })
      expect([key, answer.texts.length]).toEqual([key, 1])
      const { answer: output, input } = answer.json() as Record<string, { readonly $defs?: object }>
      for (const schema of [input, output]) {
        const refs = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)]
        const names = refs.map(([, name = ""]) => name)
        expect(names.filter((name) => !Object.hasOwn(schema?.$defs ?? {}, name))).toEqual([])
      }
    }
  })

  it("takes the names of calls as the command line does too", async () => {
    await using server = await connected({ only: [] })
    for (const operation of ["endUser.requests.list", "end-user.requests.list"])
      expect((await server.ask("describe", { operation })).json()).toMatchObject({
        operation: "endUser.requests.list"
      })
  })

  it("names a call's clients where it is asked without one, and the way to find one that is not there", async () => {
    await using server = await connected()
    const several = await server.ask("describe", { operation: "requests.list" })
    expect(several.texts[0]).toContain("Name one: admin.requests.list, endUser.requests.list.")
    await using visitors = await connected({ only: ["public"] })
    expect((await visitors.ask("describe", { operation: "boxes.list" })).json()).toMatchObject({
      operation: "public.boxes.list"
    })
    const none = await server.ask("describe", { operation: "admin.requests.lst" })
    expect(none).toMatchObject({
      isError: true,
      texts: [
        expect.stringMatching(
          /There is no call named admin\.requests\.lst \(did you mean "admin\.requests\.list"\?\)\..*Find its name with `search`/s
        )
      ]
    })
    const [visit] = (await visitors.ask("describe", { operation: "boxs.list" })).texts
    expect(visit).toContain('(did you mean "public.boxes.list"?)')
  })
})

describe("read", () => {
  it("answers what the platform answers, of lists each item on a line", async () => {
    await using server = await connected()
    const answer = await server.ask("read", {
      operation: "admin.requests.list",
      input: { limit: 2 },
      fields: ["_id", "status", "address.city"]
    })
    expect(listed(answer).items).toHaveLength(2)
    expect(Object.keys(listed(answer).items[0] ?? {})).toEqual(["_id", "status"])
    expect(answer.texts[0]?.split("\n")).toHaveLength(4)
    expect(answer.texts[1]).toBe('There may be more: go on with "input": {"limit":2,"page":2}.')
  })

  it("reads several pages, tells its progress, and where to go on", async () => {
    await using server = await connected()
    const progress: Array<unknown> = []
    const request = { operation: "admin.requests.list", input: { limit: 5 }, pages: 3, fields: ["_id"] }
    const answer = await server.ask("read", request, { onprogress: (notice) => progress.push(notice) })
    expect(new Set(listed(answer).items.map(({ _id }) => _id)).size).toBe(15)
    expect(progress).toEqual([
      { progress: 1, total: 16, message: "admin.requests.list: 5 of 80 items" },
      { progress: 2, total: 16, message: "admin.requests.list: 10 of 80 items" },
      { progress: 3, total: 16, message: "admin.requests.list: 15 of 80 items" }
    ])
    expect(answer.texts[1]).toContain('{"limit":5,"page":4}')
    const rest = await server.ask("read", { ...request, input: { limit: 5, page: 16 } })
    expect([listed(rest).items.length, rest.texts.length]).toEqual([5, 1])
  })

  it("cuts big answers, and what it says leads to each item once", async () => {
    await using server = await connected()
    const seen: Array<unknown> = []
    let next: Record<string, unknown> | undefined = { input: { limit: 150 }, pages: 2 }
    while (next !== undefined && seen.length < 1_000) {
      const { isError, texts } = await server.ask("read", { operation: "admin.users.list", ...next })
      expect([isError, (texts[0] ?? "").length < most + 500]).toEqual([false, true])
      seen.push(...(JSON.parse(texts[0] ?? "") as Listed).items.map(({ _id }) => _id))
      const [, continuation] = /go on with ("input": .*?\}(?:, "from": \d+)?)[;.]/.exec(texts[1] ?? "") ?? []
      next = continuation === undefined ? undefined : JSON.parse(`{${continuation}}`)
    }
    const total = listed(await server.ask("read", { operation: "admin.users.list", input: { limit: 1 } }))
      .paging.total
    expect([seen.length, new Set(seen).size]).toEqual([total, total])
  })

  it("cuts a file that is text by characters", async () => {
    await using server = await connected()
    const first = await server.ask("read", { operation: "admin.payments.csv" })
    const [, from] = /"from": (\d+)/.exec(first.texts[1] ?? "") ?? []
    const second = await server.ask("read", { operation: "admin.payments.csv", from: Number(from) })
    expect([first.texts[0]?.length, Number(from)]).toEqual([most, most])
    expect(second.texts[0]?.slice(0, 20)).not.toBe(first.texts[0]?.slice(0, 20))
  })

  it("refuses what changes something, before anything is sent", async () => {
    await using server = await connected()
    const answer = await server.ask("read", { operation: "admin.users.delete", input: { id: "u1" } })
    expect(answer).toMatchObject({
      isError: true,
      texts: [expect.stringContaining("This server only reads")]
    })
    expect(server.sent()).toEqual([])
  })

  it("fails with what to do: a wrong input, nothing there, pages of what has none", async () => {
    await using server = await connected()
    const failures = [
      [
        { operation: "admin.requests.get" },
        'the field "id" is required',
        "Read the input's schema with `describe`"
      ],
      [{ operation: "admin.requests.get", input: { id: "none" } }, "not found", "Check the ids"],
      [
        { operation: "admin.requests.get", input: { id: "none" }, pages: 2 },
        "page by page",
        'Leave "pages" out'
      ]
    ] as const
    for (const [input, message, advice] of failures) {
      const { isError, texts } = await server.ask("read", input)
      expect(isError).toBe(true)
      expect(texts[0]).toContain(message)
      expect(texts[0]).toContain(`What to do: ${advice}`)
    }
  })

  it("sends nothing more when its caller cancels it", async () => {
    await using server = await connected()
    const controller = new AbortController()
    const request = { operation: "admin.users.list", input: { limit: 1 }, pages: 50, fields: ["_id"] }
    const stop = (): void => controller.abort()
    await expect(
      server.ask("read", request, { signal: controller.signal, onprogress: stop })
    ).rejects.toThrow()
    await expect.poll(() => server.log.at(-1)).toMatch(/^read admin\.users\.list: cancelled/)
    expect(server.sent().length).toBeLessThan(50)
  })
})

describe("write", () => {
  const all: Options = { allowsWrites: true }

  it("changes what can be undone at once", async () => {
    await using server = await connected(all)
    const created = await server.ask("write", {
      operation: "endUser.requests.create",
      input: { payload: { type: "VISIT", title: "A visit" } }
    })
    expect(created.json()).toMatchObject({ type: "VISIT", title: "A visit", status: "pending" })
    expect(server.sent()).toEqual(["requests.create"])
  })

  it("sends files whose content stands in the input, and reads none of this machine", async () => {
    await using server = await connected(all)
    const file = { name: "note.txt", type: "text/plain", base64: Buffer.from("hello").toString("base64") }
    const stored = await server.ask("write", { operation: "private.files.upload", input: { file } })
    expect(stored.json()).toMatchObject({ name: "note.txt", size: 5 })
    const path = await server.ask("write", {
      operation: "private.files.upload",
      input: { file: "/etc/passwd" }
    })
    expect(path).toMatchObject({ isError: true, texts: [expect.stringContaining("as text or as base64")] })
    for (const wrong of [
      { ...file, base64: "!" },
      { ...file, text: "hello" },
      { ...file, typ: "text/plain" },
      { ...file, type: 5 },
      { name: "note.txt" }
    ])
      expect(
        await server.ask("write", { operation: "private.files.upload", input: { file: wrong } })
      ).toMatchObject({
        isError: true,
        texts: [expect.stringContaining('The field "file" is a file')]
      })
    expect(server.sent()).toEqual(["files.upload"])
  })

  it("shows a file that is text with the account's secrets masked, and of another one its kind and its size", async () => {
    await using server = await connected(all)
    const stored = async (file: Record<string, string>) => {
      const sent = await server.ask("write", { operation: "private.files.upload", input: { file } })
      const { _id: id } = sent.json() as { readonly _id: string }
      return (await server.ask("read", { operation: "admin.files.download", input: { id } })).texts[0]
    }
    const { password } = Sandbox.accounts.admin
    const note = await stored({ name: "note.txt", text: `first\n${password} is the password\n` })
    expect(note).toMatch(/^first\n•+ is the password\n$/)
    const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]).toString("base64")
    expect(await stored({ name: "a.png", base64: image })).toMatch(/^A PNG image, 9 bytes\./)
  })

  it("refuses what the admin's token does not permit, before anybody is asked or anything is sent", async () => {
    await using server = await connected({
      ...all,
      admin: Sandbox.accounts.viewer,
      person: () => Promise.reject(new Error("asked"))
    })
    const answer = await server.ask("write", { operation: "admin.users.delete", input: { id: "u1" } })
    expect(answer.isError).toBe(true)
    expect(answer.texts[0]).toMatch(
      /does not permit it: it needs users\.delete at level Write.*Nothing was sent/
    )
    expect(server.sent()).toEqual([])
  })

  it("asks a person first, with all that would happen, where the client can", async () => {
    const questions: Array<string> = []
    await using server = await connected({
      ...all,
      person: (question) => {
        questions.push(question)
        return { action: "accept", content: { agreed: true } }
      }
    })
    const refund = await refundOf(server)
    expect((await server.ask("write", refund)).isError).toBe(false)
    expect(questions).toHaveLength(1)
    expect(questions[0]).toContain(`POST http://sandbox.test/payment/transaction/${refund.input.id}/refund`)
    expect(questions[0]).toMatch(/"amount": 100[\s\S]*Now: .*status: "succeeded"[\s\S]*It is about money/)
    expect(server.sent().filter((name) => name === "payments.refund")).toHaveLength(1)
  })

  it.each([
    ["declines", { action: "decline" }, "The user did not agree"],
    [
      "sends the form as it stands",
      { action: "accept", content: { agreed: false } },
      "The user did not agree"
    ],
    ["sends an empty form", { action: "accept", content: {} }, "The user did not agree"],
    ["closes it", { action: "cancel" }, "could not be asked, or did not answer"]
  ] as const)(
    "sends nothing where the person %s, whatever confirmation the model gives",
    async (_, said, message) => {
      await using server = await connected({ ...all, person: () => said })
      const refund = await refundOf(server)
      const answer = await server.ask("write", { ...refund, confirmation: "yes" })
      expect(answer).toMatchObject({ isError: true, texts: [expect.stringContaining(message)] })
      expect(server.sent()).not.toContain("payments.refund")
    }
  )

  it("refuses at first where the client cannot ask, and takes the confirmation of exactly that call once", async () => {
    await using server = await connected(all)
    const refund = await refundOf(server)
    const refused = await server.ask("write", refund)
    expect(refused.texts[0]).toMatch(
      /^Nothing was sent yet[\s\S]*POST http[\s\S]*"amount": 100[\s\S]*wait for their answer/
    )
    const changedInput = { ...refund.input, payload: { amount: 1_000_000 } }
    const changed = await server.ask("write", {
      ...refund,
      input: changedInput,
      confirmation: confirmationIn(refused)
    })
    expect(changed.texts[0]).toContain("The confirmation is not for this call")
    expect(server.sent()).not.toContain("payments.refund")
    const again = await server.ask("write", { ...refund, confirmation: confirmationIn(refused) })
    expect(again.texts[0], "it was used up by the changed call").toContain("was used before")
    const confirmation = confirmationIn(again)
    expect((await server.ask("write", { ...refund, confirmation })).isError).toBe(false)
    expect((await server.ask("write", { ...refund, confirmation })).texts[0]).toContain("was used before")
    expect(server.sent().filter((name) => name === "payments.refund")).toHaveLength(1)
  })

  it("takes no confirmation of a model where a person has to agree", async () => {
    await using server = await connected({ ...all, confirmation: "person" })
    const answer = await server.ask("write", await refundOf(server))
    expect(answer).toMatchObject({
      isError: true,
      texts: [expect.stringContaining("needs a person's consent")]
    })
    expect(confirmationIn(answer)).toBe("")
  })

  it("asks before each call that deletes, moves money, writes to people or gives power, and before no other", () => {
    const risks = entries.flatMap((entry) =>
      riskOf(entry) === undefined ? [] : [`${riskOf(entry)} ${entry.name}`]
    )
    const words = (text: string) => text.split(" ").sort()
    const named = (risk: string) =>
      [...new Set(risks)].flatMap((key) => (key.startsWith(risk) ? [key.slice(risk.length + 1)] : [])).sort()
    expect(named("money")).toEqual(words("payments.payWithLink payments.refund"))
    expect(named("access")).toEqual(
      words("admins.create admins.update roles.addPermission roles.create roles.update")
    )
    expect(named("message")).toEqual(
      words("notifications.pushToUsers notifications.send notifications.sendInApp notifications.sendSms")
    )
    expect(named("deletion")).toEqual(
      words(
        "admins.delete boxes.delete content.delete contentModels.delete entities.delete events.delete files.delete " +
          "models.delete models.deleteField profile.unblock profile.unfollow requests.delete roles.delete " +
          "roles.removePermission users.delete"
      )
    )
  })

  it("sends nothing when its caller cancels it while a person is asked", async () => {
    const controller = new AbortController()
    await using server = await connected({
      ...all,
      person: () => {
        controller.abort()
        return { action: "accept", content: { agreed: true } }
      }
    })
    const refund = await refundOf(server)
    await expect(server.ask("write", refund, { signal: controller.signal })).rejects.toThrow()
    await expect.poll(() => server.log.at(-1)).toMatch(/^write admin\.payments\.refund: cancelled/)
    expect(server.sent()).not.toContain("payments.refund")
  })
})

describe("a confirmation", () => {
  const entry = entries.find(({ key }) => key === "admin.users.delete")
  if (entry === undefined) throw new Error("users.delete is gone")
  const request = {
    entry,
    input: { id: "u1" },
    risk: "deletion",
    preview: "…",
    confirmation: undefined
  } as const
  const noted = { progress: () => Effect.void, ask: undefined }

  effect("is good for ten minutes", function* () {
    const confirm = Confirmation.make("auto", () => "id-1")
    yield* Effect.flip(confirm(request, noted))
    yield* TestClock.adjust("10 minutes")
    const late = yield* Effect.flip(confirm({ ...request, confirmation: "id-1" }, noted))
    expect(late.message).toContain("too old")
    yield* TestClock.adjust("9 minutes")
    yield* confirm({ ...request, confirmation: "id-1" }, noted)
  })

  effect("is forgotten when a hundred others wait", function* () {
    let count = 0
    const confirm = Confirmation.make("auto", () => `id-${count++}`)
    for (let index = 0; index <= 100; index++)
      yield* Effect.flip(confirm({ ...request, input: { id: `u${index}` } }, noted))
    yield* confirm({ ...request, input: { id: "u100" }, confirmation: "id-100" }, noted)
    yield* Effect.flip(confirm({ ...request, input: { id: "u0" }, confirmation: "id-0" }, noted))
  })
})

describe("secrets", () => {
  it("are in no answer and in no line of the log: credentials, and fields that are named like secrets", async () => {
    await using server = await connected({ allowsWrites: true })
    const { accounts } = Sandbox
    const answers = await Promise.all(
      [
        ["admin.projects.get", { id: accounts.projectId }],
        ["admin.providers.list", {}],
        ["public.project.self", {}],
        ["admin.requests.get", { id: accounts.admin.password }]
      ].map(([operation, input]) => server.ask("read", { operation, input }))
    )
    const echoed = await server.ask("write", {
      operation: "endUser.requests.create",
      input: {
        payload: { type: "VISIT", title: `It says ${accounts.privateKey} and ${accounts.admin.password}` }
      }
    })
    expect(echoed.json()).toMatchObject({ title: expect.stringMatching(/^It says •+ and •+$/) })
    const shown = [...answers, echoed].flatMap(({ texts }) => texts).join("\n") + server.log.join("\n")
    expect([accounts.admin.password, accounts.privateKey].filter((secret) => shown.includes(secret))).toEqual(
      []
    )
  })
})

describe("the log", () => {
  it("holds what was called, how it ended and which field is wrong, and no value", async () => {
    await using server = await connected({ allowsWrites: true })
    const fail = async (tool: string, args: Record<string, unknown>) =>
      [(await server.ask(tool, args)).texts.join(), server.log.at(-1) ?? ""] as const
    const account = { operation: "admin.admins.create", input: '{"password": "Hunter2-secret"}' }
    const [refused, line] = await fail("write", account)
    expect(refused).toContain("input: must be an object, not a text that holds one")
    expect(line).toMatch(/^write admin\.admins\.create: refused, \d+ ms$/)
    expect(refused + line).not.toContain("Hunter2")
    const [, input] = await fail("read", { operation: "admin.requests.get", input: { id: true } })
    expect(input).toMatch(/^read admin\.requests\.get: failed \(InputError, field id\), \d+ ms$/)
    const [, none] = await fail("read", { operation: "admin.requests.get", input: { id: "no-such-thing" } })
    expect(none).toMatch(/^read admin\.requests\.get: failed \(NotFound, HTTP 404\), \d+ ms$/)
    const [, unknown] = await fail("read", { operation: "password Hunter2-secret\nread: done" })
    expect(unknown).toMatch(/^read: refused, \d+ ms$/)
  })
})

describe("docs", () => {
  it("lists the pages, finds sections by words, and gives them", async () => {
    await using server = await connected({ only: [] })
    expect((await server.ask("docs")).json()).toMatchObject({ "docs/errors.md": "Errors" })
    const sections = searched(await server.ask("docs", { words: "idempotency key of a write" }))
    expect(sections.map(({ page = "" }) => page.split("#")[0])).toContain("docs/resilience.md")
    const section = await server.ask("docs", { page: sections[0]?.page })
    expect(section.texts[0]).toMatch(/^#/)
    const page = await server.ask("docs", { page: "docs/resilience.md" })
    const rest = await server.ask("docs", { page: "docs/resilience.md", from: most })
    expect([page.texts[0]?.length, (rest.texts[0]?.length ?? 0) > 100]).toEqual([most, true])
    expect((await server.ask("docs", { page: "docs/nothing.md" })).isError).toBe(true)
  })
})
