// What a Transport puts on a wire: method, path, headers, bodies and forms, just as the request says.
import { expect, test } from "vitest"
import type { Request } from "../../core/ports/transport.js"
import { aWhile } from "../support/eventually.js"
import { text } from "../support/odd-server.js"
import { utf8, type Wire } from "./transport-exchanges.js"

export const transportRequests = ({ get, server }: Wire): void => {
  /** What the server saw of a request. */
  const echoed = async (more: Partial<Request>, path = "/echo") => {
    const outcome = await get(path, more)
    if (outcome._tag !== "Answered") return expect.unreachable(outcome._tag)
    const { body, ...rest } = JSON.parse(utf8.decode(outcome.body))
    return { ...rest, body: Buffer.from(body, "base64") }
  }

  for (const method of ["GET", "POST", "PUT", "DELETE"] as const) {
    test(`sends ${method}, with nothing where there is no body`, async () => {
      const seen = await echoed({ method })
      expect(seen.method).toBe(method)
      expect(seen.body.byteLength).toBe(0)
    })
  }

  for (const method of ["POST", "PUT"] as const) {
    test(`sends the body of ${method} byte by byte, with its type and its length`, async () => {
      const body = { _tag: "Json", text: `${text}\u0000\\"` } as const
      const seen = await echoed({ method, body, headers: { "content-type": "application/json" } })
      expect(seen.body.equals(Buffer.from(body.text))).toBe(true)
      expect(seen.headers["content-type"]).toBe("application/json")
      expect(seen.headers["content-length"]).toBe(String(Buffer.byteLength(body.text)))
    })
  }

  test("sends a body of megabytes", async () => {
    const body = { _tag: "Json", text: JSON.stringify("ü".repeat(2_000_000)) } as const
    const seen = await echoed({ method: "POST", body, headers: { "content-type": "application/json" } })
    expect(seen.body.byteLength).toBe(4_000_002)
  })

  test("sends path and query as they are", async () => {
    const path = "/echo/a%2Fb/%25/%F0%9F%8E%89/x?q=a%20b&list=1,2&empty=&%D0%B0=%2B"
    expect((await echoed({}, path)).url).toBe(path)
  })

  test("sends its headers, and no credentials of its own", async () => {
    const headers = { authorization: "Bearer t", "x-api-key": "k", "x-session-id": "s" }
    const seen = await echoed({ headers })
    expect(seen.headers).toMatchObject(headers)
    expect(seen.headers).not.toHaveProperty("cookie")
    expect(seen.headers).not.toHaveProperty("traceparent")
  })

  const writes: Readonly<Record<string, Partial<Request>>> = {
    "a POST with a body": { method: "POST", body: { _tag: "Json", text: '{"a":1}' } },
    "a POST without one": { method: "POST" },
    "a PUT": { method: "PUT", body: { _tag: "Json", text: '{"a":1}' } },
    "a DELETE": { method: "DELETE" },
    "an upload": {
      method: "POST",
      body: { _tag: "Form", parts: [{ name: "file", file: new Blob(["abc"]), fileName: "a.txt" }] }
    }
  }
  for (const [name, more] of Object.entries(writes)) {
    test(`sends ${name} once, also where 408 or 421 invite to send it again`, async () => {
      for (const status of [408, 421]) {
        const before = server().seen.length
        expect(await get(`/status/${status}`, more)).toMatchObject({ _tag: "Answered", status })
        await aWhile(20)
        expect(server().seen).toHaveLength(before + 1)
      }
    })

    test(`sends ${name} once where a kept connection turns out to be closed`, async () => {
      // The first answer leaves a connection, the second request is lost on it.
      await get("/status/200")
      const before = server().seen.length
      expect(await get("/drop", more)).toMatchObject({ _tag: "Failed", sent: true })
      await aWhile(20)
      expect(server().seen).toHaveLength(before + 1)
    })
  }

  const names = [
    "plain.txt",
    'quo"te.txt',
    "semi;colon=.txt",
    "per%22cent.txt",
    "имя файла 🎉.txt",
    "line\r\nx-evil: yes.txt",
    "\r\n\r\n<script>.txt"
  ]
  test("sends forms with fields and files, whatever their names", async () => {
    const parts = [
      { name: "title", text: "ünïcödé 🎉\r\n--boundary" },
      { name: 'od"d\r\nname', text: "1" },
      ...names.map((fileName, n) => ({
        name: "file",
        file: new Blob([`content ${n}\u0000\r\n`], { type: n % 2 === 0 ? "text/plain" : "" }),
        fileName
      }))
    ]
    const seen = await echoed({ method: "POST", body: { _tag: "Form", parts } })
    expect(seen.headers["content-length"]).toBe(String(seen.body.byteLength))
    const type = seen.headers["content-type"] ?? ""
    expect(type).toMatch(/^multipart\/form-data; boundary=/)
    const raw: string = seen.body.toString("utf8")
    for (const line of raw.split("\r\n")) expect(line.startsWith("x-evil")).toBe(false)
    const form = await new Response(seen.body, { headers: { "content-type": type } }).formData()
    expect(form.get("title")).toBe("ünïcödé 🎉\r\n--boundary")
    expect(form.get('od"d\r\nname')).toBe("1")
    const files = form.getAll("file").filter((file) => file instanceof File)
    expect(files.map(({ name }) => name)).toEqual(names.map((name) => name.replace("per%22cent", 'per"cent')))
    for (const [n, file] of files.entries()) expect(await file.text()).toBe(`content ${n}\u0000\r\n`)
  })
}
