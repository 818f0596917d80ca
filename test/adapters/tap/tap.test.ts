import { describe, expect, it, vi } from "vitest"
import * as Tap from "../../../adapters/tap/index.js"
import type { Outcome, Request, Service } from "../../../core/ports/transport.js"

const secrets = [
  "eyJhbGciOi.aVeryLong.AccessToken0123",
  "s3ss10n-0123456789",
  "hunter2-hunter2",
  "qk_private_demo"
]

const request: Request = {
  operation: "auth.login",
  method: "POST",
  origin: "https://api.test",
  path: `/auth/admin/login?token=${secrets[0]}&page=2`,
  headers: {
    authorization: `Bearer ${secrets[0]}`,
    "x-session-id": secrets[1] ?? "",
    "x-our-own-key": secrets[3] ?? "",
    "content-type": "application/json"
  },
  body: { _tag: "Json", text: JSON.stringify({ email: "ana@example.test", password: secrets[2] }) },
  answer: "bytes",
  maxBytes: 1_000,
  attempt: 2,
  onUpload: undefined
}

const answered: Outcome = {
  _tag: "Answered",
  status: 200,
  header: () => undefined,
  body: new TextEncoder().encode(
    JSON.stringify({
      accessToken: secrets[0],
      user: { sessionId: secrets[1], private_api_key: secrets[3], name: "Ana" }
    })
  )
}

/** A transport that is told by hand how its exchange ends. */
const manual = () => {
  const ends: Array<(outcome: Outcome) => void> = []
  let abandoned = 0
  const service: Service = {
    start: (_, settle) => {
      ends.push(settle)
      return () => {
        abandoned += 1
      }
    }
  }
  return { service, end: (outcome: Outcome) => ends.at(-1)?.(outcome), abandoned: () => abandoned }
}

const run = (outcome: Outcome, of: Request = request) => {
  const exchanges: Array<Tap.Exchange> = []
  const settled: Array<Outcome> = []
  const { end, service } = manual()
  Tap.make(service, (exchange) => exchanges.push(exchange)).start(of, (result) => settled.push(result))
  end(outcome)
  return { exchanges, settled }
}

