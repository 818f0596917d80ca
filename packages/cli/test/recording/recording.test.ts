// Recordings: what is learnt of answers decodes them all, says the same in any order, and holds none of their values.
import { describe, expect } from "@effect/vitest"
import { Decoder, type Typed } from "@quartet/sdk/extend"
import { answerFields, described } from "@quartet/sdk/extend/description"
import * as Public from "@quartet/sdk/public"
import { effect } from "@quartet/support/effect.js"
import * as Fake from "@quartet/support/fake-transport.js"
import { formatted, load } from "@quartet/support/written.js"
import { type SchemaAST as AST, Effect, Either, FastCheck as fc, Layer } from "effect"
import { test } from "vitest"
import { declaredOf } from "../../recording/calls.js"
import { fieldsOf, itemOf } from "../../recording/declared.js"
import * as Recording from "../../recording/index.js"
import { isData } from "../../recording/keys.js"

const id = "65f0c1a2b3c4d5e6f7a8b9c0"
const seen = {
  method: "GET",
  path: "/project/p1/entity/page/1",
  headers: ["authorization"],
  operation: "entities.get"
}

const record = (answers: ReadonlyArray<unknown>, options?: Recording.Options): Recording.Recording => {
  const recorder = Recording.make(options)
  for (const answer of answers) recorder.learn(seen, answer)
  return recorder.recording()
}

const name = "AdminEntitiesGet"
const typeIn = (text: string): string =>
  text.slice(text.indexOf(`export interface ${name} {`)).split("\n}")[0] ?? ""
const typeOf = (answers: ReadonlyArray<unknown>, options?: Recording.Options): string =>
  typeIn(Recording.module(record(answers, options)))

/** Answers whose fields come again, with other kinds of values. */
const value = fc
  .letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom(null, true, 7, 1.5, "", "pending", "done", id, "2024-05-01T10:00:00Z", "2024-05-01"),
      fc.string(),
      fc.array(tie("json"), { maxLength: 4 }),
      fc.dictionary(
        fc.constantFrom("_id", "a", "b", "status", "__proto__", "class", "first-name", id, "a b"),
        tie("json"),
        {
          maxKeys: 6
        }
      ),
      fc.dictionary(fc.string(), tie("json"), { maxKeys: 3 })
    )
  }))
  .json.map((json) => JSON.parse(JSON.stringify(json)) as unknown)
const answers = fc.array(value, { minLength: 1, maxLength: 8 })

