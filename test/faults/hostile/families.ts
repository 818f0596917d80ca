/** The families of hostile input: addresses, bodies and configurations, each with what the far end must have seen. */
import { inspect, types } from "node:util"
import type { Random as Seeded } from "@quartet/sandbox/extend"
import { claims, jwt } from "@quartet/support/jwt.js"
import { over } from "@quartet/support/transports.js"
import * as Effect from "effect/Effect"
import * as Admin from "../../../clients/admin/index.js"
import * as Public from "../../../clients/public/index.js"
import * as Boxes from "../../../core/boxes/operations.js"
import * as Content from "../../../core/content/operations.js"
import * as Files from "../../../core/files/operations.js"
import type { CallOptions } from "../../../core/kernel/dispatch/call-options.js"
import type { Bindable } from "../../../core/kernel/dispatch/dispatcher.js"
import type { Policy } from "../../../core/kernel/dispatch/retry.js"
import type { Audience, Operation } from "../../../core/kernel/operation/operation.js"
import * as Raw from "../../../core/kernel/operation/raw.js"
import { Transport } from "../../../core/ports/transport.js"
import * as Requests from "../../../core/requests/operations.js"
import { type Outcome, ofExit } from "../account.js"
import { makeVisitor, quiet, type Way } from "../clients.js"
import type * as Recorder from "../far/recorder.js"
import { partsOf, type Sight, sightOf, valuesOf } from "./sight.js"
import { text } from "./texts.js"
import { put, same, sayable, scalarText, value } from "./values.js"

type Origins = Awaited<ReturnType<typeof Recorder.open>>["addresses"]

export const groundOf = ({ evil, hostileUrl, url }: Origins, way: Way, policy: Partial<Policy>) => {
  const projectId = "the-project"
  const common = { baseUrl: url, ...quiet, policy }
  const admin = Admin.make({ ...common, projectId, sessionId: "session", accessToken: jwt(claims) })
  return {
    way,
    /** Address of the server that keeps and echoes what it receives. */
    url,
    /** Host and port of an origin that must never be called. */
    evil,
    projectId,
    visitor: makeVisitor(way, url, policy),
    /** A visitor of the server with the hostile answers. */
    victim: makeVisitor(way, hostileUrl, policy),
    admin: over(way.transport, admin)
  }
}
export type Ground = ReturnType<typeof groundOf>

/** How a case ended, and what is wrong with it, where something is. */
export interface Ended {
  readonly outcome: Outcome
  readonly complaint: string | undefined
}

/** Makes and runs one case of a family. Two equal sources of chance, so that input and expectation share no object. */
export interface Family {
  readonly name: string
  readonly weight: number
  readonly run: (ground: Ground, random: Seeded.Random, twin: Seeded.Random) => Promise<Ended>
}

/** A call with input that its type forbids. */
export const send = <I, A, Aud extends Audience>(
  { dispatcher }: Bindable,
  operation: Operation<I, A, Aud>,
  input: unknown,
  options?: CallOptions
): Effect.Effect<unknown, unknown> =>
  // Hostile input breaks the types on purpose.
  dispatcher.call<unknown, unknown>(
    operation as unknown as Operation<unknown, unknown, never>,
    input,
    options
  )

/** Runs a case; what was seen is inspected, and what was refused says so by a typed error. */
const run = async (
  call: Effect.Effect<unknown, unknown>,
  inspect: (sight: Sight) => string | undefined
): Promise<Ended> => {
  let complaint: string | undefined
  const exit = await Effect.runPromiseExit(call)
  const outcome = ofExit(exit, (answer) => {
    const sight = sightOf(answer)
    complaint = sight === undefined ? "the answer does not hold what was seen" : inspect(sight)
    return complaint === undefined
  })
  if (outcome._tag === "Defect") complaint = outcome.text
  return { outcome, complaint }
}

export const isRefusal = ({ outcome }: Ended): boolean =>
  outcome._tag === "Failure" &&
  (outcome.error._tag === "InputError" ||
    (outcome.error._tag === "CredentialsError" && outcome.error.operation === "client"))

