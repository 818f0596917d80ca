/** What the URL of a store in a file means. It needs no package, so that a command can look for the file where those of the engine are missing. */
import { fileURLToPath } from "node:url"

/**
 * The path that a store's URL names: what follows `file:` as it stands, with any `?`, `#` or `%` in it, or that of a `file://` URL. undefined
 * where it names none.
 */
export const fileOf = (url: string): string | undefined => {
  if (!/^file:./.test(url)) return undefined
  if (!url.startsWith("file://")) return url.slice("file:".length)
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}
