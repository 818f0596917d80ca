/** The engine's durations, in milliseconds. They depend on each other, so they are not options. */

/** How long a lease lasts without being renewed. */
export const leaseTime = 10_000

/** Between two renewals of a lease. */
export const renewal = 2_500

/** A lease is not used for so long before its end. */
export const caution = 1_500

/** Between two looks at the store, for what no other process can tell this one of. */
export const look = 1_000

/** Between two looks that other processes ask for, at least. */
export const betweenTold = 200

/** How long one connection is listened to: it may be lost without a word. */
export const listening = 60_000

/** Without a runner for so long, a run that is to go on says so. */
export const orphanAfter = 30_000

/** Between two looks for runs that are kept no longer. */
export const sweep = 60_000

/** What was begun has to end in, once nothing more is begun. */
export const grace = 4_000

/** What is then written, and the end of a page, come within this. */
export const termination = 5_500

/** The shortest and the longest pause before what is out of reach is tried again. */
export const shortestPause = 1_000
export const longestPause = 60_000

/** A runner waits so long for a job to say whether it takes a run. */
export const patience = 5_000

/** Between two looks at a run that is watched. */
export const watched = 250

/** Between two attempts at a statement while the store does not answer. */
export const nextAttempt = 250