const shown = (value: unknown): string => {
  const text = typeof value === "string" ? JSON.stringify(value) : inspect(value, { breakLength: Infinity })
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

interface Spec<I> {
  readonly weight: number
  readonly make: (random: Seeded.Random, ground: Ground) => I
  readonly call: (input: I, ground: Ground) => Effect.Effect<unknown, unknown>
  /** Whether what was seen is what an equal input asks for, and what of it to show where it is not. */
  readonly seen: (sight: Sight, wanted: I, ground: Ground) => readonly [isRight: boolean, arrived?: unknown]
  /** What a refusal must not print. */
  readonly secret?: (input: I) => string
}

const printed = ({ outcome }: Ended, secret: string): boolean =>
  outcome._tag === "Failure" &&
  secret.length >= 6 &&
  !/^[\w$]+$/.test(secret) &&
  inspect(outcome.error, { depth: 10, showHidden: true }).includes(secret)

const family = <I>(name: string, { call, make, secret, seen, weight }: Spec<I>): Family => ({
  name,
  weight,
  run: async (ground, random, twin) => {
    const input = make(random, ground)
    const wanted = make(twin, ground)
    const ended = await run(call(input, ground), (sight) => {
      const [isRight, arrived = sight.target] = seen(sight, wanted, ground)
      return isRight ? undefined : `${shown(wanted)} arrived as ${shown(arrived)}`
    })
    const kept = secret?.(wanted)
    const complaint =
      kept !== undefined && printed(ended, kept) ? `the refusal prints ${shown(kept)}` : undefined
    return { ...ended, complaint: complaint ?? ended.complaint }
  }
})

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** What a path says after a prefix, where it is one segment. */
const segmentAfter = (sight: Sight, prefix: string): string | undefined => {
  const { path, query } = partsOf(sight)
  if (!path.startsWith(prefix) || query !== "") return undefined
  const rest = path.slice(prefix.length)
  return /[/\\#]/.test(rest) ? undefined : decoded(rest)
}

const pairsOf = (sight: Sight): ReadonlyArray<readonly [string, string]> => [
  ...new URLSearchParams(partsOf(sight).query)
]

const anyOf = (random: Seeded.Random, { evil }: Ground): unknown =>
  random.chance(0.8) ? text(random, evil) : value(random, evil)

const paths = family("path values", {
  weight: 20,
  make: anyOf,
  call: (id, { visitor }) => send(visitor, Boxes.get, { id }),
  seen: (sight, id) => [segmentAfter(sight, "/v1/box/") === String(id)]
})

const fieldsOf = (random: Seeded.Random, ground: Ground): Record<string, unknown> => {
  const fields: Record<string, unknown> = {}
  for (let count = random.int(1, 4); count > 0; count--)
    put(fields, text(random, ground.evil), anyOf(random, ground))
  return fields
}

/** A proxy that was revoked throws at any look, also at this one. */
const isList = (item: unknown): item is ReadonlyArray<unknown> => !types.isProxy(item) && Array.isArray(item)

/** A list goes as its texts between commas. */
const queryText = (item: unknown): string | undefined =>
  isList(item) ? item.map(scalarText).join(",") : scalarText(item)

const queries = family("queries", {
  weight: 15,
  make: fieldsOf,
  call: (query, { visitor }) => send(visitor, Boxes.list, { query }),
  seen: (sight, wanted) => {
    const pairs = pairsOf(sight)
    const expected = Object.keys(wanted)
      .map((name) => [name, Reflect.get(wanted, name)] as const)
      // An empty list says nothing, and is left out.
      .filter(([, item]) => item !== undefined && !(isList(item) && item.length === 0))
      .map(([name, item]) => [name, queryText(item)] as const)
    const isSame =
      pairs.length === expected.length &&
      expected.every(([name, item], at) => name === pairs[at]?.[0] && item === pairs[at]?.[1])
    return [isSame && partsOf(sight).path === "/v1/box"]
  }
})

const listOf = (random: Seeded.Random, ground: Ground): ReadonlyArray<unknown> =>
  Array.from({ length: random.int(0, 4) }, () => anyOf(random, ground))

const lists = family("list parameters", {
  weight: 10,
  make: (random, ground) => ({ inUserIds: listOf(random, ground), statusIn: listOf(random, ground) }),
  call: (input, { admin }) => send(admin, Requests.list, input),
  seen: (sight, wanted, { projectId }) => {
    const query = new URLSearchParams(partsOf(sight).query)
    const isSame = ([name, values]: readonly [string, ReadonlyArray<unknown>]): boolean => {
      const arrived = query.getAll(name)
      if (values.length === 0) return arrived.length === 0
      // Split again, so that a comma inside a value would show as one value too many.
      const items = arrived[0]?.split(",") ?? []
      const isWhole = arrived.length === 1 && items.length === values.length
      return isWhole && items.every((item, at) => item === scalarText(values[at]))
    }
    return [Object.entries(wanted).every(isSame) && query.getAll("projectId").join() === projectId]
  }
})

const payloads = family("payloads", {
  weight: 25,
  // A body of another kind than an object goes through the door alone.
  make: (random, { evil }) => ({ isRaw: random.chance(0.5), payload: value(random, evil) }),
  call: ({ isRaw, payload }, { visitor }) =>
    send(visitor, Boxes.create, { payload: isRaw ? Raw.raw(payload) : payload }),
  seen: (sight, wanted) => {
    const body = sight.body.toString("utf8")
    const said = sayable(wanted.payload)
    // What JSON cannot say is not sent at all.
    if (said === undefined) return [false, body]
    return [said.json === undefined ? body === "" : same(JSON.parse(body), said.json), body]
  }
})

const filterOf = (random: Seeded.Random, evil: string) => {
  const operator: { readonly op?: string; readonly t?: string; readonly condition?: string } = {
    ...(random.chance(0.4) ? { op: random.pick(["=", "!=", ">=", "like", text(random, evil)]) } : {}),
    ...(random.chance(0.3) ? { t: random.pick(["TEXT", "NUMERIC", text(random, evil)]) } : {}),
    ...(random.chance(0.2) ? { condition: random.pick(["contains", "lt", "gt", "nonsense"]) } : {})
  }
  const v = random.chance(0.7) ? text(random, evil) : value(random, evil)
  return { ...operator, k: text(random, evil), v }
}
type Filter = ReturnType<typeof filterOf>

const operators: Readonly<Record<string, string>> = { contains: "like", lt: "<", gt: ">" }

/** `op|value|type`, written from the specification. */
const v3Of = ({ condition, op, t, v }: Filter): string => {
  const type = typeof v === "number" ? "NUMERIC" : typeof v === "boolean" ? "BOOLEAN" : "TEXT"
  return `${op ?? operators[String(condition)] ?? "="}|${scalarText(v)}|${t ?? type}`
}

const contentV3 = family("content queries, v3", {
  weight: 10,
  make: (random, { evil }) => ({
    filter: filterOf(random, evil),
    sort: { k: text(random, evil), v: random.pick(["asc", "desc", text(random, evil)]) }
  }),
  call: ({ filter, sort }, { visitor }) =>
    send(visitor, Content.list, { apiId: "news", filter: [filter], sort: [sort] }),
  seen: (sight, { filter, sort }) => {
    const expected = [
      [`p.${filter.k}`, v3Of(filter)],
      [`o.${sort.k}`, sort.v]
    ]
    // The first and the last bar part it: neither operator nor type may hold one.
    const operator = String(filter.op ?? operators[String(filter.condition)] ?? "=")
    const isReadable = v3Of(filter).split("|")[0] === operator && !sort.v.includes("|")
    return [isReadable && same(pairsOf(sight), expected)]
  }
})

const contentV2 = family("content queries, v2", {
  weight: 5,
  make: (random, { evil }) => ({
    k: text(random, evil),
    v: text(random, evil),
    ...(random.chance(0.5) ? { condition: random.pick(["contains", "lt", "gt"]) } : {}),
    ...(random.chance(0.4) ? { op: random.pick(["=", "like", "<", ">"]) } : {}),
    ...(random.chance(0.3) ? { t: random.pick(["TEXT", "NUMERIC"]) } : {})
  }),
  call: (filter, { visitor }) => send(visitor, Content.listV2, { apiId: "news", filter: [filter] }),
  seen: (sight, { condition, k, op, v }) => {
    const mark = { lt: "<", gt: ">", "<": "<", ">": ">" }[String(condition ?? op)] ?? ""
    // Without a condition a plain value is not read as a comparison.
    const isAmbiguous = mark === "" && condition === undefined && /^[<>]/.test(v)
    return [!isAmbiguous && same(pairsOf(sight), [[`f.${k}`, mark + v]])]
  }
})

const breaks = /\r\n|\r|\n/g

/** A multipart body cut at its boundary: each part's header lines and its text, both as they stand on the wire. */
const formOf = (sight: Sight): ReadonlyArray<readonly [head: string, content: string]> => {
  const boundary = /boundary=("?)([^";]+)\1/.exec(valuesOf(sight, "content-type")[0] ?? "")?.[2]
  return sight.body
    .toString("utf8")
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const blank = part.indexOf("\r\n\r\n")
      return [part.slice(2, blank), part.slice(blank + 4, -2)]
    })
}

