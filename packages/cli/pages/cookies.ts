/**
 * The cookies of a platform between it and the browser of a page that calls it through this machine. The browser keeps them; the platform gets
 * those back that it has set, and no cookie of another server on this machine: browsers tell those apart by their name alone, and not by
 * their port.
 */

/** Most cookies that are remembered; the oldest go first, and their sessions with them. */
const most = 1000

/** Who gets a cookie back. */
interface Owner {
  readonly host: string
  /** Whether all hosts below get it as well. */
  readonly isShared: boolean
}

const isFor = ({ host, isShared }: Owner, target: string): boolean =>
  target === host || (isShared && target.endsWith(`.${host}`))

const partsOf = (line: string): ReadonlyArray<string> => line.split(";").map((part) => part.trim())

/** The value of an attribute of a cookie. */
const attribute = (attributes: ReadonlyArray<string>, name: string): string | undefined =>
  attributes.find((part) => part.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1)

const isSet = (attributes: ReadonlyArray<string>, name: string): boolean =>
  attributes.some((part) => part.toLowerCase() === name)

/** Browsers take a cookie with such a name where it is marked as secure alone. */
const isPrefixed = (pair: string): boolean => /^__(secure|host)-/i.test(pair)

/** The cookies of one platform. */
export class Cookies {
  private readonly owners = new Map<string, Owner>()

  /**
   * What an answer sets, as a browser keeps it for a page of this machine: for all paths, as the chat has another one than the calls, for requests of
   * its own page alone, and without the platform's domain and TLS.
   */
  kept(lines: ReadonlyArray<string>, host: string): ReadonlyArray<string> {
    return lines.map((line) => {
      const [pair = "", ...attributes] = partsOf(line)
      const domain = attribute(attributes, "domain")?.replace(/^\./, "").toLowerCase()
      const isShared = domain !== undefined && (host === domain || host.endsWith(`.${domain}`))
      this.owners.delete(pair)
      this.owners.set(pair, { host: isShared ? domain : host, isShared })
      const [oldest] = this.owners.keys()
      if (this.owners.size > most && oldest !== undefined) this.owners.delete(oldest)
      const lasting = attributes.filter((part) => /^(expires|max-age)=/i.test(part))
      return [
        pair,
        "Path=/",
        "SameSite=Strict",
        ...lasting,
        ...(isSet(attributes, "httponly") ? ["HttpOnly"] : []),
        ...(isPrefixed(pair) ? ["Secure"] : [])
      ].join("; ")
    })
  }

  /** Of the cookies that a page's request has those that a host of the platform gets. */
  sent(header: string | undefined, host: string): ReadonlyArray<string> {
    return partsOf(header ?? "").filter((pair) => {
      const owner = this.owners.get(pair)
      return owner !== undefined && isFor(owner, host)
    })
  }
}

/** The value of a cookie among others. */
export const cookieIn = (pairs: ReadonlyArray<string>, name: string): string | undefined =>
  pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
