/** Why a page could not see or steer a fleet's runs, in words for people who do not program. */
import * as Data from "effect/Data"

export class JobsTrouble extends Data.TaggedError("JobsTrouble")<{
  readonly title: string
  /** What to do about it. */
  readonly advice: string
}> {}