const forms = family("forms and file names", {
  weight: 8,
  make: (random, { evil }) => ({
    name: text(random, evil),
    form: random.chance(0.5) ? text(random, evil) : { note: text(random, evil) }
  }),
  call: ({ form, name }, { visitor }) => {
    const content = new Blob(["the bytes"], { type: "text/plain" })
    return send(visitor, Files.uploadWithForm, { file: { content, name }, form })
  },
  seen: (sight, { form, name }) => {
    const arrived = formOf(sight)
    const [first, second] = arrived
    const said = typeof form === "string" ? form : JSON.stringify(form)
    // A quote is written as %22 and a line break of a text as CRLF, as all forms have it.
    const named = `name="file"; filename="${name.replaceAll('"', "%22")}"`
    const isSame =
      arrived.length === 2 &&
      first?.[0].endsWith('name="form"') === true &&
      first[1] === said.replaceAll(breaks, "\r\n") &&
      second?.[0].split("\r\n")[0]?.endsWith(named) === true &&
      second[1] === "the bytes"
    return [isSame, arrived]
  }
})

/** A visitor's client of a configuration that its type may forbid, and one call of it. */
const calling = (
  { url, way }: Ground,
  config: Record<string, unknown>,
  id = "plain"
): Effect.Effect<unknown, unknown> =>
  Effect.flatMap(
    // Hostile configurations break the types on purpose.
    Effect.provideService(
      Public.make({ baseUrl: url, apiKey: "key", ...config } as unknown as Public.ClientConfig),
      Transport,
      way.transport
    ),
    (client) => send(client, Boxes.get, { id })
  )

