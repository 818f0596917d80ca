/** Servers on free ports of the loopback. */
import { createServer, type Server, type Socket } from "node:net"

/** Has a server of any protocol listen. */
export const listen = async (server: Server) => {
  const sockets = new Set<Socket>()
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    // A storm of new connections must not be left to the kernel's own repetitions, a second apart.
    const address = { port: 0, host: "127.0.0.1", backlog: 4096 }
    server.once("error", reject).listen(address, resolve)
  })
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    /** Scheme, host and port, without a slash at the end; `http` also for what speaks another protocol. */
    url: `http://127.0.0.1:${port}`,
    port,
    /** Connections that are open. */
    sockets,
    /** Cuts all connections, and stops to listen. */
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}

export type Listening = Awaited<ReturnType<typeof listen>>

/** The address of a port where nobody listens: it was free a moment ago. */
export const nobody = async (): Promise<string> => {
  const { close, url } = await listen(createServer())
  await close()
  return url
}
