import { chatSocketContract } from "./chat-socket.js"
import { inProcessWorld, servedWorld } from "./sandbox-worlds.js"
import { socketIoWorld } from "./socket-io-world.js"

chatSocketContract("socket.io, polling and then WebSocket", socketIoWorld())
chatSocketContract("socket.io, polling alone", socketIoWorld({ transports: ["polling"] }))
chatSocketContract("socket.io, WebSocket alone", socketIoWorld({ transports: ["websocket"] }))
chatSocketContract("the sandbox in this process", inProcessWorld)
chatSocketContract("socket.io, to the sandbox's server", servedWorld)
