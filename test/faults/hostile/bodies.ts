/** Hostile bodies: payloads, content queries, and multipart forms. */
import type { Random } from "../../../adapters/sandbox/state/random.js"
import * as Boxes from "../../../core/boxes/operations.js"
import * as Content from "../../../core/content/operations.js"
import * as Files from "../../../core/files/operations.js"
import { type Family, run, send, shown } from "./cases.js"
import { type Sight, partsOf as targetOf, valuesOf } from "./sight.js"
import { text } from "./texts.js"
import { same, sayable, scalarText, value } from "./values.js"

export const payloads: Family = {
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

export const contentV3: Family = {
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
      const pairs = [...new URLSearchParams(targetOf(sight).query)]
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

export const contentV2: Family = {
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
      const [pair, ...more] = [...new URLSearchParams(targetOf(sight).query)]
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
const partsOf = (sight: Sight): ReadonlyArray<readonly [head: string, content: string]> => {
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

export const forms: Family = {
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
      const [first, second, ...more] = partsOf(sight)
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
