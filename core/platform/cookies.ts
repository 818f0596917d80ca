/**
 * The cookies of a platform as a program on a server keeps them; a browser keeps its own. They are part of a session: one that is handed on has
 * their present values.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import { isRecord } from "effect/Predicate"
import type { Lifetime } from "../kernel/dispatch/lifetime/lifetime.js"
import { percentDecoded, urlOf } from "../kernel/operation/url.js"
import { own } from "../permissions/own.js"
import type { Service as Store, StoredSession } from "../ports/session-store.js"
import type { Carrier, Definition } from "./definition.js"
import { cookiesIn } from "./places.js"

/** The cookie that carries a credential. */
export const cookieOf = (carrier: Carrier | false | undefined): string | undefined =>
  carrier !== undefined && carrier !== false && "cookie" in carrier ? carrier.cookie : undefined

/** Whether something is text that a header can hold. */
export const isHeaderValue = (value: unknown): value is string =>
  typeof value === "string" && /^[ -~]*$/.test(value)

/** Whether something is the value of a cookie that a request can have. */
export const isCookieValue = (value: unknown): value is string =>
  isHeaderValue(value) && value !== "" && !value.includes(";")

/** What a header repeats of a cookie: without its percent-encoding, as pages of the platform's own repeat it. */
export const proofIn = (value: string): string => {
  const decoded = percentDecoded(value)
  return isHeaderValue(decoded) ? decoded : value
}

/** The most values of each kind that are kept. */
const most = 8

/** The host of an origin: cookies of all its ports are the same. */
const hostOf = (origin: string): string => urlOf(origin)?.hostname ?? origin

/** A cookie of a host, or of all hosts of a domain. */
const nameAt = (host: string, name: string): string => `${host} ${name}`

/** A host, and the domains that it is in. */
const domainsOf = (host: string): ReadonlyArray<string> => {
  const labels = host.split(".")
  return labels.map((_, at) => labels.slice(at).join("."))
}

/** The name of a cookie beside a session, which stands alone, or behind a host where several have other values. */
export const cookieNamed = (key: string): string => key.slice(key.lastIndexOf(" ") + 1)

/** The cookies that a platform has set since, by the value that a session has of them. */
export class CookieJar {
  private constructor(
    private readonly names: ReadonlySet<string | undefined>,
    /** The cookie that is part of a session, and none of its credentials. */
    private readonly besideName: string | undefined,
    private readonly isNeeded: boolean
  ) {}

  /** That of a platform: it keeps the cookies of which the value says what they are for, and none in a page. */
  static of({ credentials = {} }: Definition, isPage: boolean): CookieJar {
    if (isPage) return new CookieJar(new Set(), undefined, false)
    const { accessToken, apiKey, csrf, endUserSession, privateKey, session } = credentials
    const carriers = [accessToken, session, endUserSession, apiKey, privateKey]
    return new CookieJar(
      new Set([csrf?.cookie, ...carriers.map(cookieOf)]),
      csrf?.cookie,
      csrf?.cookie !== undefined && csrf.value === undefined
    )
  }

  private readonly newer = new Map<string, string>()
  /** The latest values of other cookies, such as that of a CSRF token: by host and name, or by the name alone where a session brought them. */
  private readonly others = new Map<string, string>()
  /** The latest values that requests have carried. */
  private readonly carried = new Set<string>()
  private listener: (() => void) | undefined

  /** The value of a session's cookie that a request carries: the present one. */
  carry(value: string): string {
    this.carried.delete(value)
    this.carried.add(value)
    const [oldest] = this.carried
    if (this.carried.size > most && oldest !== undefined) this.carried.delete(oldest)
    return this.valueOf(value)
  }

  /** The present value of a session's cookie. */
  valueOf(value: string): string {
    return this.newer.get(value) ?? value
  }

  /** The present value of another cookie. */
  other(origin: string, name: string): string | undefined {
    const { others } = this
    const key = domainsOf(hostOf(origin)).find((host) => others.has(nameAt(host, name)))
    return others.get(key === undefined ? name : nameAt(key, name))
  }

  /** All values that are kept, which nobody may show. */
  secrets(): ReadonlyArray<string> {
    return [...this.carried, ...this.newer.values(), ...this.others.values()].flatMap((value) => [
      value,
      proofIn(value)
    ])
  }

  /** A session with the present values of its cookies. */
  present<S extends StoredSession>(session: S): S {
    const accessToken = own(session, "accessToken")
    return {
      ...session,
      sessionId: this.valueOf(session.sessionId),
      ...(typeof accessToken === "string" ? { accessToken: this.valueOf(accessToken) } : {}),
      ...this.beside()
    }
  }

  /** The cookie beside a session: by its name, and by host too where hosts have set several. */
  beside(): Pick<StoredSession, "cookies"> {
    const { besideName: name } = this
    if (name === undefined) return {}
    const found = [...this.others].filter(([key]) => cookieNamed(key) === name)
    const isOne = new Set(found.map(([, value]) => value)).size === 1
    return { cookies: Object.fromEntries(isOne ? found.slice(-1).map(([, value]) => [name, value]) : found) }
  }

