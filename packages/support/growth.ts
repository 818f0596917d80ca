/** How the work that a text costs grows with its length. */

/** CPU of this process in microseconds: a busy machine makes it wait, and does not make it work. */
export const cpuOf = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user
}

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** Characters of the shorter text. */
export const short = 4000

/** How many times as much CPU a text of eight times the length takes: the median of five. */
export const growth = (work: (length: number) => void): number => {
  // As often as it takes for the clock of the CPU to tell it from nothing.
  let times = 1
  while (cpuOf(() => repeat(times, () => work(short))) < 2000 && times < 1 << 14) times *= 2
  return median(
    Array.from({ length: 5 }, () => {
      const base = cpuOf(() => repeat(times, () => work(short)))
      return cpuOf(() => repeat(times, () => work(8 * short))) / Math.max(1, base)
    })
  )
}

const repeat = (times: number, work: () => void): void => {
  for (let index = 0; index < times; index++) work()
}

/** Eight times the length is at most sixteen times the work: linear is eight, quadratic sixty-four. */
export const most = 16
