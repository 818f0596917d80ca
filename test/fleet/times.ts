/** The engine's durations for tests: everything that takes ten seconds takes less than half a second. */
export const leaseTime = 400
export const renewal = 100
export const caution = 100
export const nextTake = 20
export const look = 50
export const stuckAfter = 4 * leaseTime
export const grace = 200
export const termination = 1_000
export const shortestPause = 10
export const longestPause = 100
export const watched = 20
export const nextAttempt = 10
