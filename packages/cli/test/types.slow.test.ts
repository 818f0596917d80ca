/** `quartet generate` and `quartet record` as programs of their own, and what they write as programs have it. */
import { execFile, execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer, request } from "node:http"
import { join } from "node:path"
import { promisify } from "node:util"
import { accounts } from "@quartet/sandbox"
import * as FetchTransport from "@quartet/sdk/adapters/fetch"
import * as Tap from "@quartet/sdk/adapters/tap"
import { createAdminClient } from "@quartet/sdk/promise"
import { appOptions } from "@quartet/support/app-options.js"
import { root } from "@quartet/support/files.js"
import { installed } from "@quartet/support/package.js"
import { patient } from "@quartet/support/patience.js"
import { quartet } from "@quartet/support/quartet.js"
import { servedSandbox } from "@quartet/support/sandboxes.js"
import { listen, nobody } from "@quartet/support/servers.js"
import { formatted } from "@quartet/support/written.js"
import { describe, expect, test } from "vitest"

const { ended, run, said, start } = quartet()
const app = installed()
const long = { timeout: patient(120_000) }

const platform = servedSandbox()

const cli = (...args: ReadonlyArray<string>) => run(args, { cwd: app() })
const text = (file: string): string => readFileSync(join(app(), file), "utf8")
const inApp = (file: string, content: string): void => writeFileSync(join(app(), file), content)

/** Compiles files of the app as strictly as can be; the compiler's words, none if all is well. */
const compile = (...files: ReadonlyArray<string>): string => {
  const compilerOptions = {
    ...appOptions,
    noUncheckedIndexedAccess: true,
    isolatedDeclarations: true,
    declaration: true,
    verbatimModuleSyntax: true,
    preserveSymlinks: true
  }
  inApp("package.json", '{ "type": "module" }')
  inApp("tsconfig.json", JSON.stringify({ compilerOptions, files }))
  try {
    execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", app()])
    return ""
  } catch (error) {
    return String(Object(error).stdout)
  }
}

describe("quartet generate", () => {
  test("prints the module, or writes it, laid out so that no formatter changes it", async () => {
    const printed = await cli("generate", "--sandbox")
    expect([printed.code, printed.stderr]).toEqual([0, ""])
    expect(printed.stdout).toContain("export const news: Collection<News>")
    expect(await cli("generate", "--sandbox", "--output", "src/content.ts")).toMatchObject({ code: 0 })
    expect(text("src/content.ts")).toBe(printed.stdout)
    expect(formatted(printed.stdout)).toBe(printed.stdout)
  })

  test("checks a file: 0 where the models are as it says, 1 with names and lines where they are not", async () => {
    const check = ["generate", "--sandbox", "--check", "--output", "checked.ts"]
    expect(await cli(...check)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("there is no checked.ts yet")
    })
    await cli("generate", "--sandbox", "--output", "checked.ts")
    expect(await cli(...check)).toMatchObject({ code: 0, stdout: "" })
    inApp("checked.ts", text("checked.ts").replace("views?: number", "views?: string"))
    const { code, stderr, stdout } = await cli(...check)
    expect(code).toBe(1)
    expect(stdout).toContain("~ News: changed\n    - readonly views?: string")
    expect(stderr).toContain("checked.ts is not what the content models say: News")
    expect(await cli("generate", "--sandbox", "--check")).toMatchObject({ code: 2 })
  })
})

test(
  "no module takes the place of a file that is none of its command's: its own input, a program, another module",
  long,
  async () => {
    const exchanges = [{ request: { method: "GET", url: "https://x.test/v1/project/self" } }]
    const files = {
      "own.har": JSON.stringify({ log: { entries: exchanges } }),
      ".env.own": "QUARTET_API_KEY=key",
      "own.ts": "export const own = 1",
      "near.ts": "// Not Written by `quartet generate` from models: by me",
      "within.ts": "export const own = 1\n// Written by `quartet generate` from models",
      "model.ts": "/** Written by `quartet generate` from the project's content models. */",
      "answer.ts": "// Written by `quartet record` from a platform's answers",
      "own.json": '{ "name": "own" }'
    }
    for (const [file, content] of Object.entries(files)) inApp(file, content)
    symlinkSync("own.json", join(app(), "link.ts"))
    symlinkSync("later.json", join(app(), "later.ts"))
    for (const args of [
      ["record", "--har", "own.har", "--output", "own.har"],
      ["record", "--sandbox", "--output", "own.ts", "--recording", "new.json", "--fresh"],
      ["record", "--sandbox", "--output", "new.ts", "--recording", "own.json", "--fresh"],
      ["generate", "--sandbox", "--dotenv", ".env.own", "--output", ".env.own"],
      ["generate", "--sandbox", "--output", "own.ts"],
      ["generate", "--sandbox", "--output", "own.ts", "--check"],
      ["generate", "--sandbox", "--output", "near.ts"],
      ["generate", "--sandbox", "--output", "within.ts"],
      ["generate", "--sandbox", "--output", "answer.ts"],
      ["record", "--sandbox", "--output", "model.ts"],
      ["record", "--sandbox", "--output", "answer.ts", "--recording", "./answer.ts"],
      ["record", "--sandbox", "--output", "link.ts", "--recording", "own.json"],
      ["record", "--sandbox", "--output", "later.ts"]
    ])
      expect(await cli(...args)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          /quartet (generate|record) did not write it|must be the file of a recording|name one file/
        )
      })
    for (const [file, content] of Object.entries(files)) expect(text(file)).toBe(content)
  }
)