const hostOf = (url: string): string => new URL(url).host

/** Whether a request came to the right origin, and to a path of the platform's. */
const isAtHome = (sight: Sight, { url }: Ground): boolean =>
  valuesOf(sight, "host").join() === hostOf(url) &&
  sight.target.startsWith("/") &&
  !sight.target.startsWith("//")

const bases: ReadonlyArray<(home: string, evil: string, junk: string) => unknown> = [
  (home) => `http://${home}`,
  (home) => `http://${home}/`,
  (home) => `http://${home}/a/b//`,
  (home, _evil, junk) => `http://${home}/${junk}`,
  (home, _evil, junk) => `http://${home}${junk}`,
  (home, evil) => `http://${home}@${evil}/`,
  (home, evil) => `http://${home}%40${evil}`,
  (home, evil) => `http://${home}\\@${evil}`,
  (home, evil) => `http://${home}//${evil}`,
  (home, evil) => `http://${home}/..//${evil}`,
  (_home, evil) => `http://user:password@${evil}`,
  (home) => `http://user:password@${home}`,
  (home) => `http://${home}?a=b`,
  (home) => `http://${home}/#`,
  (home) => `HTTP://${home}`,
  (home) => `http:${home}`,
  (home) => `http:///${home}`,
  (home) => ` http://${home}\n`,
  (home) => `ht\ttp://${home}`,
  (home) => `//${home}`,
  (home) => home,
  (home) => `ftp://${home}`,
  () => "javascript:alert(1)",
  () => "file:///etc/passwd",
  () => "data:text/plain,x",
  () => "",
  () => undefined,
  () => 5,
  (home) => ({ toString: () => `http://${home}` }),
  // Whoever configures another origin means it.
  (home, evil, junk) => (junk.includes(evil) ? home : junk + home)
]

const baseUrls = family("base URLs", {
  weight: 8,
  make: (random, { evil, url }) => ({
    baseUrl: random.pick(bases)(hostOf(url), evil, text(random, evil)),
    id: random.chance(0.5) ? "plain" : `@${evil}`
  }),
  call: ({ baseUrl, id }, ground) => calling(ground, { baseUrl }, id),
  seen: (sight, _, { url }) => [
    valuesOf(sight, "host").join() === hostOf(url) && sight.target.startsWith("/")
  ]
})

const routes = family("routes", {
  weight: 5,
  make: (random, { evil }) => text(random, evil) + random.pick(["", "/{id}", "{id}"]),
  call: (path, ground) => calling(ground, { routes: { "boxes.get": { path } } }, `@${ground.evil}`),
  seen: (sight, _, ground) => [isAtHome(sight, ground)]
})

const credential = (random: Seeded.Random, { evil }: Ground): string =>
  random.chance(0.5) ? text(random, evil) : `key-${text(random, evil)}-key`

const headers = family("header values", {
  weight: 10,
  make: credential,
  call: (apiKey, ground) => calling(ground, { apiKey }),
  seen: (sight, apiKey) => {
    const arrived = valuesOf(sight, "x-api-key")
    return [arrived.join("\n") === apiKey, arrived]
  },
  secret: (apiKey) => apiKey
})

const headerNames = family("header names", {
  weight: 4,
  make: (random, { evil }) => (random.chance(0.3) ? `x-${random.int(0, 99)}` : text(random, evil)),
  call: (name, ground) => calling(ground, { apiKey: "the-key", headerNames: { apiKey: name } }),
  seen: (sight, name) => [valuesOf(sight, name.toLowerCase()).includes("the-key"), sight.head]
})

const keys = family("idempotency keys", {
  weight: 5,
  make: credential,
  call: (idempotencyKey, { visitor }) =>
    send(visitor, Boxes.create, { payload: { a: 1 } }, { idempotencyKey }),
  seen: (sight, key) => {
    const arrived = valuesOf(sight, "idempotency-key")
    return [arrived.join("\n") === key, arrived]
  }
})

const first = { paths, queries, lists, payloads, contentV3, contentV2, forms }
export const families = { ...first, baseUrls, routes, headers, headerNames, keys }