describe("a tapped transport", () => {
  it("tells of an exchange when it begins and when it ends, and passes the outcome on unchanged", () => {
    const { settled, exchanges } = run(answered)
    expect(settled).toEqual([answered])
    expect(exchanges.map(({ ending, id }) => [id, ending?._tag])).toEqual([
      [1, undefined],
      [1, "Answered"]
    ])
    expect(exchanges[1]).toMatchObject({ operation: "auth.login", method: "POST", attempt: 2 })
    expect(exchanges[1]?.duration).toBeGreaterThanOrEqual(0)
  })

  it("tells no secret: not of the headers, whatever their names, the query, the body or the answer", () => {
    const all = JSON.stringify(run(answered).exchanges)
    for (const secret of secrets) expect(all).not.toContain(secret)
    expect(all).toContain("ana@example.test")
    expect(all).toContain("application/json")
    expect(all).toContain("page=2")
    expect(all).toContain("Bearer ••••••")
  })

  it.each([
    [
      "throws",
      () => {
        throw new Error("broken tap")
      }
    ],
    ["rejects", () => Promise.reject(new Error("broken tap"))]
  ])("passes the outcome on where what it tells %s, which is logged", async (_, tell) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined)
    const settled: Array<Outcome> = []
    const { end, service } = manual()
    Tap.make(service, tell).start(request, (result) => settled.push(result))
    end(answered)
    expect(settled).toEqual([answered])
    await new Promise(setImmediate)
    expect(log.mock.calls.map(([line, cause]) => [line, String(cause)])).toEqual([
      ["a tap failed:", "Error: broken tap"],
      ["a tap failed:", "Error: broken tap"]
    ])
    log.mockRestore()
  })

  it("tells no secret of a document in the query, and the rest of it", () => {
    const data = encodeURIComponent('{"password":"hunter2","page":3}')
    const { exchanges } = run(answered, { ...request, path: `/x?data=${data}&page=2` })
    expect(exchanges[0]?.path).toBe("/x?data=%7B%22password%22%3A%22••••••%22%2C%22page%22%3A3%7D&page=2")
  })

  it("tells a bare key of an answer, unless the request sent it", () => {
    const body = new TextEncoder().encode('{"key":"theme","list":[{"key":"k-99-zz-1"}]}')
    const sent = { ...request, body: { _tag: "Json" as const, text: '{"key":"k-99-zz-1"}' } }
    const { exchanges } = run({ ...answered, body }, sent)
    expect(JSON.stringify(exchanges[1])).toContain("theme")
    expect(JSON.stringify(exchanges[1])).not.toContain("k-99")
  })

  it("tells no code of a form, not even one that reads as a number", () => {
    const parts = [
      { name: "cardPin", text: "4821" },
      { name: "amount", text: "50" }
    ]
    const { exchanges } = run(answered, { ...request, body: { _tag: "Form", parts } })
    expect(exchanges[0]?.body).toBe('cardPin: "••••••"\namount: 50')
  })

  it("tells no secret that stands in the name of a field, of an answer, a body or a query", () => {
    const [token = "", session = "", password = "", key = ""] = secrets
    const names = Object.fromEntries(secrets.map((secret) => [secret, { [`a ${secret} b`]: 1 }]))
    const text = JSON.stringify({ ...names, password, session, key, token })
    const { exchanges } = run(
      { ...answered, body: new TextEncoder().encode(JSON.stringify(names)) },
      {
        ...request,
        path: `/x?${encodeURIComponent(session)}=1&d=${encodeURIComponent(text)}`,
        body: { _tag: "Json", text }
      }
    )
    for (const secret of secrets) expect(JSON.stringify(exchanges)).not.toContain(secret)
  })

  it("tells nothing of all that the client knows, though this request held none of it", () => {
    const known = ["correct horse battery", "qk_renewed_0123456789", "pk-4821-private"]
    const [first = "", second = "", third = ""] = known
    const echoed: Request = {
      ...request,
      path: `/user/${encodeURIComponent(first)}?note=${encodeURIComponent(second)}`,
      headers: { "content-type": "application/json", "user-agent": `app ${third}`, "idempotency-key": first },
      body: { _tag: "Json", text: JSON.stringify({ note: first, [second]: [third] }) },
      secrets: () => known
    }
    const body = new TextEncoder().encode(
      JSON.stringify({
        message: `no ${first}`,
        [second]: btoa(third),
        list: [{ text: encodeURIComponent(first) }]
      })
    )
    const { exchanges } = run({ ...answered, header: () => `text/plain; note=${second}`, body }, echoed)
    const shown = JSON.stringify(exchanges) + Tap.har(exchanges)
    for (const secret of [...known, encodeURIComponent(first), btoa(third)])
      expect(shown).not.toContain(secret)
  })

  it("tells of text that is no JSON how long it is, and nothing of it", () => {
    const body = new TextEncoder().encode(`<html>${secrets[0]}</html>`)
    const { exchanges } = run({ ...answered, body })
    expect(exchanges[1]?.ending).toMatchObject({
      _tag: "Answered",
      body: `(${body.byteLength} characters, not JSON)`
    })
  })

  it.each([3_998, 3_999])(
    "tells the first 4,000 characters of an answer: of a text of %d and its quotes",
    (length) => {
      const text = JSON.stringify("x".repeat(length))
      const { exchanges } = run({ ...answered, body: new TextEncoder().encode(text) })
      expect(exchanges[1]?.ending).toMatchObject({
        body: text.length > 4_000 ? `${text.slice(0, 4_000)}\n…` : text
      })
    }
  )

  it("tells of the parts of a form by their names and sizes", () => {
    const file = new Blob(["abc"])
    const { exchanges } = run(answered, {
      ...request,
      body: {
        _tag: "Form",
        parts: [
          { name: "file", file, fileName: "plan.txt" },
          { name: "form", text: '{"apiKey":"x"}' }
        ]
      }
    })
    expect(exchanges[0]?.body).toBe('file: plan.txt (3 bytes)\nform: {\n  "apiKey": "••••••"\n}')
  })

  it("tells that an exchange was abandoned, once, and abandons it", () => {
    const exchanges: Array<Tap.Exchange> = []
    const { abandoned, end, service } = manual()
    const abandon = Tap.make(service, (exchange) => exchanges.push(exchange)).start(request, () => undefined)
    abandon()
    end(answered)
    expect(abandoned()).toBe(1)
    expect(exchanges.map(({ ending }) => ending?._tag)).toEqual([undefined, "Abandoned"])
  })

  it("tells why no answer came, and whether anything was sent", () => {
    const { exchanges } = run({
      _tag: "Failed",
      reason: "Refused",
      sent: false,
      cause: new Error(secrets[0])
    })
    expect(exchanges[1]?.ending).toEqual({ _tag: "Failed", reason: "Refused", sent: false })
    expect(JSON.stringify(exchanges)).not.toContain(secrets[0])
  })
})

