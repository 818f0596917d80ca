/** The workflow: rounds over the open pages, until none is left. */
import {
  ActivityCancellationType,
  continueAsNew,
  proxyActivities,
  sleep,
  workflowInfo
} from "@temporalio/workflow"
import type { make } from "./activities.js"
import { round } from "./rounds.js"

interface Announcement {
  readonly id: string
  readonly text: string
}

const { openPages, startRun, workOnPage } = proxyActivities<ReturnType<typeof make<Announcement, never>>>({
  startToCloseTimeout: "1 hour",
  // The fleet renews a lease each 2.5 seconds.
  heartbeatTimeout: "30 seconds",
  // A page that is given back is worked on by whoever comes next, without waiting for its lease's end.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED
})

export const announceToAll = async (announcement: Announcement): Promise<string> => {
  const run = await startRun(announcement)
  const steps = {
    openPages: () => openPages(run),
    workOnPage: (page: number) => workOnPage(run, page),
    sleep
  }
  while (!(await round(steps))) {
    // The same input finds the same run.
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof announceToAll>(announcement)
  }
  return run
}
