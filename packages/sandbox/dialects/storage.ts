/** Files behind addresses that are good for a while: a redirect names one, and whoever has it needs no credentials. */
import type { Answer } from "../platform/answer.js"
import type { Storage } from "../platform/wire.js"

/** The most files that wait to be downloaded; the oldest go first. */
const most = 1000

/** A storage that answers redirect to. */
export interface Redirecting extends Storage {
  /** The answer that redirects to a file; undefined without an origin. */
  readonly redirect: (file: Answer) => Answer | undefined
}

export const makeStorage = (): Redirecting => {
  const files = new Map<string, Answer>()
  let count = 0
  const storage: Redirecting = {
    origin: undefined,
    find: (key) => files.get(key),
    redirect: (file) => {
      if (storage.origin === undefined) return undefined
      count += 1
      const key = `file-${count}`
      const [oldest] = files.keys()
      if (files.size >= most && oldest !== undefined) files.delete(oldest)
      files.set(key, file)
      const location = `${storage.origin}/${key}?signature=${count.toString(16).padStart(8, "0")}`
      return { status: 302, headers: { location }, body: new Uint8Array() }
    }
  }
  return storage
}
