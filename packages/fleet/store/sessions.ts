/**
 * Sessions that a fleet shares through its store: sealed, so that the database holds nothing that signs in, and renewed by one runner
 * for all. There is no `onSignOut`: a runner that signs out does not stop the others, which sign in again.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SessionStoreService as Service, StoredSession } from "@quartet/sdk/extend"
import { sessionStoreOver } from "@quartet/sdk/extend/sessions"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { FleetError } from "../fleet-error.js"
import { moment, since } from "./elapsed.js"
import { apart, create, now, patient } from "./store.js"

/** What sessions keep in the store. `kept_at` is the store's time in milliseconds. */
export const tables: ReadonlyArray<string> = [
  "CREATE TABLE IF NOT EXISTS quartet_sessions (name TEXT PRIMARY KEY, sealed TEXT NOT NULL, kept_at BIGINT NOT NULL)",
  "CREATE TABLE IF NOT EXISTS quartet_session_leases (name TEXT PRIMARY KEY, owner TEXT NOT NULL, lease_until BIGINT NOT NULL)"
]

/** One key: it seals what is kept, and names it. */
export interface Key {
  /** A client's key names an e-mail, so that a row is named by what only the key's holder can compute. */
  readonly nameOf: (text: string) => Promise<string>
  readonly seal: (name: string, text: string) => Promise<string>
  /** Rejects what it has not sealed under this name. */
  readonly open: (name: string, sealed: string) => Promise<string>
}

const bytes = 32
const nonceBytes = 12

const makeKey = async (secret: Uint8Array): Promise<Key> => {
  const { subtle } = globalThis.crypto
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()
  const material = await subtle.importKey("raw", new Uint8Array(secret), "HKDF", false, ["deriveKey"])
  const derive = (info: string, algorithm: AesKeyGenParams | HmacKeyGenParams, uses: Array<KeyUsage>) =>
    subtle.deriveKey(
      { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(info) },
      material,
      algorithm,
      false,
      uses
    )
  const sealing = await derive("quartet fleet session seal", { name: "AES-GCM", length: 256 }, [
    "encrypt",
    "decrypt"
  ])
  const naming = await derive("quartet fleet session name", { name: "HMAC", hash: "SHA-256", length: 256 }, [
    "sign"
  ])
  const using = (nonce: Uint8Array<ArrayBuffer>, name: string): AesGcmParams => ({
    name: "AES-GCM",
    iv: nonce,
    additionalData: encoder.encode(name)
  })
  return {
    nameOf: async (text) =>
      Encoding.encodeHex(new Uint8Array(await subtle.sign("HMAC", naming, encoder.encode(text)))),
    seal: async (name, text) => {
      const nonce = globalThis.crypto.getRandomValues(new Uint8Array(nonceBytes))
      const sealed = await subtle.encrypt(using(nonce, name), sealing, encoder.encode(text))
      return Encoding.encodeBase64(new Uint8Array([...nonce, ...new Uint8Array(sealed)]))
    },
    open: async (name, sealed) => {
      const all = new Uint8Array(Either.getOrThrow(Encoding.decodeBase64(sealed)))
      const opened = subtle.decrypt(using(all.slice(0, nonceBytes), name), sealing, all.slice(nonceBytes))
      return decoder.decode(await opened)
    }
  }
}

const wrongKey = (rule: string): FleetError =>
  new FleetError({
    reason: "Key",
    advice: `QUARTET_FLEET_KEY ${rule}: make one by "openssl rand -base64 32", and give the same to all runners`
  })

/**
 * Reads keys: 32 bytes each in base64, separated by commas. The first seals, and all open, so that a key can be replaced: put the new one
 * behind the old one on all runners, then before it, then leave the old one out. The text is never shown.
 */
export const keyOf = (
  text: Redacted.Redacted
): Either.Either<Effect.Effect<readonly [Key, ...ReadonlyArray<Key>]>, FleetError> => {
  const secrets: Array<Uint8Array> = []
  for (const part of Redacted.value(text).split(",")) {
    if (part.trim() === "") return Either.left(wrongKey("is empty, or one of its keys is"))
    const secret = Either.getOrUndefined(Encoding.decodeBase64(part.trim()))
    if (secret?.length !== bytes) return Either.left(wrongKey("must be 32 bytes in base64"))
    if (new Set(secret).size < 8) return Either.left(wrongKey("is not random"))
    secrets.push(secret)
  }
  return Either.right(
    Effect.promise(async () => {
      const [first, ...others] = await Promise.all(secrets.map(makeKey))
      // `split` answers one text at least.
      return [first as Key, ...others] as const
    })
  )
}

/** Milliseconds. */
const lease = 6_000
const renewal = 2_000
const poll = 150

/** Milliseconds after which work goes on although another runner has the lease: a third of the time that a call has. */
const longestWait = 10_000

/** The error of the store, without its text: it can hold what was written. */
const failed = (method: string) => (cause: unknown) =>
  new FleetError({ reason: "Store", advice: `The store could not ${method} a session.`, cause })

