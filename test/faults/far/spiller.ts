/** The server that tells everything that it was told. It signs everyone in, unless the request names a failure. */
import { json, type RawServer, serve } from "@quartet/support/raw-server.js"
import { canaries } from "@quartet/support/secrets/canaries.js"
import { failures, heldBy, replyOf } from "@quartet/support/secrets/spill.js"
import { writings } from "@quartet/support/secrets/writings.js"

/** What a request names: a failure and a writing, each by its place. */
const numbered = /qt-leak-(\d+)-(\d+)/
export const idOf = (failure: number, writing: number): string => `qt-leak-${failure}-${writing}`

/** A call that is answered late, after what it was sent with is no longer in use. */
export const slow = "qt-slow-1"
const slowMillis = 200

const writes = Object.values(writings)

/** Serves; tokens are given out in turn, and the first one is refused once it was used. */
export const open = async (): Promise<RawServer> => {
  let logins = 0
  return serve(({ body, bytes, headers, target }, socket) => {
    const spill = (failure: number, writing: number) => {
      const write = writes[writing] ?? String
      const text = heldBy(headers, body.toString()).map(write).join(" ; ")
      return replyOf(failures[failure]?.[1](text) ?? { status: 500, body: text })
    }
    const refuse = (status: number) =>
      replyOf({ status, body: JSON.stringify({ message: heldBy(headers, body.toString()).join(" ; ") }) })
    const sent = bytes.toString("latin1")
    const [, failure, writing] = numbered.exec(sent) ?? []
    if (failure !== undefined) return spill(Number(failure), Number(writing))
    if (target.startsWith("/auth/admin/login")) {
      const { value: accessToken } = logins++ === 0 ? canaries.accessToken : canaries.renewedToken
      return json(JSON.stringify({ accessToken, user: {} }))
    }
    if (target.startsWith("/auth/login")) return json(JSON.stringify({ sessionId: canaries.sessionId.value }))
    if (sent.includes(slow)) {
      setTimeout(() => socket.write(refuse(500)?.pieces[0] ?? ""), slowMillis)
      return undefined
    }
    return sent.includes(canaries.accessToken.value) ? refuse(401) : json('{"_id":"x"}')
  })
}
