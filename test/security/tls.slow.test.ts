// A TLS handshake that fails: nothing was sent, and a certificate that is not accepted is not tried again.
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer as createHttpsServer } from "node:https"
import { createServer, type Server, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { bundled } from "../support/programs.js"
import { listen } from "../support/servers.js"
import { ways } from "../support/transports.js"

const folder = mkdtempSync(join(tmpdir(), "quartet-tls-"))
const openssl = (...args: ReadonlyArray<string>): void => {
  execFileSync("openssl", args, { cwd: folder, stdio: "ignore" })
}
const read = (name: string): Buffer => readFileSync(join(folder, name))

/** A key, and a certificate for it that the authority of these tests has signed. */
const certify = (name: string, address: string, days: number) => {
  openssl(
    ..."req -newkey rsa:2048 -nodes -subj /CN=x -keyout".split(" "),
    `${name}.key`,
    "-out",
    `${name}.csr`
  )
  writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${address}`)
  const signed = "-CA ca.pem -CAkey ca.key -CAcreateserial -extfile".split(" ")
  const files = ["-in", `${name}.csr`, "-out", `${name}.pem`]
  openssl("x509", "-req", ...files, "-days", String(days), ...signed, `${name}.ext`)
  return { key: read(`${name}.key`), cert: read(`${name}.pem`) }
}

const authority = (name: string): void => {
  const own = "req -x509 -newkey rsa:2048 -nodes -days 30 -addext subjectAltName=IP:127.0.0.1".split(" ")
  openssl(...own, "-keyout", `${name}.key`, "-out", `${name}.pem`, "-subj", `/CN=${name}`)
}

authority("ca")
authority("self")
const here = "IP:127.0.0.1"
const good = certify("good", here, 30)

/** Connections that were made, and requests that came through. */
interface Counted {
  readonly server: Server
  connections: number
  requests: number
}

const counted = (server: Server): Counted => {
  const found: Counted = { server, connections: 0, requests: 0 }
  server.on("connection", () => {
    found.connections += 1
  })
  server.on("tlsClientError", () => undefined)
  server.on("request", () => {
    found.requests += 1
  })
  return found
}

const https = (options: object): Counted =>
  counted(
    createHttpsServer(options, (request, response) => {
      request.resume()
      response.end('{"_id":"1"}')
    })
  )

const onceTold = (tell: (socket: Socket) => void): Counted =>
  counted(createServer((socket) => socket.once("data", () => tell(socket))))

const old = { maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" }
const refused: Readonly<Record<string, () => Counted>> = {
  "a certificate that signs itself": () => https({ key: read("self.key"), cert: read("self.pem") }),
  "a certificate that has expired": () => https(certify("expired", here, -1)),
  "a certificate of another host": () => https(certify("other", "DNS:other.test", 30)),
  "a version of TLS that is not spoken any more": () => https({ ...good, ...old }),
  "no cipher in common": () => https({ ...good, maxVersion: "TLSv1.2", ciphers: "NULL-SHA256:@SECLEVEL=0" }),
  "plain HTTP": () => onceTold((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))
}

describe.each(ways)("over $name", ({ name }) => {
  const output = bundled(new URL("./tls/child.ts", import.meta.url))
  const servers: Array<Counted> = []
  const urls: Array<string> = []

  beforeAll(async () => {
    const broken = onceTold((socket) => socket.end())
    const closers: Array<() => Promise<void>> = []
    for (const one of [...Object.values(refused).map((make) => make()), broken, https(good)]) {
      const { close, port } = await listen(one.server)
      servers.push(one)
      urls.push(`https://127.0.0.1:${port}`)
      closers.push(close)
    }
    return () => Promise.all(closers.map((close) => close()))
  })

  it("says of a handshake that failed that nothing was sent, also to a write, and tries no other where it would fail again", async () => {
    const { stderr, stdout } = await output([name, ...urls], {
      env: { NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") }
    })
    const told = stdout
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line))
    const names = [...Object.keys(refused), "a handshake that breaks off", "TLS as it should be"]
    const tls = ["NetworkError", "Tls", false]
    const reset = ["NetworkError", "Reset", true]
    expect(Object.fromEntries(names.map((key, at) => [key, told[at]])), stderr).toEqual({
      ...Object.fromEntries(Object.keys(refused).map((key) => [key, [tls, tls]])),
      // The line was at fault, not the platform: another attempt may help.
      "a handshake that breaks off": [reset, reset],
      "TLS as it should be": [['{"_id":"1"}'], ['{"_id":"1"}']]
    })
    // Each call once; three times where it may help.
    expect(servers.map(({ connections }) => connections).slice(0, -1)).toEqual([
      ...Object.keys(refused).map(() => 2),
      6
    ])
    expect(servers.map(({ requests }) => requests)).toEqual([...names.slice(0, -1).map(() => 0), 2])
  }, 60_000)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))
