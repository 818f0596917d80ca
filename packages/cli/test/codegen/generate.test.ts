// What is written of content models: every field type, every name, cycles; the same text for the same models.

import { formatted, load } from "@quartet/support/written.js"
import { describe, expect, test } from "vitest"
import { changes, generate, lacks, type Models } from "../../codegen/index.js"

const field = (apiId: string, type: string, more: object = {}) => ({
  _id: `f-${apiId}`,
  apiId,
  name: apiId,
  type,
  ...more
})
const model = (apiId: string, ...fields: ReadonlyArray<object>) => ({
  _id: `m-${apiId}`,
  apiId,
  name: apiId,
  fields
})
const of = (...models: ReadonlyArray<object>): Models => ({ models, contentModels: [] })

/** The lines of one interface. */
const typeOf = (text: string, name: string): string =>
  (text.slice(text.indexOf(`export interface ${name} {`)).split("\n}")[0] ?? "").replaceAll(
    /^ *\/\*.*\n/gm,
    ""
  )

/** The names that a module imports and does not use: types are erased and comments dropped before it looks. */
const unusedIn = (text: string): ReadonlyArray<string> => {
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/[\w$]+\??:/g, "")
  const names = Array.from(
    code.matchAll(/^import (?:\* as (\w+)|\{ (.*) \}) from/gm),
    ([, all, some = ""]) =>
      all === undefined ? some.split(", ").map((name) => name.replace("type ", "")) : [all]
  ).flat()
  const body = code.replaceAll(/^import .*$/gm, "")
  return names.filter((name) => !new RegExp(`\\b${name}\\b`).test(body))
}

const long = "a-very-long-model-name-that-goes-on-and-on-and-on-until-the-line"
const strange = of(
  model(
    "news",
    field("first-name", "TEXT"),
    field("__proto__", "TEXT"),
    field("42", "NUMERIC"),
    field("კითხვა", "TEXT"),
    field('qu"ote', "TEXT"),
    field("class", "TEXT"),
    field(`${long}Of`, long, { isList: true }),
    field(`${long}s`, "TEXT", { many: true }),
    field("building", "REFERENCE", { modelId: "m-building" }),
    field("related", "news", { isList: true }),
    field("stars", "STARS */"),
    field("address", "OBJECT", { fields: [field("street", "TEXT"), field("since", "DATE")] })
  ),
  model("building", field("news", "news", { multiple: true })),
  ...["news-", "class", "date", "2024", "სიახლე", "***", "collection", long].map((name) => model(name))
)

