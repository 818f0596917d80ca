/** A minute of everything at once: what it took is given back, and memory does not grow. */
import { Random } from "@quartet/sandbox/extend"
import { endUserSession, makeGroup, openWay, transportNames } from "../clients.js"
import { everything } from "../proxy/schedule.js"
import { scenario } from "../scenario.js"
import { load } from "../soak/load.js"
import { growth, heap, isBack, look, type Remains, settle } from "../soak/remains.js"
import { grouped, toldTally } from "../tally.js"

const policy = { attempts: 3, pause: 10, deadline: 1_000 }
const inFlight = 24
const rows = 200
/** Most bytes by which the heap may differ between the second and the last third of the run. */
const allowance = 2 * 1024 * 1024
/**
 * Milliseconds that what is closing is given: Node's own fetch keeps idle sockets for four seconds, and a server in the
 * same process waits for its ping before it forgets a poller whose good-bye was lost.
 */
const patience = 90_000

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

const inWords = ({ fibers, listeners, sockets, timers }: Remains): string =>
  `${sockets} sockets, ${timers} timers, ${fibers} fibers, ${listeners} listeners`

export const soak = scenario("soak", {
  /** Seconds. */
  sizes: { full: 60, quick: 5 },
  title: (size) => `soak: ${size} s of mixed load`,
  must: "sockets, timers, fibers, listeners back to baseline; heap flat",
  run: async ({ far, seed, size }) => {
    const millis = size * 1000
    const direct = await far.start(seed)
    for (const name of ["boxes", "payments", "requests"] as const) await far.fill(name, "soak", rows)
    await far.openChatter({ messages: 0, conversations: 1, atOnce: 1, every: 1_000 })
    const proxy = await far.openProxy({ seed, rate: 0.1, weights: everything, exempt: "/auth/" })
    const { signal } = new AbortController()
    const random = Random.make(seed, "soak")

    const work = async (time: number) => {
      const ways = transportNames.map((name) => openWay(name))
      const sessionId = await endUserSession(ways[0] ?? openWay("fetch"), direct)
      const groups = ways.flatMap((way) =>
        Array.from({ length: 4 }, () => makeGroup(way, proxy.url, sessionId, policy))
      )
      const ground = { groups, url: proxy.url, sessionId, policy, rows, signal }
      const done = await load(ground, random, inFlight, time)
      for (const { promised } of groups) await promised.close()
      await Promise.all(ways.map((way) => way.close()))
      return done
    }

    const start = look(signal)
    // What is loaded and compiled on first use is no leak; listeners that come with it are Node's.
    await work(Math.min(3_000, millis / 2))
    const base = await settle({ ...start, listeners: Number.POSITIVE_INFINITY }, signal, patience)
    const before = heap()
    const samples = [before]
    const sampling = setInterval(() => samples.push(heap()), Math.max(250, millis / 60))
    const done = await work(millis)
    clearInterval(sampling)
    const end = await settle(base, signal, patience)
    const after = heap()

    const grew = growth(samples)
    const jobs = [...done.values()].reduce((sum, times) => sum + times, 0)
    return {
      got: `${inWords(end)} (before: ${inWords(base)}); heap ${grew < 0 ? "−" : "+"}${mebibytes(Math.abs(grew))} from the middle to the end`,
      none: {},
      holds: isBack(end, base) && grew <= allowance && after - before <= 2 * allowance,
      details: [
        `${grouped(jobs)} jobs: ${toldTally(done)}`,
        `heap after collections: ${mebibytes(before)} before, ${mebibytes(Math.max(...samples))} at most under load, ${mebibytes(after)} after`
      ],
      figures: { jobs, heapGrowth: grew, ...end }
    }
  }
})
