/** `quartet call` as a program of its own, against the sandbox in its process and one that is served. */
import { execFileSync, spawnSync } from "node:child_process"
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { accounts } from "@quartet/sandbox"
import { eventually } from "@quartet/support/eventually.js"
import { quartet } from "@quartet/support/quartet.js"
import { servedSandbox } from "@quartet/support/sandboxes.js"
import { listen } from "@quartet/support/servers.js"
import { temporaryFolder } from "@quartet/support/temporary.js"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import { find } from "../call/caller.js"
import * as Input from "../call/input.js"
import { jsonOf, visible } from "../text.js"

const { ended, program, run, start } = quartet()
const folder = temporaryFolder("call")

const platform = servedSandbox()

/** The variables of an admin, of the project's keys and of an end user. */
const env = () => ({
  QUARTET_BASE_URL: platform().url,
  QUARTET_PROJECT_ID: accounts.projectId,
  QUARTET_EMAIL: accounts.admin.email,
  QUARTET_PASSWORD: accounts.admin.password,
  QUARTET_API_KEY: accounts.apiKey,
  QUARTET_PRIVATE_KEY: accounts.privateKey,
  QUARTET_USER_EMAIL: accounts.endUsers.ana.email,
  QUARTET_USER_PASSWORD: accounts.endUsers.ana.password
})

const call = (args: ReadonlyArray<string>, stdin = "") =>
  run(["call", ...args], { env: env(), stdin, cwd: folder })

const filed = async (): Promise<{ readonly _id: string; readonly version: number }> => {
  const input = JSON.stringify({ payload: { type: "HELP" } })
  return JSON.parse((await call(["end-user.requests.create", "--input", input])).stdout)
}

describe("a name", () => {
  const keyOf = (...args: Parameters<typeof find>) => Either.map(find(...args), ({ key }) => key)

  it("is that of the admin's call first, then the public, the private and the end user's", () => {
    expect(keyOf("requests.list")).toEqual(Either.right("admin.requests.list"))
    expect(keyOf("project.self")).toEqual(Either.right("public.project.self"))
    expect(keyOf("requests.list", "end-user")).toEqual(Either.right("endUser.requests.list"))
    expect(keyOf("end-user.requests.list")).toEqual(Either.right("endUser.requests.list"))
    expect(keyOf("endUser.requests.list", "end-user")).toEqual(Either.right("endUser.requests.list"))
  })

  it("that no client has is refused, with what was probably meant", () => {
    expect(find("requests.lst")).toMatchObject({
      left: { message: expect.stringContaining('"requests.list"') }
    })
    expect(find("list")).toMatchObject({
      left: {
        message: expect.stringMatching(
          /^there is no call named "list" \(did you mean ("\S+\.list",? ){6}or one of \d+ others\?\)/
        )
      }
    })
    expect(find("end-user.requests.lst")).toMatchObject({
      left: { message: expect.stringContaining('"requests.list"') }
    })
    expect(find("zebra")).toMatchObject({ left: { message: 'there is no call named "zebra"' } })
    expect(find("users.delete", "public")).toMatchObject({ left: { next: expect.stringContaining("admin") } })
    expect(find("admin.requests.list", "end-user")).toMatchObject({ _tag: "Left" })
  })
})

describe("what others wrote", () => {
  it("gives a terminal nothing to obey, and turns no order of words; our colours stay", () => {
    expect(visible("a\tb\n\u001b[31mred\u001b[39m")).toBe("a\tb\n\u001b[31mred\u001b[39m")
    expect(visible("\u001b]0;title\u0007 \u009b2J \r \u202e \u2066")).toBe(
      "\\u001b]0;title\\u0007 \\u009b2J \\u000d \\u202e \\u2066"
    )
  })

  it("is JSON without such characters, and of the same value", () => {
    const value = { "\u202ename": ["\u009b2J", "\u001b[2J", "\u061c", "👨‍👩‍👧 é"] }
    expect(jsonOf(value)).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    expect(jsonOf(value)).toContain("👨‍👩‍👧 é")
    expect([JSON.parse(jsonOf(value)), jsonOf(undefined)]).toEqual([value, "null"])
  })
})

