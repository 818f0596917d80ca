// What the documentation's site is made of: the project's own pages, a page for each call and the reference. That it is built,
// and what a browser shows of it: test/e2e/site.slow.test.ts.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { exists, filesIn, read } from "@quartet/support/files.js"
import { describe, expect, onTestFinished, test } from "vitest"
import { described } from "../../clients/description/described.js"
import { calls } from "../../tools/pages/calls.js"
import { guides as made } from "../../tools/pages/guides.js"
import { linksIn } from "../../tools/pages/links.js"
import { packed, served } from "../../tools/pages/llms.js"
import { anchorsIn, drawn, partsOf, relinked } from "../../tools/pages/markdown.js"
import { modulesIn } from "../../tools/pages/reference.js"

const guides = made()

/** One or two sentences, without code in several lines, marks or a cut. */
const wholeSentences = /^[^\n*|]{10,320}[^:…\s][.!?]\)?$/

/** A folder with files, for one test. */
const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), "quartet-site-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

describe("a page", () => {
  test("has its first heading as its title and its first paragraph, without marks, as its description", () => {
    const text =
      "# The `chat`\n\n| a | b |\n|---|---|\n\nAdmins *write* to [people](people.md), by `send`.\n\n## More\n"
    expect(partsOf(text)).toMatchObject({
      title: "The chat",
      description: "Admins write to people, by send."
    })
    expect(() => partsOf("No heading")).toThrow("without a title")
  })

  test("has a description of one sentence or two, whole ones, whatever stands first", () => {
    const described = (text: string): string => partsOf(`# A\n\n${text}\n`).description
    const long = `${"some words ".repeat(14)}end.`
    expect(described(`${long} ${long}`)).toBe(long)
    expect(described("One. `two` is short. Three.")).toBe("One. two is short.")
    expect(described("A file is sent:\n\n```ts\nconst a = 1\n\nconst b = 2\n```")).toBe("A file is sent.")
    expect(described("```ts\nconst a = 1\n\nconst b = `c.`\n```\n\n## B\n\nNo end\n\nThen this.")).toBe(
      "Then this."
    )
  })

  test("has its links changed, but none in code and none that leads elsewhere", () => {
    const text = [
      "[`a](x)` b](one.md#two) ![p](p.png) [out](https://site.test/one.md) [gone](gone.ts) `[no](one.md)`",
      "```ts\n[no](one.md)\n```"
    ].join("\n")
    expect(relinked(text, (old) => (old === "gone.ts" ? undefined : `/${old}`))).toBe(
      text
        .replace("b](one.md", "b](/one.md")
        .replace("(p.png)", "(/p.png)")
        .replace("[gone](gone.ts)", "gone")
    )
  })

  test("has its diagrams as elements, whose source is text", () => {
    expect(drawn("```mermaid\na --> b & <c>\n```\n")).toBe(
      '<pre class="mermaid">\na --&gt; b &amp; &lt;c&gt;\n</pre>\n'
    )
  })
})