test("a module goes to stdout for -, into a pipe that has a name, and nowhere that is full", async () => {
  const { stdout } = await cli("generate", "--sandbox")
  expect(await cli("generate", "--sandbox", "--output", "-")).toMatchObject({ code: 0, stdout })
  expect(existsSync(join(app(), "-"))).toBe(false)
  execFileSync("mkfifo", [join(app(), "pipe")])
  const read = promisify(execFile)("cat", [join(app(), "pipe")])
  expect(await cli("generate", "--sandbox", "--output", "pipe")).toMatchObject({ code: 0 })
  expect((await read).stdout).toBe(stdout)
  expect(await cli("generate", "--sandbox", "--output", "/dev/full")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("the file /dev/full cannot be written: ENOSPC")
  })
})

/** Answers of a platform that is not the sandbox's, by path; undefined for all that the sandbox answers. */
type Own = (path: string) => readonly [status: number, body: unknown] | undefined

/** `quartet generate`, of the sandbox save for some answers. */
const generateFrom = async (answered: Own, ...args: ReadonlyArray<string>) => {
  const server = await listen(
    createServer((incoming, answer) => {
      const own = answered(incoming.url ?? "")
      if (own !== undefined) {
        answer.writeHead(own[0], { "content-type": "application/json" })
        answer.end(JSON.stringify(own[1]))
        return
      }
      const { headers, method = "GET", url = "/" } = incoming
      const onwards = request(new URL(url, platform().url), { method, headers }, (got) => {
        answer.writeHead(got.statusCode ?? 0, got.headers)
        got.pipe(answer)
      })
      incoming.pipe(onwards)
    })
  )
  const env = {
    QUARTET_BASE_URL: server.url,
    QUARTET_PROJECT_ID: accounts.projectId,
    QUARTET_EMAIL: accounts.admin.email,
    QUARTET_PASSWORD: accounts.admin.password
  }
  const { code, stderr, stdout } = await run(["generate", ...args], { cwd: app(), env })
  await server.close()
  return { code, stdout, stderr, notes: stderr.split("\n").filter((line) => line.startsWith("quartet:")) }
}