describe("the input", () => {
  const upload = Either.getOrThrow(find("private.files.upload"))
  const read = (options: unknown) => {
    const input = Option.some(JSON.stringify(options))
    return Effect.runPromise(
      Effect.either(Input.read({ input, inputFile: Option.none(), isRaw: false }, upload))
    )
  }
  const note = join(folder, "read.txt")
  writeFileSync(note, "hello")

  it("holds all bytes of a file, also of one that says it is empty, as the system's do", async () => {
    for (const path of [note, "/proc/version"].filter(existsSync)) {
      const { file } = Either.getOrThrow(await read({ file: { path, name: "a.txt" } }))
      expect(file).toMatchObject({ name: "a.txt", content: { size: readFileSync(path).length } })
    }
  })

  it("is refused before anything is sent where a file has no size, or its description is not one", async () => {
    const pipe = join(folder, "pipe")
    execFileSync("mkfifo", [pipe])
    for (const [file, message] of [
      [folder, 'of the field "file" is not a regular file'],
      [pipe, "is not a regular file"],
      ["", 'the field "file" must be the path of a file'],
      [{ path: note, nme: "a" }, 'the field "file.nme" is not part of a file (did you mean "name"?)'],
      [{ path: note, type: 5 }, 'the field "file" must be the path of a file']
    ])
      expect(await read({ file })).toMatchObject({
        left: { code: 2, message: expect.stringContaining(`${message}`) }
      })
  })
})

