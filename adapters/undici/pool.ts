/** The keep-alive pool that transports have where the caller gives none. */
import { Agent } from "undici"

/** Maximum connections that are kept alive to each origin. */
export const connections = 64

export const makePool = (): Agent => new Agent({ connections })