  /** Whether a session that somebody has kept may have all that its calls need: one from before the platform was said to have the cookie has not. */
  isWhole(session: StoredSession): boolean {
    return !this.isNeeded || isRecord(own(session, "cookies"))
  }

  /** Takes up the cookies beside a session. Somebody else may have kept anything. */
  take(cookies: unknown): void {
    if (!isRecord(cookies)) return
    const { besideName, others } = this
    const taken = Object.entries(cookies).filter(
      ([key, value]) => cookieNamed(key) === besideName && isCookieValue(value)
    )
    if (taken.length > 0)
      for (const key of others.keys()) if (cookieNamed(key) === besideName) others.delete(key)
    for (const [key, value] of taken.slice(0, most)) others.set(key, String(value))
  }

  /** Has somebody told whenever a cookie has another value. */
  onChange(listener: () => void): void {
    this.listener = listener
  }

  /** Hears what an answer sets. `sent` are the cookies that its request had, as the session has them. */
  hear(
    origin: string,
    header: (name: string) => string | undefined,
    sent: ReadonlyMap<string, string>
  ): void {
    const set = cookiesIn(header).filter(({ name }) => this.names.has(name))
    const changes = set.map(({ domain = "", name, value }) => {
      const before = sent.get(name)
      if (before !== undefined) return this.renew(before, value)
      const host = hostOf(origin)
      // One for a domain that the host is not in is for that host, as others are.
      return this.keep(origin, nameAt(domainsOf(host).includes(domain) ? domain : host, name), name, value)
    })
    if (changes.includes(true)) this.listener?.()
  }

  /** Keeps another cookie, or forgets it. Answers whether that changes anything. */
  private keep(origin: string, key: string, name: string, value: string): boolean {
    const before = this.other(origin, name)
    if (value !== "") this.others.set(key, value)
    else for (const each of [key, name]) this.others.delete(each)
    return before !== (value === "" ? undefined : value)
  }

  /** Keeps the newer value of a session's cookie. Answers whether that is another one. */
  private renew(before: string, value: string): boolean {
    const isOther = value !== "" && this.valueOf(before) !== value
    if (value === "") return false
    this.newer.delete(before)
    this.newer.set(before, value)
    const [oldest] = this.newer.keys()
    if (this.newer.size > most && oldest !== undefined) this.newer.delete(oldest)
    return isOther
  }
}

/** Milliseconds for which a client that closes waits for its store. */
const longestWait = 5_000

const isSame = (left: StoredSession, right: StoredSession | undefined): boolean =>
  left.sessionId === right?.sessionId && left.accessToken === right.accessToken

/**
 * The store of one client. A session is kept again whenever a cookie of it has another value, beside the calls: none waits for it, or fails by it.
 * What a client keeps is never older than what it has kept before.
 */
export const keeping = (store: Store, jar: CookieJar, lifetime: Lifetime): Store => {
  const inTurn = Effect.unsafeMakeSemaphore(1).withPermits(1)
  /** The session of this client that the store has. */
  let kept: { readonly key: string; readonly session: StoredSession } | undefined
  const present = (session: StoredSession | undefined) => session && jar.present(session)

  let isKeeping = false
  let isStale = false
  const keepAgain: Effect.Effect<void> = inTurn(
    Effect.suspend(() => {
      isStale = false
      return kept === undefined ? Effect.void : store.save(kept.key, jar.present(kept.session))
    })
  ).pipe(
    Effect.catchAllCause(() => Effect.void),
    Effect.flatMap(() => {
      isKeeping = isStale
      return isStale ? keepAgain : Effect.void
    })
  )
  jar.onChange(() => {
    if (kept === undefined) return
    isStale = true
    if (isKeeping) return
    isKeeping = true
    const fiber = lifetime.start(keepAgain)
    const awaited = Fiber.await(fiber).pipe(Effect.timeout(Duration.millis(longestWait)), Effect.ignore)
    fiber.addObserver(lifetime.enter(() => awaited))
  })

  return {
    load: (key, replaced) =>
      inTurn(
        Effect.map(
          Effect.suspend(() => store.load(key, present(replaced))),
          Option.filter((session) => {
            if (isSame(session, present(replaced)) || !jar.isWhole(session)) return false
            jar.take(own(session, "cookies"))
            kept = { key, session }
            return true
          })
        )
      ),
    save: (key, session) =>
      inTurn(
        Effect.suspend(() => {
          kept = { key, session }
          isStale = false
          return store.save(key, jar.present(session))
        })
      ),
    clear: (key, session) =>
      inTurn(
        Effect.suspend(() => {
          kept = undefined
          return store.clear(key, present(session))
        })
      ),
    exclusively: (key, work) => store.exclusively?.(key, work) ?? work,
    onSignOut: (listener) =>
      store.onSignOut?.(() => {
        kept = undefined
        listener()
      }) ?? (() => undefined)
  }
}
