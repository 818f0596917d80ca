// A mock server of others on each document: every call of every client, as our clients send it, is what the document says, and what the
// server makes up by the document is what our clients read.

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { Drifts } from "@quartet/sandbox/testing"
import { foreignTool, ownEnvironment } from "@quartet/support/foreign.js"
import { patient } from "@quartet/support/patience.js"
import { openTransport } from "@quartet/support/transports.js"
import { type Client, rowsOf } from "@quartet/support/wire-rows.js"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { described } from "../../../clients/description/described.js"
import type { Outcome, Service } from "../../../core/ports/transport.js"
import { inputOf } from "../../../tools/pages/inputs.js"
import * as Forms from "../../wire/forms.js"
import { secrets } from "../../wire/platform.js"
import { documents } from "./documents.js"

const prism = foreignTool("prism", { packages: { "@stoplight/prism-cli": "5.16.0" }, node: "24.21.0" })

/** Starts the server on a document; answers its address, and what ends it. */
const serve = async (path: string) => {
  const args = [prism.bin("prism"), "mock", path, "--host", "127.0.0.1", "--port", "0"]
  const server: ChildProcess = spawn(prism.node(), args, {
    cwd: prism.folder,
    env: { ...ownEnvironment(), NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = once(server, "exit")
  if (server.stdout === null) throw new Error("the server has no output")
  const said: Array<string> = []
  const url = await new Promise<string>((found, fail) => {
    void ended.then(() => fail(new Error(`the server has ended:\n${said.join("\n")}`)))
    if (server.stdout === null) return
    createInterface(server.stdout).on("line", (line) => {
      said.push(line)
      const [, address] = /Prism is listening on (http\S+)/.exec(line) ?? []
      if (address !== undefined) found(address)
    })
  })
  const close = async (): Promise<void> => {
    server.kill()
    await ended
  }
  return { url, close }
}

/** A transport, and of each answer that came by it the status and what the server minds of its request. */
const watched = (transport: Service) => {
  const answers: Array<readonly [status: number, violations: string | undefined] | string> = []
  const keep = (outcome: Outcome): void => {
    answers.push(
      "status" in outcome ? [outcome.status, outcome.header("sl-violations")] : `no answer: ${outcome._tag}`
    )
  }
  const service: Service = {
    ...transport,
    start: (request, settle) =>
      transport.start(request, (outcome) => {
        keep(outcome)
        settle(outcome)
      })
  }
  return { service, answers }
}

/** A call that reads, with something in each place of its path. */
const readIn = (client: Client): string => {
  const row = rowsOf(client).find(({ method }) => method === "GET")
  if (row === undefined) throw new Error(`the ${client} client reads nothing`)
  return row.path.replaceAll(/\{[^}]+\}/g, "a")
}

describe.each(documents)("on the document of the $client client", ({ client, path }) => {
  const opened = openTransport("undici")
  const { answers, service } = watched(opened.transport)
  const drifts = Drifts.make()
  let url: string
  let form: Forms.Form
  let close = () => Promise.resolve()

  beforeAll(async () => {
    ;({ close, url } = await serve(path))
    const common = { baseUrl: url, onDrift: drifts.onDrift, logDrift: false }
    const { accessToken, adminSession, apiKey, privateKey, userSession } = secrets
    form = Forms.effects(
      {
        admin: { ...common, projectId: "p1", sessionId: adminSession, accessToken },
        public: { ...common, apiKey },
        private: { ...common, privateKey },
        endUser: { ...common, apiKey, sessionId: userSession }
      },
      service
    )
  }, patient(120_000))

  afterAll(async () => {
    await form.close()
    await opened.close()
    await close()
  })

  test.each(rowsOf(client))("$id is sent, and answered, as the document says", async (row) => {
    const call = described.find(({ key }) => key === row.id)
    if (call === undefined) throw new Error(`there is no ${row.id}`)
    await form.call(row, inputOf(call))
    expect(answers.splice(0)).toEqual([[200, undefined]])
    expect(drifts.all).toEqual([])
  })

  test("the server minds a call without credentials, and answers with the body that is assumed", async () => {
    const answer = await fetch(`${url}/${readIn(client)}`)
    expect([answer.status, answer.headers.get("sl-violations")]).toEqual([
      401,
      expect.stringContaining("security")
    ])
    expect(await answer.json()).toMatchObject({ error: { message: expect.any(String) } })
  })
})
