/** Where the clients of the command line come from, and what is asked before something that cannot be undone. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Terminal from "@effect/platform/Terminal"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { accounts } from "@quartet/sandbox"
import * as Auth from "@quartet/sdk/extend/operations/auth"
import * as Projects from "@quartet/sdk/extend/operations/projects"
import * as Requests from "@quartet/sdk/extend/operations/requests"
import { temporaryFolder } from "@quartet/support/temporary.js"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Mailbox from "effect/Mailbox"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import { clientFor, configuration, connect } from "../configuration.js"
import { CanAsk, confirm } from "../terminal.js"

const { projectId } = accounts

/** A terminal on which these keys are pressed, and what it shows. */
const terminal = (keys: string) => {
  const shown: Array<string> = []
  const pressed = [...keys].map((key) => ({
    input: Option.some(key),
    key: {
      name: key === "\n" ? "enter" : key === "\u0003" ? "c" : key,
      ctrl: key === "\u0003",
      meta: false,
      shift: false
    }
  }))
  let next = 0
  const service: Terminal.Terminal = {
    columns: Effect.succeed(80),
    rows: Effect.succeed(24),
    isTTY: Effect.succeed(true),
    readInput: Effect.gen(function* () {
      const mailbox = yield* Mailbox.make<Terminal.UserInput>()
      while (next < pressed.length) {
        const key = pressed[next++]
        if (key !== undefined) yield* mailbox.offer(key)
        if (key?.key.name === "enter") break
      }
      yield* mailbox.end
      return mailbox
    }),
    readLine: Effect.fail(new Terminal.QuitException()),
    display: (text) => Effect.sync(() => void shown.push(text))
  }
  return { shown, layer: Layer.succeed(Terminal.Terminal, service) }
}

type Needs = Terminal.Terminal | Layer.Layer.Success<typeof files>
const files = Layer.merge(NodeFileSystem.layer, NodePath.layer)

/** Runs where these keys are pressed; with no keys there is nobody to ask. */
const run = async <A, E>(effect: Effect.Effect<A, E, Needs>, keys?: string) => {
  const { layer, shown } = terminal(keys ?? "")
  const outcome = await Effect.runPromise(
    Effect.either(effect).pipe(
      Effect.provideService(CanAsk, keys !== undefined),
      Effect.provide(Layer.merge(layer, files))
    )
  )
  return { outcome, shown: shown.join("") }
}

const folder = temporaryFolder("env")
const file = (text: string): Option.Option<string> => {
  const path = join(folder, "env")
  writeFileSync(path, text)
  return Option.some(path)
}

describe("the configuration", () => {
  it("takes the environment before the file, and an empty variable as none", async () => {
    const env = { QUARTET_EMAIL: "a@b.test", QUARTET_PASSWORD: "" }
    const settings = configuration(
      file('QUARTET_EMAIL=other@b.test\nQUARTET_PASSWORD="from file"\n# QUARTET_API_KEY=no\n'),
      env
    )
    const read = Effect.flatMap(settings, ({ find, need }) =>
      Effect.map(need({ email: "QUARTET_EMAIL", password: "QUARTET_PASSWORD" }), (needed) => [
        needed,
        find("QUARTET_API_KEY")
      ])
    )
    const { outcome } = await run(read)
    expect(outcome).toMatchObject({
      right: [{ email: "a@b.test", password: "from file" }, undefined]
    })
  })

  it("names all that is missing where nobody can be asked, with the exit code of credentials", async () => {
    const read = Effect.flatMap(configuration(file(""), {}), ({ need }) =>
      need({ email: "QUARTET_EMAIL", password: "QUARTET_PASSWORD" })
    )
    expect((await run(read)).outcome).toMatchObject({
      left: { message: "QUARTET_EMAIL and QUARTET_PASSWORD are missing", code: 3 }
    })
  })

  it("asks on a terminal, once, and shows no secret", async () => {
    const read = Effect.flatMap(configuration(file(""), {}), ({ need }) =>
      Effect.zipRight(need({ password: "QUARTET_PASSWORD" }), need({ password: "QUARTET_PASSWORD" }))
    )
    const { outcome, shown } = await run(read, "Secr3t\n")
    expect(outcome).toMatchObject({ right: { password: "Secr3t" } })
    expect(shown).toContain("Password of the admin")
    expect(shown).not.toMatch(/Secr3t|cr3t/)
  })

  it("refuses a file that was named and is not there", async () => {
    const { outcome } = await run(configuration(Option.some(join(folder, "none")), {}))
    expect(outcome).toMatchObject({ left: { code: 2, message: expect.stringContaining("ENOENT") } })
  })

  it("makes all four clients of a sandbox that they share", async () => {
    const program = Effect.scoped(
      Effect.gen(function* () {
        const platform = yield* connect({ isSandbox: true, dotenv: Option.none(), platform: Option.none() })
        const [admin, visitor, server, endUser] = yield* Effect.forEach(
          ["admin", "public", "private", "endUser"] as const,
          (audience) => clientFor(platform, audience)
        )
        const { _id: id } = yield* endUser!.dispatcher.call(Requests.create, { payload: { type: "HELP" } })
        const { email } = yield* endUser!.dispatcher.call(Auth.self, {})
        return {
          email,
          type: (yield* admin!.dispatcher.call(Requests.get, { id })).type,
          projects: yield* Effect.forEach([visitor!, server!], ({ dispatcher }) =>
            Effect.map(dispatcher.call(Projects.self, {}), ({ _id }) => _id)
          )
        }
      })
    )
    const { outcome } = await run(program)
    expect(outcome).toMatchObject({
      right: { email: "ana@quartet.test", type: "HELP", projects: [projectId, projectId] }
    })
  })
})