describe("a recording", () => {
  test.each<[string, ReadonlyArray<unknown>, ReadonlyArray<string>, Recording.Options?]>([
    ["optional only what was absent", [{ a: 1, b: 1 }, { a: 2 }], ["a: number;", "b?: number | undefined;"]],
    ["null where null was seen", [{ a: 1 }, { a: null }], ["a: number | null;"]],
    ["nothing of what was only null", [{ a: null }], ["a: unknown;"]],
    [
      "several kinds as a union",
      [{ a: 1 }, { a: "x" }, { a: [true] }],
      ["a: string | number | ReadonlyArray<boolean>;"]
    ],
    [
      "ids as text, and date-times as Dates",
      [{ a: id, b: "2024-05-01T10:00:00Z" }],
      ["a: string;", "b: Date;"]
    ],
    [
      "both where only some texts are date-times",
      [{ a: "2024-05-01T10:00:00Z" }, { a: "soon" }],
      ["a: Date | string;"]
    ],
    ["nothing of the items of a list that was empty", [{ a: [] }], ["a: ReadonlyArray<unknown>;"]],
    ["nothing of an object without fields", [{ a: {} }], ["a: Readonly<Record<string, unknown>>;"]],
    ["objects by names of their own", [{ a: { b: 1 } }], ["a: AdminEntitiesGetA;"]],
    [
      "names that are data as a record",
      [{ a: { [id]: 1, "x@y.z": 2 } }],
      ["a: Readonly<Record<string, number>>;"]
    ],
    ["text, of a field with few words", [{ status: "pending" }], ["status: string;"]],
    [
      "a field's words where they are wanted, open for others",
      [{ status: "b" }, { status: "a" }],
      ["status: AdminEntitiesGetStatus;"],
      { enums: ["status"] }
    ],
    [
      "no words of a field that is named like a secret",
      [{ password: "b" }],
      ["password: string;"],
      { enums: ["password"] }
    ]
  ])("says %s", (_, samples, lines, options) => {
    const said = typeOf(samples, options)
    for (const line of lines) expect(said).toContain(`  readonly ${line}`)
  })

  test.each([
    "alice@example.com",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijkl",
    "550e8400-e29b-41d4-a716-446655440000",
    id,
    "sk_live_abcdefghijkl",
    "10.0.0.1",
    "GE29NB0000000101904917",
    "4111111111111111",
    "2024-05-01",
    "a word, and more of them than an enumeration has",
    "NOT PAID BY JOHN",
    "diagnosed with diabetes"
  ])("keeps of a field no words where one of its values is no word: %s", (value) => {
    const recording = record([{ type: "sent" }, { type: value }], { enums: ["type"] })
    expect(Recording.words(recording)).toEqual([])
    for (const text of [Recording.stringify(recording), Recording.module(recording)])
      expect(text).not.toContain(value)
  })

  test("tells the words that it keeps, to be looked over", () => {
    const values = ["in progress", "NOT_STARTED", "SUCCEEDED", "USD", "user_accepted"]
    const recording = record(
      values.map((status) => ({ inner: [{ status }] })),
      { enums: ["status"] }
    )
    expect(Recording.words(recording)).toEqual([...values].sort())
  })

  test("says many names that vary as a record, though none looks like data", () => {
    const places =
      "Vake Saburtalo Mtatsminda Sololaki Vera Chugureti Avlabari Didi Isani Gldani Nadzaladevi Krtsanisi Ortachala".split(
        " "
      )
    const recording = record(places.map((place, at) => ({ counts: { [place]: at } })))
    expect(typeIn(Recording.module(recording))).toContain(
      "  readonly counts: Readonly<Record<string, number>>;"
    )
    expect(Recording.stringify(recording)).not.toContain("Vake")
  })

  test.each<[string, ReadonlyArray<unknown>]>([
    ["one of whose names looks like data", [{ a: { alice_smith: 1, user_8f3kd92: 2 } }]],
    ["whose names vary", [{ a: { nino: 1 } }, { a: { giorgi: 2 } }, { a: { salome: 3 } }]],
    ["whose names begin with capitals", [{ a: { Nino: 1, Vake: 2 } }]],
    ["whose one name begins with a capital", [{ a: { Nino: 1 } }]],
    ["of objects that are alike", [{ a: { nino: { ip: 1 }, giorgi: { ip: 2 } } }]],
    ["of maps", [{ a: { nino: { [id]: 1 }, giorgi: { [id]: 2 } } }]]
  ])("says an object %s as a record", (_, samples) => {
    expect(typeOf(samples)).toMatch(/^ {2}readonly a: Readonly<Record<string, .*>>;$/m)
    const text = `${Recording.stringify(record(samples))}${Recording.module(record(samples))}`
    expect(text).not.toMatch(/nino|alice|vake/i)
    expect(Recording.undeclared(record(samples))).toEqual(["a", ...(/\bip\b/.test(text) ? ["ip"] : [])])
  })

  test.each([
    "byUser",
    "countsByCity",
    "byCity_",
    "userMap",
    "likes_by_user",
    "user_by_id",
    "user_map",
    "userMAP"
  ])("says what is called %s as a record", (field) => {
    const text = Recording.module(record([{ [field]: { nino: 1 } }]))
    expect(text).toContain(`  readonly ${field}: Readonly<Record<string, number>>;`)
    expect(text).not.toContain("nino")
  })

  test.each<[string, ReadonlyArray<unknown>]>([
    ["several kinds of values", [{ nino: 1, giorgi: "x" }, { salome: true }, { dato: 1 }]],
    [
      "names that always come",
      [
        { total: 1, open: 2 },
        { total: 3, open: 4 }
      ]
    ],
    ["objects that differ", [{ billing: { street: "x" }, contact: { email: "x" } }]]
  ])("says an object with %s by its fields", (_, samples) => {
    for (const name of Object.keys(Object(samples[0]))) expect(typeOf(samples)).toContain(`readonly ${name}`)
  })

  test("says a map by the name of its field, and fields by theirs, where it is told", () => {
    const samples = [{ likes: { alice_smith: 1 }, homes: { billing: { a: 1 }, B12_x: { a: 2 } } }]
    const withHints = record(samples, { maps: ["likes"], fields: ["B12_x"] })
    for (const recording of [withHints, Either.getOrThrow(Recording.parse(Recording.stringify(withHints)))]) {
      const text = Recording.module(recording)
      expect(text).toContain("readonly likes: Readonly<Record<string, number>>;")
      expect(text).toContain("readonly B12_x: AdminEntitiesGetHomesB12X;")
      expect(text).not.toContain("alice")
    }
    expect(Recording.undeclared(record(samples))).toEqual(["a", "alice_smith", "homes", "likes"])
    expect(Recording.undeclared(withHints)).toEqual(["B12_x", "a", "billing", "homes", "likes"])
  })

  test("keeps every name that an operation declares", () => {
    const namesIn = (ast: AST.AST, seen = new Set<AST.AST>()): ReadonlyArray<string> => {
      if (seen.has(ast)) return []
      seen.add(ast)
      const fields = [...fieldsOf(ast)]
      const item = itemOf(ast)
      return [
        ...fields.flatMap(([name, type]) => [name, ...namesIn(type, seen)]),
        ...(item === undefined ? [] : namesIn(item, seen))
      ]
    }
    const names = described.flatMap((call) => {
      const ast = declaredOf(call)
      return ast === undefined ? [] : namesIn(ast)
    })
    expect(names.length).toBeGreaterThan(200)
    expect(names.filter(isData)).toEqual([])
  })

  test("knows names of fields from data by their spelling", () => {
    const fields =
      "_id id a createdAt created_at first-name address1 line2Text sha256 URL apiURL htmlBody isActive totalCountOfOpenRequests " +
      "backgroundColor $ref __typename xAxis utm_source jsonld nextjs length strengths XMLParser postscript jwt q wxid"
    expect(fields.split(" ").filter(isData)).toEqual([])
    const data =
      "V1StGXR8_Z5jdHi6B-myT kTxQwZbVhMnLpRsuYfGdAbCdEfGh U02AB3CDE cjld2cjxh000qzrmn831i7rn user_8f3kd92 auth0_abcdef " +
      "sk_live_abcdEFGHijkl AB123CD item_12 2024-05-01 +995555123456 x@y.z ნინო Alice_Smith xkqwzbvhmnlprsuyf 01HQ3K5 " +
      "d41d8cd98f00b204e9800998ecf8427e 550e8400-e29b-41d4-a716-446655440000 " +
      "WCILHLYKKYLUULEKFHJE KoGYNOiYjItKyklqGtefiIST SUMMER"
    expect(data.split(" ").filter((key) => !isData(key))).toEqual([])
  })

  test("keeps no key of a map: ids, tokens, people, plates", () => {
    const letters = "abcdefghijklmnopqrstuvwxyz"
    const of = (characters: string, minLength: number, maxLength = minLength) =>
      fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength })
    const all = `${letters}${letters.toUpperCase()}0123456789`
    const key = fc.oneof(
      of(`${all}_-`, 21),
      of(`${letters}${letters.toUpperCase()}`, 28),
      fc
        .tuple(fc.constantFrom("U", "T", "C"), of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", 10))
        .map((part) => part.join("")),
      of(`${letters}0123456789`, 24).map((rest) => `c${rest}`),
      fc
        .tuple(fc.constantFrom("user", "cus", "acct"), of(`${letters}0123456789`, 14))
        .map((part) => part.join("_")),
      of(all, 24).map((rest) => `sk_live_${rest}`),
      fc
        .tuple(of("ABCXYZ", 2), fc.integer({ min: 100, max: 999 }), of("ABCXYZ", 2))
        .map((part) => part.join("")),
      fc.constantFrom("ნინო", "გიორგი", "Nino", "Giorgi", "nino", "giorgi", "alice_smith", "bob_jones"),
      fc.emailAddress(),
      fc.uuid()
    )
    fc.assert(
      fc.property(
        fc.uniqueArray(key, { minLength: 6, maxLength: 20 }),
        fc.constantFrom<ReadonlyArray<unknown>>([1], ["x", null], [{ ip: 1 }]),
        (keys, values) => {
          const entry = (key: string, at: number) => [key, values[at % values.length]] as const
          const together = [{ byKey: Object.fromEntries(keys.map(entry)) }]
          const apart = keys.map((key, at) => ({ byKey: Object.fromEntries([entry(key, at)]) }))
          for (const samples of keys.some(isData) ? [together, apart] : [apart]) {
            const recording = record(samples)
            for (const text of [Recording.stringify(recording), Recording.module(recording)])
              for (const key of keys) expect(text).not.toContain(JSON.stringify(key).slice(1, -1))
          }
        }
      )
    )
  })

  test("keeps what is declared beside what was seen: fields that did not come, and words", () => {
    const recorder = Recording.make()
    recorder.learn(
      { method: "GET", path: "/request-action/1", headers: ["authorization"] },
      { _id: id, status: "pending" }
    )
    const text = Recording.module(recorder.recording())
    expect(text).toContain("  readonly status: AdminRequestsGetStatus;\n")
    expect(text).toContain('  | "user_accepted"\n')
    expect(text).toContain(
      "  /** Not seen so far: as the SDK declares it. */\n  readonly version?: number | null | undefined;\n"
    )
  })

  /** The module of a call's answer, by the call's method and path. */
  const moduleOf = (method: string, path: string, answer: unknown): string => {
    const recorder = Recording.make()
    recorder.learn({ method, path, headers: ["authorization"] }, answer)
    return Recording.module(recorder.recording())
  }
  /** The names of the fields in a module's interfaces. */
  const namesIn = (text: string): ReadonlyArray<string> =>
    Array.from(text.matchAll(/^ {2}readonly ([\w-]+)\??:/gm), ([, name = ""]) => name)

  test("says of an assumed field what came, at any depth, and nothing where it did not come", () => {
    const lines = [{ quantity: "2", weight: 1 }]
    const text = moduleOf("GET", "/project/p1/order/1", { _id: id, total: "12.50", status: "paid", lines })
    expect(namesIn(text)).toEqual(["quantity", "weight", "_id", "lines", "status", "total"])
    for (const field of ["total: string;", "status: string;", "quantity: string;", "weight: number;"])
      expect(text).toContain(`  readonly ${field}\n`)
    expect(text).not.toContain("Not seen so far")
  })

  test("has no words of an enumeration that is assumed", () => {
    const path = "/conversations/1/messages"
    const text = moduleOf("GET", path, [{ _id: id, text: "hello", sender: { kind: "admin" } }])
    expect(text).toContain("  readonly kind: string;\n")
    expect(text).not.toContain("endUser")
    expect(namesIn(text)).toEqual([
      "kind",
      "_id",
      "sender",
      "text",
      "conversationId",
      "createdAt",
      "clientId"
    ])
  })

  test("says what came alone of an answer that is assumed as a whole", () => {
    const text = moduleOf("POST", "/payment/transaction/1/refund", { ok: true })
    expect(namesIn(text)).toEqual(["ok"])
  })

  test("adds no assumed field to an empty answer of any call", () => {
    const added = described.map(({ audience, declared, key, name }) => {
      const recorder = Recording.make({ client: audience })
      const path = `/${declared.path.replaceAll(/[{}]/g, "")}`
      const answer = "page" in declared.success ? [{}] : {}
      recorder.learn({ method: declared.method, path, headers: [], operation: name }, answer)
      const text = Recording.module(recorder.recording())
      const names = namesIn(text.slice(text.lastIndexOf("export interface")))
      const assumed = answerFields(declared).filter(
        ({ isAssumed, name }) => isAssumed && names.includes(name)
      )
      return { key, names, assumed: assumed.map(({ name }) => name) }
    })
    expect(added.filter(({ assumed }) => assumed.length > 0)).toEqual([])
    expect(added.find(({ key }) => key === "admin.users.get")?.names).toContain("email")
  })

  test("writes a module that no formatter changes", () => {
    const long = "aFieldWithALongNameThatGoesOnAndOnAndOnUntilALineIsFull"
    const text = Recording.module(
      record([{ [long]: [{ a: "x", b: 1 }], "first-name": { [id]: { c: [1, "x", null] } } }, {}], {
        enums: ["a"]
      })
    )
    expect(text).toBe(formatted(text))
  })

  test.each(["effect", "promise"] as const)(
    "writes a module that decodes everything that it was recorded from (%s)",
    (face) => {
      fc.assert(
        fc.property(answers, fc.boolean(), (samples, isEnum) => {
          const text = Recording.module(record(samples, { enums: isEnum ? ["status", "a"] : [] }), face)
          const decode = Decoder.make(load(text)[name] as Typed<unknown>)
          for (const answer of samples)
            expect(Either.isRight(decode(structuredClone(answer), JSON.stringify(answer)))).toBe(true)
        }),
        { numRuns: 300 }
      )
    }
  )

  test("says the same however its parts are joined, and joined with itself", () => {
    fc.assert(
      fc.property(answers, answers, answers, (...parts) => {
        const [a, b, c] = parts.map((part) => record(part, { enums: ["status"] })) as [
          Recording.Recording,
          Recording.Recording,
          Recording.Recording
        ]
        const { merge } = Recording
        expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)))
        expect(merge(a, b)).toEqual(merge(b, a))
        expect(merge(a, Recording.empty)).toEqual(a)
        expect(merge(a, b)).toEqual(record([...parts[0], ...parts[1]], { enums: ["status"] }))
        expect(Recording.module(merge(a, a))).toBe(Recording.module(a))
        expect(Recording.drift(merge(a, b), a)).toEqual([])
      }),
      { numRuns: 200 }
    )
  })

  test("is the same after it was kept as a file, save names that vary like data", () => {
    fc.assert(
      fc.property(answers, (samples) => {
        const recording = record(samples)
        const text = Recording.stringify(recording)
        const kept = Either.getOrThrow(Recording.parse(text))
        expect(Recording.stringify(kept)).toBe(text)
        expect(Recording.module(kept)).toBe(Recording.module(recording))
      })
    )
  })

  test("holds no value, neither in its file nor in its module, nor a name that is data", () => {
    const secret = fc.stringMatching(/^[A-Za-z]{6,12} [A-Za-z0-9@.]{6,12}$/)
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1 }), fc.integer({ min: 1_000_000 }), (texts, number) => {
        const answer = {
          name: texts[0],
          list: texts,
          byName: Object.fromEntries(texts.map((text) => [text, number]))
        }
        const recording = record([answer, { [`${number}`]: texts }])
        for (const text of [Recording.stringify(recording), Recording.module(recording)])
          for (const word of [...texts, String(number)]) expect(text).not.toContain(word)
      })
    )
  })
})