describe("quartet generate of a legacy service", () => {
  const models = [
    { _id: "team", apiId: "team", name: "Team" },
    { _id: "nameless", title: "Nameless" },
    { _id: "bare", apiId: "bare" },
    { _id: "gone", apiId: "gone" }
  ]
  const legacy: Own = (path) => {
    // This one does not page its models either.
    if (/cms\/model/.test(path))
      return [200, [{ _id: "m1", apiId: "news", fields: [{ apiId: "views", type: "NUMERIC" }] }]]
    const [, id] = /customType(?:\/([^?/]+))?(?:\?.*)?$/.exec(path) ?? ["", "none"]
    if (id === "none") return undefined
    if (id === undefined) return [200, models]
    return id === "team"
      ? [200, { ...models[0], fields: [{ apiId: "since", type: "DATE" }] }]
      : id === "gone"
        ? [404, { message: "gone" }]
        : [200, models.find(({ _id }) => _id === id)]
  }

  test.each([[[]], [["--json"]], [["--output", "words.ts"]], [["--check", "--output", "words.ts"]]])(
    "lists the types that it does not know and the fields without a name on stderr with %j, and exits with 0",
    long,
    async (args) => {
      const news = { _id: "m1", apiId: "news", fields: [{ id: "it", type: "STARS" }, { type: "TEXT" }] }
      const { code, notes } = await generateFrom(
        (path) => (/cms\/model/.test(path) ? [200, [news]] : /customType/.test(path) ? [200, []] : undefined),
        ...args
      )
      expect([code, notes]).toEqual([
        0,
        expect.arrayContaining([
          "quartet: field 2 of news has neither an id nor a name, so it is left out",
          "quartet: the type STARS of the field news.it is not known, so its values are unknown",
          "quartet: fields of a type that is not known: 1"
        ])
      ])
    }
  )

  test("reads what its list leaves out, and says what it does not know", long, async () => {
    const { code, notes, stdout } = await generateFrom(legacy)
    expect([code, notes]).toEqual([
      0,
      [
        expect.stringMatching(
          /^quartet: warn: models\.list: the list ends, because page 2 is page 1 again: /
        ),
        expect.stringMatching(
          /^quartet: models\.list: the answer repeats itself: .*the answer without a page is taken for all$/
        ),
        "quartet: a model without an id and a name is left out: Nameless",
        "quartet: the model bare says nothing of its fields, so its type has none",
        "quartet: the model gone says nothing of its fields, so its type has none"
      ]
    ])
    expect(stdout).toContain("  readonly since?: Date | null | undefined;")
    expect(stdout).toContain("  readonly views?: number | null | undefined;")
  })

  test("writes no module of models that are fewer than there are", long, async () => {
    const news = { _id: "m1", apiId: "news", fields: [{ apiId: "views", type: "NUMERIC" }] }
    const file = "fewer.ts"
    await generateFrom(() => undefined, "--output", file)
    const before = text(file)
    const [withNews, none] = [{ items: [news] }, { items: [] }]
    for (const [paged, unpaged] of [
      [{ ...withNews, paging: { page: 1, pages: 2, total: 2 } }, undefined],
      [{ ...none, paging: { pages: 5, total: 50 } }, undefined],
      [{ ...withNews, count: 9 }, undefined],
      [{ ...withNews, hasNextPage: true }, none],
      // What no page says, the answer without one says.
      [withNews, { ...withNews, totalCount: 9 }],
      [withNews, none]
    ]) {
      const generated = await generateFrom(
        (path) =>
          /cms\/model/.test(path) ? [200, path.includes("page=") ? paged : (unpaged ?? paged)] : undefined,
        "--output",
        file
      )
      expect(generated.code).toBe(1)
      expect(text(file)).toBe(before)
    }
  })

  test(
    "begins at the page that --first names, and says so where the platform counts otherwise",
    long,
    async () => {
      const page = (number: number) => ({
        items: [
          { _id: `m${number}`, apiId: `model${number}`, fields: [{ apiId: "views", type: "NUMERIC" }] }
        ],
        paging: { hasPreviousPage: number > 0, hasNextPage: number === 0 }
      })
      const fromNothing: Own = (path) =>
        /cms\/model/.test(path)
          ? [200, page(Number(new URL(path, "http://x").searchParams.get("page")))]
          : undefined
      const { code, stderr } = await generateFrom(fromNothing)
      expect(code).toBe(1)
      expect(stderr).toMatch(/begins at page 1, which is not the first one/)
      expect(stderr).toContain("Where its pages begin is said by --first 0 or --first 1.")
      const { code: ended, stdout } = await generateFrom(fromNothing, "--first", "0")
      expect(ended).toBe(0)
      for (const name of ["Model0", "Model1"]) expect(stdout).toContain(`interface ${name} `)
    }
  )

  test("says where the list, which takes no page, says that there are more", long, async () => {
    const { code, notes } = await generateFrom((path) =>
      /customType(\?|$)/.test(path)
        ? [200, { items: [{ ...models[0], fields: [] }], paging: { page: 1, pages: 3, total: 3 } }]
        : undefined
    )
    expect(code).toBe(0)
    expect(notes).toContain(
      "quartet: contentModels.list answers fewer models than it says there are; the others are missing"
    )
  })
})

