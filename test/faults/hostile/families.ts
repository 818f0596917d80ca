/** The families of hostile input: addresses, bodies and configurations, each with what the far end must have seen. */
import { inspect, types } from "node:util"
import * as Effect from "effect/Effect"
import type { Random } from "../../../adapters/sandbox/state/random.js"
import * as Public from "../../../clients/public/index.js"
import * as Boxes from "../../../core/boxes/operations.js"
import * as Content from "../../../core/content/operations.js"
import * as Files from "../../../core/files/operations.js"
import { Transport } from "../../../core/ports/transport.js"
import * as Requests from "../../../core/requests/operations.js"
import { type Ended, type Family, type Ground, run, send, shown } from "./cases.js"
import { partsOf, type Sight, valuesOf } from "./sight.js"
import { text } from "./texts.js"
import { same, sayable, scalarText, value } from "./values.js"

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

const anyOf = (random: Random, evil: string): unknown =>
  random.chance(0.8) ? text(random, evil) : value(random, evil)

const paths: Family = {
  name: "path values",
  weight: 20,
  run: ({ evil, visitor }, random, twin) => {
    const id = anyOf(random, evil)
    const wanted = anyOf(twin, evil)
    return run(send(visitor, Boxes.get, { id }), (sight) =>
      segmentAfter(sight, "/v1/box/") === String(wanted)
        ? undefined
        : `the id ${shown(wanted)} arrived as ${shown(sight.target)}`
    )
  }
}

const fieldsOf = (random: Random, evil: string): Record<string, unknown> => {
  const fields: Record<string, unknown> = {}
  for (let count = random.int(1, 4); count > 0; count--) {
    const field = { value: anyOf(random, evil), enumerable: true, configurable: true, writable: true }
    Object.defineProperty(fields, text(random, evil), field)
  }
  return fields
}

/** A proxy that was revoked throws at any look, also at this one. */
const isList = (item: unknown): item is ReadonlyArray<unknown> => !types.isProxy(item) && Array.isArray(item)

/** A list goes as its texts between commas. */
const queryText = (item: unknown): string | undefined =>
  isList(item) ? item.map(scalarText).join(",") : scalarText(item)

const queries: Family = {
  name: "queries",
  weight: 15,
  run: ({ evil, visitor }, random, twin) => {
    const wanted = fieldsOf(twin, evil)
    const expected = Object.keys(wanted)
      .map((name) => [name, Reflect.get(wanted, name)] as const)
      // An empty list says nothing, and is left out.
      .filter(([, item]) => item !== undefined && !(isList(item) && item.length === 0))
      .map(([name, item]) => [name, queryText(item)] as const)
    return run(send(visitor, Boxes.list, fieldsOf(random, evil)), (sight) => {
      const pairs = pairsOf(sight)
      const isSame =
        pairs.length === expected.length &&
        expected.every(([name, item], at) => name === pairs[at]?.[0] && item === pairs[at]?.[1])
      return isSame && partsOf(sight).path === "/v1/box"
        ? undefined
        : `the query ${shown(JSON.stringify(expected))} arrived as ${shown(sight.target)}`
    })
  }
}

const listOf = (random: Random, evil: string): ReadonlyArray<unknown> =>
  Array.from({ length: random.int(0, 4) }, () => anyOf(random, evil))

const lists: Family = {
  name: "list parameters",
  weight: 10,
  run: ({ admin, evil, projectId }, random, twin) => {
    const users = listOf(twin, evil)
    const statuses = listOf(twin, evil)
    const input = { inUserIds: listOf(random, evil), statusIn: listOf(random, evil) }
    const texts = (values: ReadonlyArray<unknown>) => (values.length === 0 ? [] : [values.map(scalarText)])
    return run(send(admin, Requests.list, input), (sight) => {
      const query = new URLSearchParams(partsOf(sight).query)
      const isSame = (name: string, values: ReadonlyArray<unknown>): boolean => {
        const [wanted] = texts(values)
        const arrived = query.getAll(name)
        if (wanted === undefined) return arrived.length === 0
        // Split again, so that a comma inside a value would show as one value too many.
        const items = arrived[0]?.split(",") ?? []
        return (
          arrived.length === 1 &&
          items.length === wanted.length &&
          items.every((item, at) => item === wanted[at])
        )
      }
      return isSame("inUserIds", users) &&
        isSame("statusIn", statuses) &&
        query.getAll("projectId").join() === projectId
        ? undefined
        : `the lists ${shown(JSON.stringify([texts(users), texts(statuses)]))} arrived as ${shown(sight.target)}`
    })
  }
}

