/**
 * What the pages' samples use of Next, for a process that serves one visitor: the cookies of the request. The real one is
 * tried by the portability matrix.
 */
const contents = new Map<string, string>()

interface Cookies {
  readonly get: (name: string) => { readonly value: string } | undefined
  readonly set: (name: string, value: string, attributes: Readonly<Record<string, unknown>>) => Cookies
  readonly delete: (name: string) => Cookies
}

const request: Cookies = {
  get: (name) => {
    const value = contents.get(name)
    return value === undefined ? undefined : { value }
  },
  set: (name, value) => {
    contents.set(name, value)
    return request
  },
  // What is rendered after an action reads a cookie that the action deleted as an empty one.
  delete: (name) => {
    contents.set(name, "")
    return request
  }
}

/** `next/headers`. */
export const cookies = async (): Promise<Cookies> => request