describe("quartet record", () => {
  test("asks what can be read, and checks that answers are as they were", long, async () => {
    const { code, stderr } = await cli("record", "--sandbox", "--output", "asked.ts", "--enums", "currency")
    expect(code).toBe(0)
    expect(stderr).toMatch(/asked\.ts: the answers of \d\d calls/)
    expect(text("asked.ts")).toContain('readonly "admin.items.list": AdminItemsList;')
    expect(formatted(text("asked.ts"))).toBe(text("asked.ts"))
    const check = ["record", "--sandbox", "--output", "asked.ts", "--check"]
    expect(await cli(...check)).toMatchObject({ code: 0 })
    const before: unknown = JSON.parse(text("asked.json"))
    const kept = JSON.parse(text("asked.json"))
    kept.calls["admin.items.list"].shape.object.fields.price = { text: { count: 3 } }
    inApp("asked.json", JSON.stringify(kept))
    const drifted = await cli(...check)
    expect(drifted.code).toBe(1)
    expect(drifted.stdout).toContain("admin.items.list: expected text at price, got a number\n")
    inApp("asked.json", JSON.stringify(before))
    inApp("asked.ts", text("asked.ts").replace("price: number", "price: string"))
    const stale = await cli(...check)
    expect([stale.code, stale.stderr]).toEqual([
      1,
      expect.stringContaining("asked.ts is not what asked.json says: ")
    ])
    expect(stale.stdout).toContain("    - readonly price: string;\n    + readonly price: number;\n")
    rmSync(join(app(), "asked.ts"))
    expect(await cli(...check)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("there is no asked.ts yet")
    })
    inApp("asked.json", "no recording")
    expect(await cli(...check)).toMatchObject({ code: 2 })
  })

  test("keeps nothing of what the platform holds", long, async () => {
    const { stdout } = await cli("call", "users.list", "--sandbox")
    await cli("record", "--sandbox", "--output", "private.ts")
    const values = (JSON.parse(stdout).items as ReadonlyArray<Record<string, unknown>>).flatMap((user) =>
      ["_id", "email", "fullName"].flatMap((name) => (typeof user[name] === "string" ? [user[name]] : []))
    )
    expect(values.length).toBeGreaterThan(10)
    for (const file of ["private.ts", "private.json"])
      for (const value of values) expect(text(file)).not.toContain(value)
  })

  test("learns from a HAR, and says what it could not use", long, async () => {
    const exchanges: Array<Tap.Exchange> = []
    const admin = createAdminClient({
      baseUrl: platform().url,
      projectId: accounts.projectId,
      ...accounts.admin,
      transport: Tap.make(FetchTransport.make(), (exchange) => exchanges.push(exchange))
    })
    await admin.requests.list({ limit: 1 })
    await admin.close()
    inApp("app.har", Tap.har(exchanges))
    const { code, stderr } = await cli("record", "--har", "app.har", "--output", "har.ts")
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/app\.har: 1 answer learnt, 2 entries left out\nhar\.ts: the answers of 1 call\n/)
    ])
    expect(text("har.ts")).toContain('readonly "admin.requests.list": AdminRequestsList;')
    expect(await cli("record", "--har", "none.har")).toMatchObject({ code: 2 })
    inApp("marked.har", `\uFEFF${Tap.har(exchanges)}`)
    const marked = ["record", "--har", "marked.har", "--output", "marked.ts"]
    expect(await cli(...marked)).toMatchObject({ code: 0 })
    expect(await cli(...marked, "--to", platform().url)).toMatchObject({ code: 0 })
    const { origin } = new URL(platform().url)
    expect(await cli(...marked, "--to", "https://api.example.com")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `the platform's address must be of the HAR, whose requests went to ${origin} (marked.har)`
      )
    })
  })

  test("passes an app's requests on, and learns of their answers until it is stopped", long, async () => {
    const child = start(["record", "--port", "0", "--to", platform().url, "--output", "passed.ts"], {
      cwd: app()
    })
    const url = await said(child, /listening on (http:\S+?):? /)
    const admin = createAdminClient({ baseUrl: url, projectId: accounts.projectId, ...accounts.admin })
    const { items } = await admin.items.list({ limit: 2 })
    const entries = await admin.content.paginated()
    await admin.close()
    expect([items.length, entries.items.length > 0]).toEqual([2, true])
    child.kill("SIGINT")
    const { code, stderr } = await ended(child)
    expect([code, stderr]).toEqual([0, expect.stringContaining("passed.ts: the answers of 2 calls\n")])
    expect(stderr).toMatch(/kept as fields, though the SDK does not declare them: .*\bsummary\b/)
    for (const call of ["admin.items.list", "admin.content.paginated"])
      expect(text("passed.ts")).toContain(`"${call}"`)
  })

  test("answers an app 502 where it cannot reach the platform", long, async () => {
    const child = start(["record", "--port", "0", "--to", await nobody()], { cwd: app() })
    const proxy = await said(child, /listening on (http:\S+?):? /)
    expect((await fetch(`${proxy}/projects`)).status).toBe(502)
    child.kill("SIGINT")
    expect(await ended(child)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "quartet: nothing was learnt: no answer is of a call that the SDK knows\n"
      )
    })
  })

  test("says that it could not write what it has learnt", long, async () => {
    const child = start(["record", "--port", "0", "--to", platform().url, "--output", "occupied.ts"], {
      cwd: app()
    })
    const proxy = await said(child, /listening on (http:\S+?):? /)
    mkdirSync(join(app(), "occupied.ts"))
    const headers = { "x-api-key": accounts.apiKey }
    expect((await fetch(`${proxy}/v1/cms/structure`, { headers })).status).toBe(200)
    child.kill("SIGINT")
    const { code, stderr } = await ended(child)
    expect(code).toBe(2)
    expect(stderr).toContain("quartet: the file occupied.ts cannot be written: EISDIR\n")
  })

  test.each([
    [["--sandbox", "--har", "a.har"], "--sandbox and --har are both given"],
    [["--sandbox", "--port", "0"], "--sandbox and --port are both given"],
    [["--har", "a.har", "--port", "0"], "--port and --har are both given"],
    [["--sandbox", "--to", "https://x.test"], "--sandbox and --to are both given"],
    [["--check", "--port", "0"], "--check and --port are both given"],
    [["--check", "--fresh"], "--check and --fresh are both given"],
    [["--to", "https://x.test"], "--to is for --port and --har"],
    [["--legacy", "https://x.test"], "--legacy is for --port and --har"]
  ])("refuses %j, where one would be ignored", async (args, message) => {
    expect(await cli("record", ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`quartet: ${message}\n`)
    })
  })
})

