/**
 * Three servers on bare sockets. The first echoes every request inside its answer. The second gives the hostile answer
 * that the request names; apart, since a hostile answer may spoil its connection for the next request. The third
 * stands for an origin that must never be called, and counts who calls it.
 */
import { createServer } from "node:net"
import { json, raw, serve } from "@quartet/support/raw-server.js"
import { listen } from "@quartet/support/servers.js"
import { answerOf } from "../hostile/answers.js"
import { echoed } from "../hostile/sight.js"

const named = /^\/v1\/box\/qt-ans-(\d+)$/

export const open = async (seed: number) => {
  let escapes = 0
  const decoy = await listen(
    createServer((socket) => {
      escapes += 1
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\n{"_id":"x"}')
    })
  )
  const evil = `127.0.0.1:${decoy.port}`
  const echo = await serve(({ bytes }) => json(echoed(bytes)))
  const hostile = await serve(({ target }) => {
    const { bytes, ends } = answerOf(seed, Number(named.exec(target)?.[1]), evil)
    return raw(ends ? "end" : "keep", bytes)
  })
  let counted = 0
  return {
    /** Addresses of the two servers, and host and port of the origin that must never be called. */
    addresses: { url: echo.url, hostileUrl: hostile.url, evil },
    /** Requests that came since it was asked last, and connections that the other origin had. */
    take: (): { readonly requests: number; readonly escapes: number } => {
      const requests = echo.requests.length + hostile.requests.length
      const recorded = { requests: requests - counted, escapes }
      counted = requests
      escapes = 0
      return recorded
    },
    close: () => Promise.all([echo, hostile, decoy].map(({ close }) => close()))
  }
}