describe("a HAR", () => {
  const item = `/item/${id}`
  /** As a browser writes an entry. */
  const entry = (
    url: string,
    { headers = ["Authorization"], ...content }: Readonly<Record<string, unknown>> = {}
  ) => ({
    request: {
      method: "GET",
      url,
      headers: (headers as ReadonlyArray<string>).map((name) => ({ name, value: "x" }))
    },
    response: {
      status: 200,
      content: {
        size: 9,
        mimeType: "application/json",
        text: JSON.stringify({ _id: id, price: 1 }),
        ...content
      }
    }
  })
  const har = (...entries: ReadonlyArray<object>) => JSON.stringify({ log: { version: "1.2", entries } })
  const learn = (text: string, ...addresses: ReadonlyArray<string>) => {
    const recorder = Recording.make()
    const learnt = Recording.learnHar(recorder, text, { addresses })
    return Either.match(learnt, {
      onLeft: ({ field, rule }) => `${field} ${rule}`,
      onRight: ({ left, taken }) => ({ taken, left, calls: Object.keys(recorder.recording().calls) })
    })
  }
  const calls = ["admin.items.get"]

  test("is learnt from where one origin has the platform's headers, others are left", () => {
    const text = har(
      entry(`https://api.acme.test/v2${item}`),
      entry("https://app.acme.test/assets/item/en.json", { headers: [] }),
      entry("https://cdn.shop.test/content/item/lottie.json", { headers: [] }),
      entry("https://api.acme.test/assets/item/en.json", { headers: [] }),
      entry("https://api.acme.test/v1/cms/structure", { headers: [] })
    )
    expect(learn(text)).toEqual({ taken: 1, left: 4, calls })
    expect(learn(`\uFEFF${text}`)).toEqual({ taken: 1, left: 4, calls })
  })

  test("is taken of the addresses that are named alone, by whole paths", () => {
    const text = har(
      entry(`https://api.acme.test/v2${item}`),
      entry(`https://api.acme.test/v2/assets${item}`),
      entry(`https://api.acme.test${item}`),
      entry(`https://other.test${item}`)
    )
    expect(learn(text, "https://api.acme.test/v2")).toEqual({ taken: 1, left: 3, calls })
    expect(learn(text, "https://api.acme.test/v2/", "https://other.test")).toMatchObject({ taken: 2 })
    expect(learn(text, "https://none.test")).toBe(
      "addresses must be of the HAR, whose requests went to https://api.acme.test, https://other.test"
    )
    expect(learn(text, "none")).toBe("addresses must be an http or https URL")
  })

  test("is refused where it does not say which origin is the platform", () => {
    expect(learn(har(entry(`https://a.test${item}`), entry(`https://b.test${item}`)))).toBe(
      "addresses must name the platform, because requests to several have its headers: https://a.test, https://b.test"
    )
    expect(learn(har(entry(`https://a.test${item}`, { headers: ["accept"] })))).toBe(
      "addresses must name the platform, because no request has its headers: https://a.test"
    )
    expect(learn("[]")).toBe("text must be a HAR: { log: { entries } }")
    expect(learn(har())).toEqual({ taken: 0, left: 0, calls: [] })
  })

  test("is read with bodies in base64, as browsers write them, and without those that are cut or no JSON", () => {
    const text = btoa(JSON.stringify({ _id: id, price: 1 }))
    const url = `https://api.acme.test${item}`
    const harText = har(
      entry(url, { text, encoding: "base64" }),
      entry(url, { text: "%", encoding: "base64" }),
      entry(url, { text: text.slice(0, 9), encoding: "base64" }),
      entry(url, { text: '{"_id":' }),
      entry(url, { text: undefined }),
      {}
    )
    expect(learn(harText)).toEqual({ taken: 1, left: 5, calls })
  })

  test("of a request without the platform's headers is learnt only where the caller says whose it is", () => {
    const text = har(entry(`https://a.test${item}`, { headers: ["accept"] }))
    expect(learn(text, "https://a.test")).toEqual({ taken: 0, left: 1, calls: [] })
    const recorder = Recording.make({ client: "endUser" })
    Recording.learnHar(recorder, text, { addresses: ["https://a.test"] })
    expect(Object.keys(recorder.recording().calls)).toEqual(["endUser.items.get"])
  })
})

effect("a transport of a recorder teaches it every answer, and passes all on", function* () {
  const recorder = Recording.make()
  const answered = { _id: id, price: 1 }
  const below = Fake.make([
    Fake.json(200, answered),
    Fake.json(404, { message: "gone" }),
    Fake.text(200, "{")
  ])
  const client = Public.layer({ baseUrl: "https://api.example.test/v2", apiKey: "key-1" })
  const transport = Layer.provide(Recording.layer(recorder), below.layer)
  const get = Effect.either(Effect.provide(Public.items.get({ id: "1" }), Layer.provide(client, transport)))
  expect(yield* get).toEqual(Either.right(answered))
  const calls = recorder.recording()
  expect(Object.keys(calls.calls)).toEqual(["public.items.get"])
  expect(yield* get).toMatchObject({ left: { _tag: "NotFound" } })
  expect(yield* get).toMatchObject({ left: { _tag: "AnswerError" } })
  expect(recorder.recording()).toEqual(calls)
})

test("a recording's file may begin with a byte order mark", () => {
  const text = Recording.stringify(record([{ a: 1 }]))
  expect(Recording.parse(`\uFEFF${text}`)).toEqual(Recording.parse(text))
})
