/** Hostile answers by their number alone: the far end writes their bytes, the near end knows what they truly say. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { Random } from "@quartet/sandbox/extend"

export interface Answer {
  readonly bytes: Buffer
  readonly ends: boolean
  /** The JSON text that an honest reader finds in it; undefined where there is none, or where any reading will do. */
  readonly truth: string | undefined
}

/** Most bytes that the client accepts of an answer. */
export const maxBytes = 256 * 1024

type Chance = Random.Random

const respond = (
  status: string,
  headers: ReadonlyArray<string>,
  body: Buffer | string,
  options: { readonly ends?: boolean; readonly truth?: string; readonly length?: number | undefined } = {}
): Answer => {
  const bytes = typeof body === "string" ? Buffer.from(body) : body
  const { ends = false, truth } = options
  const length = "length" in options ? options.length : bytes.length
  const sized = length === undefined ? [] : [`content-length: ${length}`]
  const closing = ends ? ["connection: close"] : []
  const head = [`HTTP/1.1 ${status}`, ...headers, ...sized, ...closing, "", ""].join("\r\n")
  return { bytes: Buffer.concat([Buffer.from(head, "latin1"), bytes]), ends, truth }
}

const type = "content-type: application/json"
const ok = (body: Buffer | string, truth?: string): Answer =>
  respond("200 OK", [type], body, truth === undefined ? {} : { truth })

const spaces = (random: Chance, text: string): string => (random.chance(0.2) ? ` ${text}\n` : text)

const fields: ReadonlyArray<(random: Chance) => string> = [
  () => '"__proto__":{"polluted":true}',
  () => '"constructor":{"prototype":{"polluted":true}}',
  () => '"a":{"__proto__":{"x":1,"toString":2}}',
  () => '"toString":1,"hasOwnProperty":2,"valueOf":3',
  () => '"toJSON":"x","then":"y"',
  () => '"same":1,"same":2',
  () => '"id64":9007199254740993',
  () => '"id64":-9223372036854775808',
  () => '"id64":[1,{"deep":12345678901234567890}]',
  () => '"even":9007199254740994',
  () => '"large":1e400',
  () => '"float":[1.5,-0,1E5,123456.789e-3]',
  () => '"text":"\\ud800 \\u0000 \\u2028"',
  () => '"text":"9007199254740993"',
  (random) => `"when":"20${random.int(10, 60)}-0${random.int(1, 9)}-${random.int(10, 31)}T10:11:12Z"`,
  (random) => `"when":["2024-02-${random.int(25, 35)}T10:00:00.${random.int(0, 9999)}+04:00"]`,
  () => '"when":{"a":"2024-13-01T00:00:00Z","b":"2024-02-30T10:00:00Z","c":"0000-00-00T00:00:00Z"}',
  () => '"when":"2024-01-01T10:00:00Z trailing"',
  () => `"slow":"2024-01-01T10:00:00.${"1".repeat(20_000)}Z"`,
  () => `"slow":"${"-".repeat(50_000)}"`,
  () => `"slow":"${"2024-01-01T".repeat(3_000)}"`,
  () => `"deep":${"[".repeat(300)}${"]".repeat(300)}`,
  () => '"":"","  ":[]',
  (random) => `"n${random.int(0, 9)}":${random.int(-1_000_000, 1_000_000)}`
]

const object = (random: Chance): string => {
  const chosen = Array.from({ length: random.int(0, 4) }, () => random.pick(fields)(random))
  return `{${['"_id":"x"', ...chosen].join(",")}}`
}

const truthful = (random: Chance): Answer => {
  const text = object(random)
  return ok(spaces(random, text), text)
}

const compressed = (random: Chance): Answer => {
  const text = object(random)
  const [name, pack] = random.pick([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync]
  ] as const)
  const body = pack(Buffer.from(text))
  const header = [type, `content-encoding: ${name}`]
  const kind = random.next()
  if (kind < 0.4) return respond("200 OK", header, body, { truth: text })
  if (kind < 0.6) return respond("200 OK", header, body.subarray(0, body.length - 5))
  if (kind < 0.8) return respond("200 OK", header, text)
  return respond("200 OK", header, pack(Buffer.alloc(8 * maxBytes, 32)))
}