describe.each([
  ["effect", []],
  ["promise", ["--promise"]]
])("modules with %s", (face, options) => {
  const uses: Readonly<Record<string, string>> = {
    effect: `import * as Admin from "@quartet/sdk/admin"
import * as Effect from "effect/Effect"
import { news, type News } from "./effect/content.js"
import { recorded } from "./effect/answers.js"
export const admin: unknown = Admin.layer({ baseUrl: "https://x.test", projectId: "p", email: "a@b.c", password: "x", answers: recorded })
export const prices: Effect.Effect<ReadonlyArray<number>, unknown, Admin.Client> = Effect.map(Admin.items.list(), ({ items }) => items.map((item) => item.price))
export const at: Effect.Effect<Date, unknown, Admin.Client> = Effect.map(Admin.requests.get({ id: "1" }), (request) => request.createdAt)
export const entry: Effect.Effect<News, unknown, unknown> = news.get({ id: "1" })
// @ts-expect-error no field of an item
export const wrong: Effect.Effect<unknown, unknown, Admin.Client> = Effect.map(Admin.items.list(), ({ items }) => items[0]?.prize)
// @ts-expect-error a price is a number
export const text: Effect.Effect<string | undefined, unknown, Admin.Client> = Effect.map(Admin.items.list(), ({ items }) => items[0]?.price)
`,
    promise: `import * as calls from "@quartet/sdk/admin/items"
import { createAdminClient, createPublicClient } from "@quartet/sdk/promise"
import { createAdmin, pages } from "@quartet/sdk/promise/admin"
import { News, news } from "./promise/content.js"
import { recorded } from "./promise/answers.js"
const config = { baseUrl: "https://x.test", projectId: "p", email: "a@b.c", password: "x", answers: recorded }
const admin = createAdminClient(config)
const call = createAdmin(config)
export const one: Promise<number> = admin.items.get({ id: "1" }).then((item) => item.price)
export const same: Promise<number> = call(calls.get, { id: "1" }).then((item) => item.price)
export const all: AsyncIterable<{ readonly price: number }> = pages(call, calls.list, {})
export const also: AsyncIterable<{ readonly price: number }> = admin.items.list.pages({})
export const entries: Promise<{ readonly items: ReadonlyArray<News> }> = createPublicClient({ baseUrl: "https://x.test", apiKey: "k" }).content.collection("news", News).list({ filter: [news.where("views", ">", 1)] })
// @ts-expect-error no field of an item
void admin.items.get({ id: "1" }).then((item) => item.prize)
// @ts-expect-error nor here
void call(calls.get, { id: "1" }).then((item) => item.prize)
// @ts-expect-error views are a number
news.where("views", ">", "1")
`
  }

  test("compile in a strict program, and type every call; wrong use does not compile", long, async () => {
    mkdirSync(join(app(), face), { recursive: true })
    await cli("generate", "--sandbox", "--output", `${face}/content.ts`, ...options)
    await cli("record", "--sandbox", "--output", `${face}/answers.ts`, ...options)
    inApp(`use-${face}.ts`, uses[face] ?? "")
    expect(compile(`use-${face}.ts`)).toBe("")
    inApp(`control-${face}.ts`, (uses[face] ?? "").replaceAll(/^\/\/ @ts-expect-error.*$/gm, ""))
    expect(compile(`control-${face}.ts`)).toContain("'prize' does not exist")
  })
})