describe("quartet call", () => {
  it("needs no account with --sandbox, and prints one line of JSON for a program", async () => {
    const input = JSON.stringify({ payload: { type: "HELP", title: "\u009b2J\u202e" } })
    const { code, stderr, stdout } = await run([
      "call",
      "end-user.requests.create",
      "--sandbox",
      "--input",
      input
    ])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout.trimEnd()).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
    expect(JSON.parse(stdout)).toMatchObject({ title: "\u009b2J\u202e" })
  })

  it("takes its input from an argument, from a file and from stdin, and its account from the environment", async () => {
    const { _id: id } = await filed()
    const input = JSON.stringify({ id })
    writeFileSync(join(folder, "input.json"), input)
    for (const args of [
      ["--input", input],
      ["--input-file", "input.json"],
      ["--input", "-"]
    ]) {
      const { stdout } = await call(["requests.get", ...args], input)
      expect(JSON.parse(stdout)).toMatchObject({ _id: id, type: "HELP" })
    }
  })

  it("reads all pages, an item a line", async () => {
    const whole = await call(["requests.list", "--all", "--page-size", "7"])
    const ids = whole.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)._id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(14)
    expect(
      platform()
        .control.log()
        .filter(({ query }) => query.includes("limit=7")).length
    ).toBeGreaterThan(2)
  })

  it("downloads to stdout, or to a file that is there once it is whole", async () => {
    const printed = await call(["ordersV2.csv"])
    expect(printed.stdout).toMatch(/^_id,number,/)
    expect((await call(["ordersV2.csv", "--output", "orders.csv"])).code).toBe(0)
    expect(readFileSync(join(folder, "orders.csv"), "utf8")).toBe(printed.stdout)
    const again = await call(["ordersV2.csv", "-o", "orders.csv"])
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("Overwrite orders.csv?")])
    platform().control.failNext(9, 503)
    expect((await call(["payments.csv", "-o", "payments.csv"])).code).toBe(1)
    platform().control.clear()
    expect(readdirSync(folder).filter((name) => name.startsWith("payments"))).toEqual([])
  })

  it("writes to a device instead of taking its place, and to the file that a link leads to", async () => {
    const [device, link, file] = ["device", "link", "linked.csv"].map((name) => join(folder, name)) as [
      string,
      string,
      string
    ]
    symlinkSync("/dev/null", device)
    writeFileSync(file, "before")
    symlinkSync(file, link)
    expect((await call(["ordersV2.csv", "--output", "device"])).code).toBe(0)
    expect((await call(["ordersV2.csv", "--output", "link", "--yes"])).code).toBe(0)
    expect([device, link].map((name) => lstatSync(name).isSymbolicLink())).toEqual([true, true])
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true)
    expect(readFileSync(file, "utf8")).toMatch(/^_id,number,/)
  })

  it("does not overwrite its own input, by whatever name", async () => {
    writeFileSync(join(folder, "own.json"), "{}")
    symlinkSync("own.json", join(folder, "own-link.json"))
    for (const output of ["own.json", "./own-link.json"])
      expect(await call(["ordersV2.csv", "--input-file", "own.json", "-o", output, "--yes"])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("--output and --input-file name one file")
      })
    expect(readFileSync(join(folder, "own.json"), "utf8")).toBe("{}")
  })

  it("uploads the file that a field names", async () => {
    writeFileSync(join(folder, "note.txt"), "hello")
    const { stdout } = await call(["private.files.upload", "--input", '{"file": "note.txt"}'])
    const { _id: id, ...stored } = JSON.parse(stdout)
    expect(stored).toMatchObject({ name: "note.txt", type: "text/plain", size: 5 })
    expect((await call(["files.download", "--input", JSON.stringify({ id })])).stdout).toBe("hello")
    expect(await call(["private.files.upload", "--input", '{"file": "none.txt"}'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the file none.txt of the field "file" cannot be read: ENOENT')
    })
  })

  it("does nothing about money and deletes without --yes where nobody can be asked", async () => {
    const { _id: id } = await filed()
    const deletion = ["end-user.requests.delete", "--input", JSON.stringify({ id })]
    const sent = () =>
      platform()
        .control.log()
        .filter(({ method }) => method === "DELETE").length
    const before = sent()
    const refused = await call(deletion)
    expect([refused.code, refused.stdout, sent()]).toEqual([2, "", before])
    expect(refused.stderr).toContain("deletes something, and cannot be undone")
    expect((await call([...deletion, "--yes"])).code).toBe(0)
    expect(sent()).toBe(before + 1)
    expect((await call(["payments.refund", "--input", '{"id":"x"}'])).stderr).toContain("is about money")
  })

  it("passes names that the SDK does not know with --raw, and says so where it refuses one", async () => {
    const create = (payload: object, ...more: ReadonlyArray<string>) =>
      call(["end-user.requests.create", "--input", JSON.stringify({ payload }), ...more])
    const misspelt = { type: "HELP", titel: "Mine" }
    const refused = await create(misspelt)
    expect(refused).toMatchObject({
      code: 2,
      stderr: `quartet: requests.create: the field "payload.titel" is not a field of this body (did you mean "title"?). Nothing was sent.
Where the platform takes it all the same, pass it with --raw. See: quartet operations requests.create
`
    })
    expect(JSON.parse((await create(misspelt, "--raw")).stdout)).toMatchObject({ titel: "Mine" })
    const list = ["requests.list", "--input", JSON.stringify({ statusIn: ["on_hold", "pending"], limit: 3 })]
    expect(await call(list)).toMatchObject({ code: 2, stderr: expect.stringContaining("pass it with --raw") })
    const { items } = JSON.parse((await call([...list, "--raw"])).stdout)
    expect(items.map(({ status }: { readonly status: string }) => status)).toEqual(Array(3).fill("pending"))
    expect(platform().control.log().at(-1)?.query).toContain("statusIn=on_hold%2Cpending")
  })

  it("asks about a body that --raw passes as about any other, and sends just that body", async () => {
    const send = (name: string, input: object) => call([name, "--raw", "--input", JSON.stringify(input)])
    const toAll = await send("notifications.send", { payload: { toAll: true, title: "Hi", extra: 1 } })
    expect(toAll).toMatchObject({ code: 2, stderr: expect.stringContaining("reaches many people") })
    const refund = await send("payments.refund", { id: "none", payload: { amount: 1, note: "late" } })
    expect(refund).toMatchObject({ code: 2, stderr: expect.stringContaining("is about money") })
    const bodies: Array<string> = []
    const { close, url } = await listen(
      createServer(async (request, response) => {
        bodies.push(await text(request))
        response.setHeader("content-type", "application/json").end("{}")
      })
    )
    const payload = JSON.stringify({ amount: 1, note: "late" })
    const args = ["private.payments.payWithLink", "--raw", "--yes", "--input", `{"payload": ${payload}}`]
    const { code } = await run(["call", ...args], { env: { ...env(), QUARTET_BASE_URL: url } })
    await close()
    expect([code, bodies]).toEqual([0, [payload]])
  })

  it.each([
    [["requests.get", "--raw"], 2, "requests.get has no names that --raw would pass"],
    [["payments.refund", "--input", '{"id":"x","payload":{"note":"x"}}'], 2, "pass it with --raw"],
    [
      ["payments.refund", "--yes", "--input", '{"id":"x","payload":{"@quartet/raw":{"amout":5}}}'],
      2,
      "is not a field of this body"
    ],
    [
      ["requests.get"],
      2,
      'the field "id" is required. Nothing was sent.\nSee: quartet operations requests.get'
    ],
    [["requests.get", "--input", '{"id":"0"}'], 1, "requests.get: not found (HTTP 404)"],
    [["requests.get", "--input", '{"id": secret}'], 2, "the input is not JSON"],
    [["requests.get", "--input", "[]"], 2, "the input must be a JSON object"],
    [["requests.get", "--input", "{}", "--input-file", "x"], 2, "--input and --input-file are both given"],
    [["requests.get", "--all"], 2, "requests.get answers no list"],
    [["requests.get", "--output", "x"], 2, "requests.get answers no file"],
    [["requests.list", "--deadline", "soon"], 2, "--deadline must be a whole number from 1"],
    [["requests.list", "--all", "--page-size", "0"], 2, "--page-size must be a whole number from 1"],
    [["requests.list", "--page-size", "5"], 2, "--page-size sets the pages of --all"],
    [["ordersV2.csv", "--output", ""], 2, "--output must be the name of a file"],
    [["requests.list", "--as", "secret"], 2, "--as must be one of admin, public, private, end-user"],
    [["--bogus=secret"], 2, "the option --bogus is not known"],
    [["requests.list", "--wizard"], 2, "the option --wizard is not known"]
  ])("ends %j with code %i and says what is wrong", async (args, code, message) => {
    const outcome = await call(args)
    expect(outcome).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(message) })
    expect(outcome.stderr).not.toContain("secret")
  })

  it("tells a program why, as JSON", async () => {
    const { stderr } = await call(["requests.get", "--json"])
    expect(JSON.parse(stderr)).toMatchObject({
      error: { tag: "InputError", operation: "requests.get", field: "id", rule: "is required", code: 2 }
    })
  })

  it("takes further options of the clients as JSON", async () => {
    const environment = (options: string) =>
      run(["call", "roles.list"], { env: { ...env(), QUARTET_OPTIONS: options } })
    expect(
      await environment('{"permissionNames": {"roles": "nothing"}, "routes": {"roles.list": {"path": "no"}}}')
    ).toMatchObject({ code: 1, stderr: expect.stringContaining("(HTTP 404)") })
    expect(await environment("[]")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("QUARTET_OPTIONS must be")
    })
    expect(await environment('{"timeout": 5}')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("policy.deadline")
    })
  })

  it("fails where stdout does not take all, however little is missing", () => {
    const limited = (command: string) => {
      const script = `ulimit -f 1; exec ${process.execPath} ${program()} ${command} > limited`
      const { status, stderr } = spawnSync("sh", ["-c", script], { cwd: folder, encoding: "utf8" })
      return [status, stderr]
    }
    const said = expect.stringContaining("stdout cannot be written: EFBIG")
    expect(limited("call requests.list --sandbox")).toEqual([1, said])
    expect(limited("--help")).toEqual([1, said])
    expect(statSync(join(folder, "limited")).size).toBeGreaterThan(0)
  })

  it("ends at Ctrl+C also while it waits for a pipe that nobody writes to", async () => {
    const pipe = join(folder, "silent")
    execFileSync("mkfifo", [pipe])
    const child = start(["call", "requests.get", "--input-file", pipe], { env: env() })
    const end = new Promise((done) => child.on("close", (code, signal) => done(signal ?? code)))
    // It can be opened as soon as somebody waits to read it.
    const opened = () => openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
    const writer = await eventually(opened, 10_000)
    child.kill("SIGINT")
    expect(await end).toBe("SIGINT")
    closeSync(writer)
  })

  it("ends well where its reader has enough", async () => {
    const child = start(["call", "requests.list", "--all", "--sandbox"])
    child.stdout.once("data", () => child.stdout.destroy())
    expect(await new Promise((done) => child.on("close", done))).toBe(0)
  })

  it("reads a file of variables by itself, of which no other takes effect", async () => {
    const { QUARTET_API_KEY, QUARTET_BASE_URL } = env()
    const lines = ["NODE_OPTIONS=--no-such-option", `QUARTET_API_KEY=${QUARTET_API_KEY}`]
    writeFileSync(
      join(folder, "variables"),
      `\ufeffQUARTET_BASE_URL=${QUARTET_BASE_URL}\n${lines.join("\n")}\n`
    )
    const read = (file: string) => run(["call", "project.self", "--dotenv", file], { cwd: folder })
    expect(await read("variables")).toMatchObject({ code: 0, stderr: "" })
    const stderr = expect.stringContaining("quartet: the file nope.env cannot be read: ENOENT")
    expect(await read("nope.env")).toEqual({ code: 2, stdout: "", stderr })
  })

  it("ends with code 3 where credentials are missing or refused, and shows none", async () => {
    const missing = await run(["call", "requests.list"], { env: {} })
    expect(missing).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        "QUARTET_BASE_URL, QUARTET_PROJECT_ID, QUARTET_EMAIL and QUARTET_PASSWORD are missing"
      )
    })
    const refused = await run(["call", "requests.list"], {
      env: { ...env(), QUARTET_PASSWORD: "Wr0ng-secret" }
    })
    expect(refused.code).toBe(3)
    expect(refused.stderr).toContain("check the e-mail and the password")
    expect(refused.stderr).not.toContain("Wr0ng")
  })

  it.each([
    [["project.self"], ""],
    [["boxes.create", "--input", '{"payload":{}}'], "It may have been done: read the present state"]
  ])("cancels %j at Ctrl+C, with code 130, and says what may have been done", async (args, said) => {
    let arrive = (): void => undefined
    const arrived = new Promise<void>((done) => {
      arrive = done
    })
    const { close, url } = await listen(createServer(() => arrive()))
    const child = start(["call", ...args], { env: { ...env(), QUARTET_BASE_URL: url } })
    const end = ended(child)
    await arrived
    child.kill("SIGINT")
    const { code, stderr } = await end
    await close()
    expect(code).toBe(130)
    expect(stderr).toContain(said)
    if (said === "") expect(stderr).toBe("")
  })
})