describe("the project's pages", () => {
  test("are all there, each at a place of its own", () => {
    const own = filesIn("docs").filter((file) => file.endsWith(".md") && file !== "docs/calls.md")
    const files = guides.map(({ file }) => file)
    expect(files).toEqual(expect.arrayContaining([...own, "README.md", "AGENTS.md", "CHANGELOG.md"]))
    expect(new Set(guides.map(({ id }) => id)).size).toBe(guides.length)
  })

  test("begin with the overview and the pages that start", () => {
    const start = guides.filter(({ group }) => group === "Start").map(({ file }) => file)
    expect(start[0]).toBe("README.md")
    expect(start.slice(1).every((file) => file.startsWith("docs/guides/start"))).toBe(true)
  })

  test.each(guides.map(({ description, file }) => [file, description]))(
    "%s has a description of one or two whole sentences",
    (_, description) => expect(description).toMatch(wholeSentences)
  )

  test("lead to one another on the site", () => {
    const overview = guides.find(({ file }) => file === "README.md")?.body
    for (const target of ["(/errors/)", "(/calls/)", "(/guides/start-react/)", "(/performance/#size)"])
      expect(overview).toContain(target)
    expect(overview).not.toMatch(/\]\(docs\//)
  })
})

describe("the pages of calls", () => {
  test("are one for each call of each client", () => {
    expect(calls.map(({ key }) => key).sort()).toEqual(described.map(({ key }) => key).sort())
    expect(new Set(calls.map(({ id }) => id)).size).toBe(described.length)
  })

  test.each(calls.map((call) => [call.key, call] as const))("%s says what a caller needs", (_, call) => {
    expect(call.summary).toMatch(wholeSentences)
    expect(call.permission).toMatch(/\.$/)
    expect(call.samples.map(({ label }) => label)).toEqual(["Effect", "Promise", "curl"])
    for (const { source } of call.samples) expect(source).not.toBe("")
    const tags = call.errors.map(({ tag }) => tag)
    expect(tags).toContain("AnswerError")
    expect(tags.includes("OutcomeUnknown")).toBe(
      described.find(({ key }) => key === call.key)?.isRead === false
    )
    if (call.guide !== undefined) expect(exists(`docs/${call.guide}.md`)).toBe(true)
  })

  test("know the errors of docs/errors.md, in its order", () => {
    const rows = read("docs/errors.md").matchAll(/^\| `(\w+)` \|(?:[^|]*\|){4}$/gm)
    const known = [...new Set([...rows].map(([, tag]) => tag))]
    const shown = calls.find(({ key }) => key === "admin.requests.update")?.errors.map(({ tag }) => tag)
    expect(known.length).toBeGreaterThan(12)
    expect(shown).toEqual(known)
  })

  test("show fields with what the type does not say, and what the sandbox takes as a body", () => {
    const list = calls.find(({ key }) => key === "admin.requests.list")
    expect(list?.input.find(({ name }) => name === "inUserIds")).toEqual({
      name: "inUserIds",
      type: "string[]",
      isRequired: false,
      rule: "each a non-empty id",
      description:
        "Only what belongs to one of these users. In a query, an empty list filters nothing. Sent in the query, joined by commas."
    })
    expect(list?.fields.find(({ name }) => name === "version")).toMatchObject({
      type: "number or null",
      rule: ""
    })
    const create = calls.find(({ key }) => key === "admin.roles.create")
    expect(create?.body.map(({ isRequired, name }) => [name, isRequired])).toEqual([
      ["name", true],
      ["permissions", false]
    ])
  })
})

describe("for language models", () => {
  test("the list has every page and every call, and the text every guide", () => {
    const [list = "", full = ""] = [served.get("llms.txt"), served.get("llms-full.txt")]
    for (const { id } of [...guides, ...calls]) expect(list).toContain(`/${id}/)`)
    for (const { key } of calls) expect(full).toContain(`### ${key}\n`)
    for (const { file } of guides.filter(({ group }) => group !== "Project"))
      expect(full).toContain(read(file).split("\n").slice(2).join("\n").trim())
  })

  test("the package's list leads to files beside it, to all pages but those of the project, and to no site", () => {
    const list = packed.get("llms.txt") ?? ""
    expect(list).not.toMatch(/\]\((?:https?:|\/)/)
    const places = [...list.matchAll(/\]\((.+?)\):/g)].map(([, place = ""]) => place)
    for (const { file, group } of guides) if (group !== "Project") expect(places).toContain(file)
    for (const { key } of calls) expect(list).toContain(`[${key}](docs/calls.md#`)
    const anchors = anchorsIn(read("docs/calls.md"))
    for (const place of places) {
      const [file = "", anchor] = place.split("#")
      expect(exists(file), place).toBe(true)
      if (anchor !== undefined) expect(anchors.has(anchor), place).toBe(true)
    }
  })
})

test("the pages of modules have the names of their entries, and lead to one another", () => {
  const folder = folderOf({
    "README.md": "# @quartet/sdk\n\n- [x](@quartet/sdk/admin-1.md)\n",
    "@quartet/sdk/admin-1.md":
      "# @quartet/sdk/admin\n\nThe admins' calls:\n\n## Both\n\n[e](namespaces/Errors.md#gone)\n",
    "@quartet/sdk/namespaces/Errors.md": "# Errors\n\n## Gone\n\n[both](../admin-1.md#both-1)\n"
  })
  expect(modulesIn(folder).map(({ description, id }) => [id, description])).toEqual(
    expect.arrayContaining([
      ["api", "The modules of all packages, each with what it exports."],
      ["api/sdk/admin", "The admins' calls."],
      ["api/sdk/errors", "What Errors exports."]
    ])
  )
  const pages = modulesIn(folder).map(({ body, id, isEntry }) => [
    id,
    isEntry,
    body.trim().split("\n").at(-1)
  ])
  expect(pages).toEqual(
    expect.arrayContaining([
      ["api", true, "- [x](/api/sdk/admin/)"],
      ["api/sdk/admin", true, "[e](/api/sdk/errors/#gone)"],
      ["api/sdk/errors", false, "[both](/api/sdk/admin/#both)"]
    ])
  )
})

test("a link that leads nowhere is found, and one that leads elsewhere is listed", () => {
  const folder = folderOf({
    "index.html":
      '<h1 id="top">x</h1><a href="/base/a/#there"></a><a href="a/"></a><a href="#top"></a><img src="x.png">',
    "a/index.html":
      '<p id="there"></p><a href="/a/"></a><a href="#gone"></a><a href="../?q=1&#38;r"></a><a href="https://site.example/"></a>' +
      "<script>const page = '<a href=\"/never/\">'</script>"
  })
  expect(linksIn(folder, "/base/")).toEqual({
    dead: ["/base/: x.png", "/base/a/: #gone", "/base/a/: /a/"],
    external: ["https://site.example/"],
    followed: 7
  })
})
