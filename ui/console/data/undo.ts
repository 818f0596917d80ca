/** Undo of a change to what others may change, too. */
import { report, warn, warnThat } from "../app/toasts.js"
import type { Ended } from "./form.js"

/** Puts back what was before, unless someone has changed it since, and says what came of it. */
export const undo = async <A>(of: {
  /** Reads it once more, now. */
  readonly read: () => Promise<Ended & { readonly data?: A | undefined }>
  /** Whether it is still what the change made of it. */
  readonly isSame: (present: A) => boolean
  readonly write: (present: A) => Promise<Ended>
}): Promise<void> => {
  const { data, ...present } = await of.read()
  if (present.status === "error") warn(present.error)
  if (data === undefined) return
  if (of.isSame(data)) report(await of.write(data), "Undone")
  else warnThat("Could not undo", "Someone else has changed it since.")
}
