/** The engine's durations for tests: most take less than half a second. A lease is longer, so that a machine that is slow for a moment loses none. */
export const leaseTime = 2_000
export const renewal = 100
export const caution = 200
export const look = 50
export const betweenTold = 20
export const listening = 500
export const orphanAfter = 200
export const sweep = 50
export const grace = 200
export const termination = 1_000
export const shortestPause = 10
export const longestPause = 100
export const patience = 500
export const watched = 20
export const nextAttempt = 10