describe("a HAR", () => {
  const failed: Outcome = { _tag: "Failed", reason: "Refused", sent: false, cause: undefined }
  const { log } = JSON.parse(Tap.har([...run(failed).exchanges, ...run(answered).exchanges]))

  it("has what HAR 1.2 requires, of each exchange that is over once", () => {
    const message = {
      httpVersion: "string",
      cookies: "object",
      headers: "object",
      headersSize: "number",
      bodySize: "number"
    }
    const required = {
      "": {
        startedDateTime: "string",
        time: "number",
        request: "object",
        response: "object",
        cache: "object",
        timings: "object"
      },
      request: { ...message, method: "string", url: "string", queryString: "object" },
      response: {
        ...message,
        status: "number",
        statusText: "string",
        content: "object",
        redirectURL: "string"
      },
      timings: { send: "number", wait: "number", receive: "number" }
    }
    expect([log.version, typeof log.creator.name, typeof log.creator.version]).toEqual([
      "1.2",
      "string",
      "string"
    ])
    expect(log.entries).toHaveLength(2)
    for (const entry of log.entries) {
      for (const [part, fields] of Object.entries(required)) {
        const actual = part === "" ? entry : entry[part]
        expect(Object.fromEntries(Object.keys(fields).map((name) => [name, typeof actual[name]]))).toEqual(
          fields
        )
      }
      const { receive, send, wait } = entry.timings
      expect(Math.min(send, wait, receive)).toBeGreaterThanOrEqual(0)
      expect(send + wait + receive).toBe(entry.time)
      expect([typeof entry.response.content.size, typeof entry.response.content.mimeType]).toEqual([
        "number",
        "string"
      ])
      expect(new Date(entry.startedDateTime).toISOString()).toBe(entry.startedDateTime)
    }
  })

  it("says of a download the type, and no size, text or words of its status, which nobody knows", () => {
    const header = (name: string) => (name === "content-type" ? "text/csv" : undefined)
    const { exchanges } = run({ _tag: "Streaming", status: 200, header, body: new ReadableStream() })
    const { response } = JSON.parse(Tap.har(exchanges)).log.entries[0]
    expect(response).toMatchObject({ status: 200, statusText: "", comment: "Streaming" })
    expect(response.content).toEqual({ size: -1, mimeType: "text/csv" })
  })

  it("holds what was sent and answered, and no secret", () => {
    const [lost, entry] = log.entries
    expect([lost.response.status, lost.response.comment]).toEqual([0, "Failed"])
    expect(entry).toMatchObject({
      comment: "auth.login",
      request: { method: "POST", url: "https://api.test/auth/admin/login?token=••••••&page=2" },
      response: { status: 200 }
    })
    expect(entry.request.queryString).toContainEqual({ name: "page", value: "2" })
    expect(JSON.parse(entry.request.postData.text)).toMatchObject({ email: "ana@example.test" })
    expect(JSON.parse(entry.response.content.text)).toMatchObject({ user: { name: "Ana" } })
    for (const secret of secrets) expect(JSON.stringify(log)).not.toContain(secret)
  })
})