describe("a configuration that a client refuses", () => {
  const url = "QUARTET_BASE_URL=http://a.test"
  const session = "QUARTET_PROJECT_ID=p\nQUARTET_SESSION_ID=s\nQUARTET_ACCESS_TOKEN"
  it.each([
    ["public", "QUARTET_BASE_URL=a.test\nQUARTET_API_KEY=k", 2, "QUARTET_BASE_URL"],
    ["public", `${url}\nQUARTET_LEGACY_URL=a.test\nQUARTET_API_KEY=k`, 2, "QUARTET_LEGACY_URL"],
    [
      "public",
      `${url}\nQUARTET_API_KEY=k\nQUARTET_OPTIONS={"headerNames":{"session":"ä"}}`,
      2,
      "QUARTET_OPTIONS"
    ],
    ["admin", `${url}\n${session}=t\nQUARTET_OPTIONS={"permisions":"off"}`, 2, "QUARTET_OPTIONS"],
    ["public", `${url}\nQUARTET_API_KEY="k k"`, 3, "QUARTET_API_KEY"],
    ["admin", `${url}\n${session}="t t"`, 3, "QUARTET_ACCESS_TOKEN"],
    ["admin", `${url}\n${session}=t`, 3, "QUARTET_ACCESS_TOKEN"]
  ] as const)(
    "of the %s client is told with the variable that it came from: %j",
    async (audience, text, code, name) => {
      const platform = connect({ isSandbox: false, dotenv: file(text), platform: Option.none() }).pipe(
        Effect.flatMap((platform) => clientFor(platform, audience)),
        Effect.scoped
      )
      expect((await run(platform)).outcome).toMatchObject({
        left: {
          code,
          next: `It comes from ${name} in the environment or in the file.`,
          error: { operation: "client" }
        }
      })
    }
  )
})

describe("a confirmation", () => {
  const ask = (isAgreed: boolean) => confirm("Delete this?", isAgreed)

  it("goes on by --yes without asking, and by a key", async () => {
    expect(await run(ask(true))).toMatchObject({ outcome: { _tag: "Right" }, shown: "" })
    expect(await run(ask(false), "y")).toMatchObject({
      outcome: { _tag: "Right" },
      shown: expect.stringContaining("Delete this?")
    })
  })

  it("stops by another key, and where nobody can be asked", async () => {
    expect((await run(ask(false), "n")).outcome).toMatchObject({
      left: { message: "Nothing was done.", _tag: "Problem" }
    })
    expect((await run(ask(false), "\u0003")).outcome).toMatchObject({ left: { _tag: "QuitException" } })
    expect((await run(ask(false))).outcome).toMatchObject({
      left: {
        code: 2,
        message: "Delete this? There is no terminal to ask on.",
        next: expect.stringContaining("--yes")
      }
    })
  })
})