const redirect = (random: Chance, evil: string): Answer => {
  const status = random.pick([300, 301, 302, 303, 304, 307, 308])
  const to = random.pick([`http://${evil}/`, `//${evil}/`, "/elsewhere", `http://${evil}\\@home`, ""])
  const isEmpty = status === 304
  return respond(
    `${status} x`,
    [`location: ${to}`],
    isEmpty ? "" : "{}",
    isEmpty ? { length: undefined } : {}
  )
}

const errors = (random: Chance): Answer => {
  const body = random.pick([
    '{"error":{"message":"no","field":"a"}}',
    '{"message":5}',
    '{"error":"text"}',
    "null",
    "[]",
    "<html>",
    "",
    '{"error":{"__proto__":1,"message":"\\u001b[31mred\\u0007"}}',
    `{"message":"${"x".repeat(5_000)}"}`,
    "\ud800"
  ])
  const status = random.pick([400, 401, 402, 403, 404, 409, 418, 422, 429, 500, 503])
  const retryAfter = random.pick(["-1", "x", "99999999999", "0"])
  return respond(`${status} x`, [type, `retry-after: ${retryAfter}`], body)
}

const odd: ReadonlyArray<(random: Chance) => Answer> = [
  () => respond("200 OK", ["content-type: text/html"], "<html><body>hello</body></html>"),
  () => ok(""),
  () => respond("204 No Content", [], "", { length: undefined }),
  () => ok("null", "null"),
  () => ok('\ufeff{"_id":"x"}', '{"_id":"x"}'),
  () => ok(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])),
  () => ok(Buffer.from('{"_id":"x"}', "utf16le")),
  () => ok('{"_id":"x","a":'),
  () => ok('{"_id":5}'),
  () => ok('{"_id":""}'),
  () => ok("[]"),
  () => ok('"text"'),
  () => ok("NaN"),
  () => ok(`${"[".repeat(100_000)}${"]".repeat(100_000)}`),
  () => ok(`{"_id":"x","a":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`),
  () => ok(`{"_id":"${"x".repeat(2 * maxBytes)}"}`),
  () => respond("200 OK", [type], "{}", { length: 5_000, ends: true }),
  () => respond("200 OK", [type], '{"_id":"x"}{"_id":"y"}', { length: 11, ends: true }),
  () => respond("200 OK", [type, "content-length: 5"], '{"_id":"x"}', { ends: true }),
  () => respond("200 OK", [type, "transfer-encoding: chunked"], "zz\r\n", { length: undefined, ends: true }),
  () => respond("200 OK", [type, "transfer-encoding: chunked"], "5\r\n{", { length: undefined, ends: true }),
  () => respond("200 OK", [type, "content-encoding: nonsense"], "{}"),
  () => respond("200 OK", [type, "content-encoding: gzip, gzip"], gzipSync(gzipSync('{"_id":"x"}'))),
  () => respond("200 OK", [type, `x-long: ${"x".repeat(40_000)}`], "{}", { ends: true }),
  () => respond("200 OK", [type, ...Array.from({ length: 300 }, (_, at) => `x-${at}: y`)], '{"_id":"x"}'),
  () => respond("200 OK", [type, "bad header"], "{}", { ends: true }),
  () => respond("99 x", [type], "{}", { ends: true }),
  () => respond("600 x", [type], "{}", { ends: true }),
  () => respond("999 x", [type], "{}", { ends: true }),
  () => respond("101 Switching Protocols", ["upgrade: h2c", "connection: upgrade"], "", { ends: true }),
  () => ({ bytes: Buffer.from("garbage\r\n\r\n"), ends: true, truth: undefined }),
  () => ({ bytes: Buffer.alloc(0), ends: true, truth: undefined }),
  () => ({
    bytes: Buffer.from(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"_id":"x"}'
    ),
    ends: false,
    truth: '{"_id":"x"}'
  })
]

/** A valid answer with some of its bytes changed: anything may follow, except harm. */
const mutated = (random: Chance): Answer => {
  const bytes = Buffer.from(truthful(random).bytes)
  for (let count = random.int(1, 6); count > 0; count--)
    bytes[random.int(0, bytes.length - 1)] = random.int(0, 255)
  return { bytes, ends: true, truth: undefined }
}

export const answerOf = (seed: number, number: number, evil: string): Answer => {
  const random = Random.make(seed, `answer ${number}`)
  const kind = random.next()
  if (kind < 0.35) return truthful(random)
  if (kind < 0.47) return compressed(random)
  if (kind < 0.55) return redirect(random, evil)
  if (kind < 0.65) return errors(random)
  if (kind < 0.85) return random.pick(odd)(random)
  return mutated(random)
}
