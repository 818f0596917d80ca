/** Hostile configurations: base URLs, routes, credentials, header names and keys. */
import { inspect } from "node:util"
import * as Effect from "effect/Effect"
import type { Random } from "../../../adapters/sandbox/state/random.js"
import * as Public from "../../../clients/public/index.js"
import * as Boxes from "../../../core/boxes/operations.js"
import { Transport } from "../../../core/ports/transport.js"
import { type Ended, type Family, type Ground, run, send, shown } from "./cases.js"
import { type Sight, valuesOf } from "./sight.js"
import { text } from "./texts.js"

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

export const baseUrls: Family = {
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

export const routes: Family = {
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

export const headers: Family = {
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

export const headerNames: Family = {
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

export const keys: Family = {
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