describe("a module of content models", () => {
  test.each([
    ["TEXT", "string | null | undefined"],
    ["NUMERIC", "number | null | undefined"],
    ["BOOLEAN", "boolean | null | undefined"],
    ["DATE", "Date | null | undefined"],
    ["FILE", "string | null | undefined"],
    ["JSON", "unknown"],
    ["text", "string | null | undefined"],
    ["STARS", "unknown"],
    ["", "unknown"],
    ["news", "string | News | null | undefined"]
  ])("says a field of the type %j as %s", (type, said) => {
    expect(typeOf(generate(of(model("news", field("it", type)))), "News")).toContain(
      `  readonly it?: ${said};`
    )
  })

  test("says of a type that it does not know which it is", () => {
    expect(generate(of(model("news", field("it", "STARS"))))).toContain(
      "  /** it (STARS). This type is not known, so neither are its values. */\n  readonly it?: unknown;"
    )
  })

  test.each([
    ["REFERENCE", { target: "news" }, "string | News"],
    ["relation", { targetModelId: "m-news" }, "string | News"],
    ["MANY_TO_ONE", { model: { _id: "m-news" } }, "string | News"],
    ["link", { targets: ["news", "m-faq"] }, "string | Faq | News"],
    ["REFERENCE", { relatedTo: ["news"], isList: true }, "ReadonlyArray<string | News>"]
  ])("says a %s with %j as entries of the models that it names", (type, more, said) => {
    const text = generate(of(model("news"), model("faq"), model("page", field("it", type, more))))
    expect(typeOf(text, "Page")).toContain(`  readonly it?: ${said} | null | undefined;`)
  })

  test.each([
    ["ENUM", { group: "news", model: "news", values: ["news"] }],
    ["REFERENCE", { group: "news", default: "news", placeholder: "m-news" }]
  ])("takes no field of the type %s with %j for an entry", (type, more) => {
    const text = generate(of(model("news"), model("page", field("it", type, more))))
    expect(typeOf(text, "Page")).toContain("  readonly it?: unknown;")
  })

  test("says which models it cannot write, or knows no fields of", () => {
    const models = of(
      model("news", field("title", "TEXT")),
      model("faq"),
      { title: "Team" },
      { _id: "m1" },
      {}
    )
    expect(lacks(models)).toEqual([
      "a model without an id and a name is left out: Team",
      "a model without an id and a name is left out: m1",
      "a model without an id and a name is left out",
      "the model faq says nothing of its fields, so its type has none"
    ])
    expect(lacks({ models: [model("..", field("title", "TEXT"))], contentModels: [] })).toEqual([
      "the model .. cannot be read, because no path can hold its apiId"
    ])
    expect(lacks({ models: [model("faq")], contentModels: [model("faq", field("title", "TEXT"))] })).toEqual(
      []
    )
  })

  test.each([
    ["Number", "number"],
    ["datetime", "Date"],
    ["DATE_TIME", "Date"],
    ["string", "string"],
    ["Long Text", "string"],
    ["image", "string"],
    ["strings", "ReadonlyArray<string>"],
    ["NUMERIC[]", "ReadonlyArray<number>"]
  ])("knows the word %s however it is spelt, a plural as a list", (type, said) => {
    const models = of(model("news", field("it", type)))
    expect(typeOf(generate(models), "News")).toContain(`  readonly it?: ${said} | null | undefined;`)
    expect(lacks(models)).toEqual([])
  })

  test("looks for a model of that name before a synonym", () => {
    const text = generate(of(model("image"), model("page", field("it", "image"))))
    expect(typeOf(text, "Page")).toContain("  readonly it?: string | Image | null | undefined;")
  })

  test("takes an id before a display name, unless a database gave the id", () => {
    const opaque = "5f0c0ffee0c0ffee0c0ffee0"
    const text = generate(
      of(
        {
          name: "Blog Post",
          id: "post",
          fields: [
            { name: "Price", fieldId: "price", type: "NUMERIC" },
            { name: "title", id: opaque, type: "TEXT" }
          ]
        },
        { name: "faq", id: opaque, fields: { answer: { name: "The answer", type: "TEXT" } } }
      )
    )
    expect(text).toMatch(/"post",\s+Post\b/)
    expect(typeOf(text, "Post")).toMatch(/price\?: number[\s\S]*title\?: string/)
    expect(typeOf(text, "Faq")).toContain("answer?: string")
    expect(text).not.toContain(opaque)
  })

  test("has a field once that one service names by id and the other by key", () => {
    const text = generate({
      models: [{ apiId: "news", fields: [{ id: "headline", name: "Headline", type: "TEXT" }] }],
      contentModels: [{ key: "news", fields: [{ key: "headline", type: "string" }] }]
    })
    expect(typeOf(text, "News").match(/headline/gi)).toEqual(["headline"])
  })

  test("lists fields without a name, and each word that it does not know by model and path, with a count", () => {
    const inner = { fields: [field("score", "STARS"), { type: "TEXT" }] }
    expect(
      lacks(of(model("news", field("it", "OBJECT", inner), field("x", "MOOD"), { type: "DATE" })))
    ).toEqual([
      "field 2 of news.it has neither an id nor a name, so it is left out",
      "field 3 of news has neither an id nor a name, so it is left out",
      "the type STARS of the field news.it.score is not known, so its values are unknown",
      "the type MOOD of the field news.x is not known, so its values are unknown",
      "fields of a type that is not known: 2"
    ])
  })

  test("lists every field whose key another one of its model has, at any depth, and keeps the first", () => {
    const inner = { fields: [field("score", "NUMERIC"), field("score", "TEXT"), field("of", "TEXT")] }
    const models = of(
      model("news", field("title", "TEXT"), field("title", "NUMERIC"), field("it", "OBJECT", inner))
    )
    expect(lacks(models)).toEqual([
      "field 2 of news has the key title, as one before it has, so it is left out",
      "field 2 of news.it has the key score, as one before it has, so it is left out"
    ])
    const text = generate(models)
    expect(text.match(/title\?: .*/g)).toEqual(["title?: string | null | undefined;"])
    expect(text.match(/score\?: [^;|]*/g)).toEqual(["score?: number "])
  })

  test("lists each model that stands twice in one list, not one that both services describe", () => {
    const news = model("news", field("title", "TEXT"))
    expect(lacks({ models: [news], contentModels: [news] })).toEqual([])
    expect(lacks({ models: [news, model("news", field("title", "NUMERIC"))], contentModels: [] })).toEqual([
      "2 models of one list have the id news: their fields are put together, and of one key the first counts"
    ])
  })

  test("lists the models and fields that have no id but a display name, which is taken for it", () => {
    const fields = [
      { name: "Publish date", type: "DATE" },
      { name: "title", type: "TEXT" },
      field("text", "TEXT")
    ]
    const named = { _id: "5f0c0ffee0c0ffee0c0ffee0", name: "Only Display Name", fields }
    expect(lacks(of(named))).toEqual([
      "the model Only Display Name has no id of its own: its name is taken for it in addresses, which is a guess",
      "fields of Only Display Name have no id of their own: their names are taken for it, which is a guess: Publish date, title"
    ])
    const faq = model("faq", field("text", "TEXT"))
    expect(lacks({ models: [{ name: "faq", fields: { text: "TEXT" } }], contentModels: [faq] })).toEqual([])
  })

  test.each(["fields", "attributes", "properties"])("reads fields under %s", (name) => {
    const text = generate(of({ apiId: "news", [name]: { title: "TEXT" } }))
    expect(typeOf(text, "News")).toContain("title?: string | null | undefined;")
  })

  test("takes the models of the legacy service in, and what both describe from the CMS", () => {
    const legacy = { _id: "l1", api_id: "news", fields: { title: "NUMERIC", views: { type: "NUMERIC" } } }
    const text = generate({
      models: [model("news", field("title", "TEXT"))],
      contentModels: [legacy, { name: "faq" }, {}]
    })
    expect(typeOf(text, "News")).toContain("title?: string | null | undefined;\n  readonly views?: number |")
    expect(text).toContain("export const faq: Collection<Faq>")
  })

  test("gives each model names of its own, none of them a reserved word or a name of the module", () => {
    const names = Array.from(generate(strange).matchAll(/^export const (\S+):/gm), ([, name]) => name)
    expect(names).toEqual(
      expect.arrayContaining([
        "News",
        "News2",
        "news",
        "news2",
        "class2",
        "Class",
        "Date2",
        "date",
        "Model",
        "Model2024",
        "collection2"
      ])
    )
    expect(new Set(names).size).toBe(names.length)
  })

  test("is the same whatever order the models come in", () => {
    expect(generate({ ...strange, models: [...strange.models].reverse() })).toBe(generate(strange))
  })

  describe.each(["effect", "promise"] as const)("with %s", (face) => {
    const text = generate(strange, face)

    test("is laid out so that no formatter changes it", () => expect(text).toBe(formatted(text)))

    test("imports Effect or nothing of it", () =>
      expect(text.includes('from "effect')).toBe(face === "effect"))

    test.each(["ObjectId", "DateTime", "Schema", "tolerant", "Collection"])(
      "imports only what it uses, also of a model called %s",
      (name) => {
        const module = generate(
          of(model(name, field(name, "TEXT"), field("createdAt", "TEXT"), field("updatedAt", "TEXT"))),
          face
        )
        expect(unusedIn(module)).toEqual([])
      }
    )

    test("holds collections whose schemas decode entries, cycles included", () => {
      const { News } = load(text) as { readonly News: { readonly ast: unknown } }
      expect(String(News.ast)).toContain("first-name")
      expect(load(text).news).toMatchObject({ list: expect.any(Function), get: expect.any(Function) })
    })
  })

  test("without a model is still a module", () => {
    const text = generate(of())
    expect(text).toBe(formatted(text))
    expect(load(text)).toEqual({})
  })
})

describe("the changes of a module", () => {
  const before = generate(of(model("news", field("title", "TEXT")), model("faq")))

  test("are none of the same text, also with other ends of lines", () => {
    expect(changes(before, before)).toEqual([])
    expect(changes(before.replaceAll("\n", "\r\n"), before)).toEqual([])
  })

  test("name what was added, removed or changed, with its lines", () => {
    const after = generate(of(model("news", field("title", "NUMERIC")), model("banners")))
    expect(changes(before, after)).toEqual(
      expect.arrayContaining([
        { name: "Banners", kind: "added", lines: [] },
        { name: "faq", kind: "removed", lines: [] },
        {
          name: "News",
          kind: "changed",
          lines: expect.arrayContaining([
            "- readonly title?: string | null | undefined;",
            "+ readonly title?: number | null | undefined;"
          ])
        }
      ])
    )
  })
})
