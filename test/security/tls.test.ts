// A TLS handshake that fails: nothing was sent, and a certificate that is not accepted is not tried again.
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer as createHttpsServer } from "node:https"
import { createServer, type Server, type Socket } from "node:net"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { patient } from "@quartet/support/patience.js"
import { bundled } from "@quartet/support/programs.js"
import { isWhole } from "@quartet/support/scale.js"
import { listen } from "@quartet/support/servers.js"
import { temporaryFolder } from "@quartet/support/temporary.js"
import { ways } from "@quartet/support/transports.js"

const folder = temporaryFolder("tls")
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

/** Connections that were made, and requests that came through. */
interface Counted {
  readonly server: Server
  connections: number
  requests: number
}

const counted = (server: Server): Counted => {
  const counted: Counted = { server, connections: 0, requests: 0 }
  server.on("connection", () => {
    counted.connections += 1
  })
  server.on("tlsClientError", () => undefined)
  server.on("request", () => {
    counted.requests += 1
  })
  return counted
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

const here = "IP:127.0.0.1"
const old = { maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" }
const tls = ["NetworkError", "Tls", false]
const reset = ["NetworkError", "Reset", true]

/** A server, how a read and a write of it end, and the connections and requests that it sees. */
interface Case {
  readonly name: string
  readonly server: () => Counted
  readonly ends: ReadonlyArray<unknown>
  readonly seen?: readonly [connections: unknown, requests: number]
}

const handshakes: ReadonlyArray<Case> = [
  {
    name: "plain HTTP",
    server: () => onceTold((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
    ends: tls
  },
  {
    // The line was at fault, not the platform: another attempt may help.
    name: "a handshake that breaks off",
    server: () => onceTold((socket) => socket.end()),
    ends: reset,
    seen: [6, 0]
  }
]

/** Those that take certificates, which the command `openssl` makes. */
const certified = (): ReadonlyArray<Case> => {
  authority("ca")
  authority("self")
  const good = certify("good", here, 30)
  const refused: Readonly<Record<string, object>> = {
    "a certificate that signs itself": { key: read("self.key"), cert: read("self.pem") },
    "a certificate that has expired": certify("expired", here, -1),
    "a certificate of another host": certify("other", "DNS:other.test", 30),
    "a version of TLS that is not spoken any more": { ...good, ...old },
    "no cipher in common": { ...good, maxVersion: "TLSv1.2", ciphers: "NULL-SHA256:@SECLEVEL=0" }
  }
  return [
    ...Object.entries(refused).map(([name, options]) => ({ name, server: () => https(options), ends: tls })),
    {
      name: "TLS as it should be",
      server: () => https(good),
      ends: ['{"_id":"1"}'],
      seen: [expect.anything(), 2]
    }
  ]
}

const cases = [...handshakes, ...(isWhole ? certified() : [])]
const output = bundled(new URL("./tls/child.ts", import.meta.url))

it.each(isWhole ? ways : ways.slice(0, 2))(
  "over $name, a handshake that failed says that nothing was sent, also to a write, and is tried again only where it may help",
  async ({ name }) => {
    const servers = cases.map(({ server }) => server())
    const listening = await Promise.all(servers.map(({ server }) => listen(server)))
    const urls = listening.map(({ port }) => `https://127.0.0.1:${port}`)
    const env = isWhole ? { NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") } : {}
    const { stderr, stdout } = await output([name, ...urls], { env })
    await Promise.all(listening.map(({ close }) => close()))
    const results = stdout
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line))
    const counts = cases.map(({ name }, at) => [
      name,
      results[at],
      servers[at]?.connections,
      servers[at]?.requests
    ])
    const expected = cases.map(({ ends, name, seen = [2, 0] }) => [name, [ends, ends], ...seen])
    expect(counts, stderr).toEqual(expected)
  },
  patient(60_000)
)
