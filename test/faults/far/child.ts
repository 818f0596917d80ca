/** The process of the far end: does what messages ask, and ends with the one that started it. */
import { make } from "./far.js"

export interface Ask {
  readonly id: number
  readonly name: string
  readonly args: ReadonlyArray<unknown>
}

export interface Reply {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

const far = make()

const answer = async ({ args, id, name }: Ask): Promise<Reply> => {
  try {
    const call: unknown = Reflect.get(far, name)
    if (typeof call !== "function") throw new Error(`the far end has no ${name}`)
    return { id, value: await call(...args) }
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

process.on("message", (ask: Ask) => {
  // The one who asked may be gone by now.
  answer(ask).then((reply) => process.send?.(reply, undefined, undefined, () => undefined))
})
process.once("disconnect", () => process.exit(0))