/** Sessions over a fleet's store. `runner` names this process. */
export const make = (
  sql: SqlClient,
  runner: string,
  key: Redacted.Redacted
): Effect.Effect<Service, FleetError> =>
  Effect.gen(function* () {
    const keys = yield* Effect.flatten(keyOf(key))
    const [first] = keys
    yield* create(sql, tables)
    let isTold = false
    const warn = Effect.suspend(() => {
      if (isTold) return Effect.void
      isTold = true
      return Effect.logWarning(
        "a session in the fleet's store cannot be opened with QUARTET_FLEET_KEY: another one is made"
      )
    })

    const namesOf = (text: string) =>
      Effect.promise(() => Promise.all(keys.map(({ nameOf }) => nameOf(text))))

    /** The newest that can be opened; during a change of keys there may be one of each. */
    const get = (text: string) =>
      Effect.gen(function* () {
        const names = yield* namesOf(text)
        const rows = yield* patient(
          sql`SELECT name, sealed FROM quartet_sessions WHERE ${sql.in("name", names)} ORDER BY kept_at DESC`
        )
        for (const { name, sealed } of rows) {
          const by = keys[names.indexOf(String(name))]
          const opened =
            by && (yield* Effect.option(Effect.tryPromise(() => by.open(String(name), String(sealed)))))
          if (opened !== undefined && Option.isSome(opened)) return opened
          yield* warn
        }
        return Option.none<string>()
      })

    const set = (text: string, value: string) =>
      Effect.gen(function* () {
        const [name, ...others] = yield* namesOf(text)
        if (name === undefined) return
        const sealed = yield* Effect.promise(() => first.seal(name, value))
        yield* patient(sql`INSERT INTO quartet_sessions (name, sealed, kept_at) VALUES (${name}, ${sealed}, ${now(sql)})
          ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, kept_at = excluded.kept_at`)
        if (others.length > 0)
          yield* patient(sql`DELETE FROM quartet_sessions WHERE ${sql.in("name", others)}`)
      })

    const remove = (text: string) =>
      Effect.flatMap(namesOf(text), (names) =>
        patient(sql`DELETE FROM quartet_sessions WHERE ${sql.in("name", names)}`)
      )

    const store = sessionStoreOver({
      get: (text) => Effect.mapError(get(text), failed("load")),
      set: (text, value) => Effect.mapError(set(text, value), failed("save")),
      remove: (text) => Effect.mapError(remove(text), failed("remove"))
    })

    /** Takes or renews a lease; false if another has it. One that would last longer than any is of before the store's clock was set back. */
    const claim = (name: string, owner: string) => {
      const until = sql`${now(sql)} + ${sql.literal(String(lease))}`
      return Effect.map(
        apart(sql`INSERT INTO quartet_session_leases (name, owner, lease_until) VALUES (${name}, ${owner}, ${until})
          ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
          WHERE quartet_session_leases.lease_until <= ${now(sql)} OR quartet_session_leases.owner = excluded.owner
            OR quartet_session_leases.lease_until > ${until}
          RETURNING owner`),
        ({ length }) => length > 0
      )
    }

    /** Waits for the lease in bounded time. */
    const enter = (name: string, owner: string) =>
      Effect.clockWith((clock) => {
        const began = moment(clock)
        const turn: Effect.Effect<void> = Effect.suspend(() =>
          since(clock, began) > longestWait
            ? Effect.void
            : Effect.flatMap(
                Effect.orElseSucceed(claim(name, owner), () => false),
                (isMine) => (isMine ? Effect.void : Effect.zipRight(Effect.sleep(poll), turn))
              )
        )
        return Effect.asVoid(Effect.timeoutOption(Effect.disconnect(turn), Duration.millis(longestWait)))
      })

    const exclusively = <A, E, R>(text: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const owner = `${runner} ${globalThis.crypto.randomUUID()}`
        return Effect.flatMap(
          Effect.promise(() => first.nameOf(text)),
          (name) => {
            const renewing = Effect.forever(
              Effect.zipRight(Effect.sleep(renewal), Effect.ignore(claim(name, owner)))
            )
            const leave = apart(
              sql`DELETE FROM quartet_session_leases WHERE name = ${name} AND owner = ${owner}`
            ).pipe(Effect.disconnect, Effect.timeout(renewal), Effect.ignore)
            const renewedWork = Effect.scoped(
              Effect.zipRight(Effect.forkScoped(Effect.interruptible(renewing)), work)
            )
            return Effect.ensuring(Effect.zipRight(enter(name, owner), renewedWork), leave)
          }
        )
      })

    return {
      ...store,
      /** Only what the client gives up: another runner may have a newer one by now. */
      clear: (text, session) =>
        session === undefined
          ? store.clear(text)
          : Effect.flatMap(
              Effect.orElseSucceed(store.load(text), () => Option.none<StoredSession>()),
              Option.match({
                onNone: () => store.clear(text),
                onSome: (kept) => (kept.sessionId === session.sessionId ? store.clear(text) : Effect.void)
              })
            ),
      exclusively
    }
  })
