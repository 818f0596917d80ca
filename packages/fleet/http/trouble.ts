/** Why a page could not see or steer a fleet's runs, in words for people who do not program. */
import { TaggedError } from "@quartet/sdk/extend"

/** What a page shows where it could not see or steer a run. @category errors */
export class JobsTrouble extends TaggedError("JobsTrouble")<{
  readonly title: string
  /** What to do about it. */
  readonly advice: string
}> {
  override get message(): string {
    return `${this.title}: ${this.advice}`
  }
}
