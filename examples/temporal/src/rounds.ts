/** What the workflow does, as a function of its activities. */
import type { Delivered } from "@quartet/fleet"

export interface Steps {
  readonly openPages: () => Promise<ReadonlyArray<number>>
  readonly workOnPage: (page: number) => Promise<Delivered>
  readonly sleep: (milliseconds: number) => Promise<void>
}

/** Has all open pages worked on, side by side. Answers whether none was left. */
export const round = async ({ openPages, sleep, workOnPage }: Steps): Promise<boolean> => {
  const pages = await openPages()
  if (pages.length === 0) return true
  const answers = await Promise.all(pages.map(workOnPage))
  const waits = answers.flatMap((answer) => ("after" in answer ? [answer.after] : []))
  // Where nothing has moved, others hold it all.
  if (waits.length === answers.length) await sleep(Math.max(100, Math.min(...waits)))
  return false
}
