// The chat beside a bare socket.io callback: messages that arrive, and messages that are sent and acknowledged.

import { once } from "node:events"
import { start } from "../child.mjs"
import { collect, timed } from "../measure.mjs"
import { session } from "../session.mjs"
import { median, ratios, spread } from "../statistics.mjs"

/** Messages of a round; five rounds count. */
const inbound = 20_000
const outbound = 4_000
const inFlight = 16
const rounds = 5

const bare = async (url) => {
  const { io } = await import("socket.io-client")
  const socket = io(url, { path: "/api_private/v1/chat", forceNew: true })
  let onMessage
  socket.on("chat", (message) => onMessage(message))
  await once(socket, "connect")
  await upgraded(socket.io.engine)
  return {
    listen: (callback) => {
      onMessage = callback
    },
    send: (text) => socket.emitWithAck("chat", { conversationId: "c1", text }),
    close: async () => socket.disconnect()
  }
}

/** Waits until a connection has gone over from polling to a WebSocket. */
const upgraded = async (engine) => {
  if (engine.transport.name !== "websocket") await once(engine, "upgrade")
}

const quartet = async (url) => {
  const { createAdminClient } = await import("../../../dist/clients/promise/index.js")
  const client = createAdminClient({ baseUrl: url, apiKey: "key-1", ...session })
  let onMessage
  const chat = await client.chat.open({ onMessage: (message) => onMessage(message) })
  // It tells nobody of its transport: an upgrade takes a moment.
  await new Promise((resolve) => setTimeout(resolve, 500))
  return {
    listen: (callback) => {
      onMessage = callback
    },
    send: (text) => chat.send({ conversationId: "c1", text }),
    close: () => client.close()
  }
}

/** CPU of a message in microseconds, received and sent: samples of one contender over one connection. */
const sampled = async (server, contender) => {
  let arrived = 0
  let done
  contender.listen(({ text }) => {
    if (!text.startsWith("Message number")) return
    arrived += 1
    if (arrived === inbound) done()
  })
  const receive = () =>
    new Promise((resolve) => {
      arrived = 0
      done = resolve
      server.send({ count: inbound })
    })
  const send = async () => {
    let left = outbound
    const worker = async () => {
      while (left-- > 0) await contender.send(`Answer number ${left}`)
    }
    await Promise.all(Array.from({ length: inFlight }, worker))
  }
  collect({ type: "minor" })
  const received = await timed(receive)
  const sent = await timed(send)
  return { received: received.cpu / inbound, sent: sent.cpu / outbound }
}

/** Medians, and the ratios over bare socket.io within each round. */
export const measure = async (progress) => {
  const server = await start("./chat-server.mjs")
  const samples = { "socket.io": [], quartet: [] }
  try {
    for (let round = 0; round <= rounds; round++) {
      progress("chat", round, rounds + 1)
      for (const [name, open] of Object.entries({ "socket.io": bare, quartet })) {
        const contender = await open(server.first.url)
        const sample = await sampled(server, contender)
        await contender.close()
        // The first round warms up.
        if (round > 0) samples[name].push(sample)
      }
    }
  } finally {
    await server.stop()
  }
  const of = (name, key) => samples[name].map((sample) => sample[key])
  const row = (key) => ({
    bare: median(of("socket.io", key)),
    quartet: median(of("quartet", key)),
    ratio: spread(ratios(of("quartet", key), of("socket.io", key)))
  })
  return {
    inbound: inbound * rounds,
    outbound: outbound * rounds,
    received: row("received"),
    sent: row("sent")
  }
}

export const judge = ({ received, sent }) => [
  {
    what: "chat: rate of received messages / a bare callback's",
    measured: 1 / received.ratio.median,
    atLeast: 0.75
  },
  { what: "chat: CPU of an acknowledged message / bare", measured: sent.ratio.median, atMost: 1.3 }
]