const payloads: Family = {
  name: "payloads",
  weight: 25,
  run: ({ evil, visitor }, random, twin) => {
    const wanted = sayable(value(twin, evil))
    return run(send(visitor, Boxes.create, { payload: value(random, evil) }), (sight) => {
      const body = sight.body.toString("utf8")
      if (wanted === undefined) return `what JSON cannot say was sent as ${shown(body)}`
      if (wanted.json === undefined) return body === "" ? undefined : "nothing was sent as something"
      return same(JSON.parse(body), wanted.json)
        ? undefined
        : `${shown(JSON.stringify(wanted.json))} arrived as ${shown(body)}`
    })
  }
}

interface Filter {
  readonly k: unknown
  readonly v: unknown
  readonly op?: unknown
  readonly t?: unknown
  readonly condition?: unknown
}

const filterOf = (random: Random, evil: string): Filter => ({
  k: text(random, evil),
  v: random.chance(0.7) ? text(random, evil) : value(random, evil),
  ...(random.chance(0.4) ? { op: random.pick(["=", "!=", ">=", "like", text(random, evil)]) } : {}),
  ...(random.chance(0.3) ? { t: random.pick(["TEXT", "NUMERIC", text(random, evil)]) } : {}),
  ...(random.chance(0.2) ? { condition: random.pick(["contains", "lt", "gt", "nonsense"]) } : {})
})

const operators: Readonly<Record<string, string>> = { contains: "like", lt: "<", gt: ">" }

/** `op|value|type`, written from the specification. */
const v3Of = ({ condition, op, t, v }: Filter): string => {
  const type = typeof v === "number" ? "NUMERIC" : typeof v === "boolean" ? "BOOLEAN" : "TEXT"
  return `${op ?? operators[String(condition)] ?? "="}|${scalarText(v)}|${t ?? type}`
}

const contentV3: Family = {
  name: "content queries, v3",
  weight: 10,
  run: ({ evil, visitor }, random, twin) => {
    const wanted = filterOf(twin, evil)
    const sort = { k: text(twin, evil), v: twin.pick(["asc", "desc", text(twin, evil)]) }
    const filter = [filterOf(random, evil)]
    const input = {
      apiId: "news",
      filter,
      sort: [{ k: text(random, evil), v: random.pick(["asc", "desc", text(random, evil)]) }]
    }
    return run(send(visitor, Content.list, input), (sight) => {
      const pairs = pairsOf(sight)
      const expected = [
        [`p.${wanted.k}`, v3Of(wanted)],
        [`o.${sort.k}`, sort.v]
      ]
      const bars = v3Of(wanted).split("|")
      // The first and the last bar part it: neither operator nor type may hold one.
      const isReadable = bars[0] === String(wanted.op ?? operators[String(wanted.condition)] ?? "=")
      return same(pairs, expected) && isReadable && !sort.v.includes("|")
        ? undefined
        : `${shown(JSON.stringify(expected))} arrived as ${shown(JSON.stringify(pairs))}`
    })
  }
}

const contentV2: Family = {
  name: "content queries, v2",
  weight: 5,
  run: ({ evil, visitor }, random, twin) => {
    const of = (source: Random) => ({
      k: text(source, evil),
      v: text(source, evil),
      ...(source.chance(0.5) ? { condition: source.pick(["contains", "lt", "gt"]) } : {})
    })
    const wanted = of(twin)
    const mark = wanted.condition === "lt" ? "<" : wanted.condition === "gt" ? ">" : ""
    return run(send(visitor, Content.listV2, { apiId: "news", filter: [of(random)] }), (sight) => {
      const [pair, ...more] = pairsOf(sight)
      // Read back as the platform does: a leading mark is a comparison.
      const isAmbiguous = mark === "" && /^[<>]/.test(wanted.v)
      const isSame = pair?.[0] === `f.${wanted.k}` && pair[1] === mark + wanted.v
      return isSame && !isAmbiguous && more.length === 0
        ? undefined
        : `${shown(JSON.stringify(wanted))} arrived as ${shown(sight.target)}`
    })
  }
}

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

