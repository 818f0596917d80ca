// What is measured and what must hold: answers by concurrency, and the thresholds.

/** `concurrency`: calls in flight; `share`: calls of a batch, as a share of `--calls`. */
export const scenarios = [
  { name: "small@1", body: "small", concurrency: 1, share: 1 },
  { name: "small@16", body: "small", concurrency: 16, share: 1.5 },
  { name: "page@1", body: "page", concurrency: 1, share: 0.5 },
  { name: "page@16", body: "page", concurrency: 16, share: 0.5 },
  { name: "large@1", body: "large", concurrency: 1, share: 0.005 }
]

/** Calls of one batch: never fewer than two, nor than the calls in flight. */
export const callsOf = (scenario, calls) =>
  Math.max(2, scenario.concurrency, Math.round(calls * scenario.share))

/** `atMost`: the median CPU per call as a multiple of that of `over`, at every concurrency. */
export const thresholds = [
  { contender: "quartet-undici", over: "fetch", body: "small", atMost: 0.85 },
  { contender: "quartet-undici", over: "fetch", body: "page", atMost: 1.0 },
  { contender: "quartet-fetch", over: "fetch-walk", body: "small", atMost: 1.15 },
  { contender: "quartet-fetch", over: "fetch-walk", body: "page", atMost: 1.05 },
  { contender: "quartet-effect", over: "quartet-undici", body: "small", atMost: 1.25 },
  { contender: "quartet-fiber", over: "quartet-undici", body: "small", atMost: 1.25 }
]