const forms: Family = {
  name: "forms and file names",
  weight: 8,
  run: ({ evil, visitor }, random, twin) => {
    const of = (source: Random) => ({
      name: text(source, evil),
      form: source.chance(0.5) ? text(source, evil) : { note: text(source, evil) }
    })
    const { form, name } = of(random)
    const wanted = of(twin)
    const input = { file: { content: new Blob(["the bytes"], { type: "text/plain" }), name }, form }
    return run(send(visitor, Files.uploadWithForm, input), (sight) => {
      const [first, second, ...more] = formOf(sight)
      const said = typeof wanted.form === "string" ? wanted.form : JSON.stringify(wanted.form)
      // A quote is written as %22 and a line break of a text as CRLF, as all forms have it.
      const named = `name="file"; filename="${wanted.name.replaceAll('"', "%22")}"`
      const isSame =
        more.length === 0 &&
        first?.[0].endsWith('name="form"') === true &&
        first[1] === said.replaceAll(breaks, "\r\n") &&
        second?.[0].split("\r\n")[0]?.endsWith(named) === true &&
        second[1] === "the bytes"
      return isSame ? undefined : `${shown(wanted)} arrived as ${shown([first, second])}`
    })
  }
}

/** A visitor's client of a configuration that its type may forbid, and one call of it. */
const calling = (
  { way }: Ground,
  config: Record<string, unknown>,
  id: string
): Effect.Effect<unknown, unknown> =>
  Effect.flatMap(
    // Hostile configurations break the types on purpose.
    Effect.provideService(Public.make(config as unknown as Public.ClientConfig), Transport, way.transport),
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

const baseUrls: Family = {
  name: "base URLs",
  weight: 8,
  run: (ground, random) => {
    const base = random.pick(bases)(hostOf(ground.url), ground.evil, text(random, ground.evil))
    const id = random.chance(0.5) ? "plain" : `@${ground.evil}`
    return run(calling(ground, { baseUrl: base, apiKey: "key" }, id), (sight) =>
      valuesOf(sight, "host").join() === hostOf(ground.url) && sight.target.startsWith("/")
        ? undefined
        : `the base ${shown(base)} led to ${shown(sight.target)}`
    )
  }
}

const routes: Family = {
  name: "routes",
  weight: 5,
  run: (ground, random) => {
    const path = text(random, ground.evil) + random.pick(["", "/{id}", "{id}"])
    const config = { baseUrl: ground.url, apiKey: "key", routes: { "boxes.get": { path } } }
    return run(calling(ground, config, `@${ground.evil}`), (sight) =>
      isAtHome(sight, ground) ? undefined : `the route ${shown(path)} led to ${shown(sight.target)}`
    )
  }
}

/** A refusal must not print what it refuses. */
const kept = (ended: Ended, secret: string): Ended => {
  if (ended.outcome._tag !== "Failure" || secret.length < 6 || /^[\w$]+$/.test(secret)) return ended
  const printed = inspect(ended.outcome.error, { depth: 10, showHidden: true })
  return printed.includes(secret) ? { ...ended, complaint: `the refusal prints ${shown(secret)}` } : ended
}

const credential = (random: Random, evil: string): string =>
  random.chance(0.5) ? text(random, evil) : `key-${text(random, evil)}-key`

const headers: Family = {
  name: "header values",
  weight: 10,
  run: async (ground, random) => {
    const apiKey = credential(random, ground.evil)
    const ended = await run(calling(ground, { baseUrl: ground.url, apiKey }, "plain"), (sight) =>
      valuesOf(sight, "x-api-key").join("\n") === apiKey
        ? undefined
        : `the key ${shown(apiKey)} arrived as ${shown(valuesOf(sight, "x-api-key").join(" and "))}`
    )
    return kept(ended, apiKey)
  }
}

const headerNames: Family = {
  name: "header names",
  weight: 4,
  run: (ground, random) => {
    const name = random.chance(0.3) ? `x-${random.int(0, 99)}` : text(random, ground.evil)
    const config = { baseUrl: ground.url, apiKey: "the-key", headerNames: { apiKey: name } }
    return run(calling(ground, config, "plain"), (sight) =>
      valuesOf(sight, name.toLowerCase()).includes("the-key")
        ? undefined
        : `the header name ${shown(name)} did not carry the key`
    )
  }
}

const keys: Family = {
  name: "idempotency keys",
  weight: 5,
  run: ({ evil, visitor }, random) => {
    const idempotencyKey = credential(random, evil)
    const call = send(visitor, Boxes.create, { payload: { a: 1 } }, { idempotencyKey })
    return run(call, (sight) =>
      valuesOf(sight, "idempotency-key").join("\n") === idempotencyKey
        ? undefined
        : `the key ${shown(idempotencyKey)} arrived as ${shown(valuesOf(sight, "idempotency-key").join())}`
    )
  }
}

const first = { paths, queries, lists, payloads, contentV3, contentV2, forms }
export const families = { ...first, baseUrls, routes, headers, headerNames, keys }
