/** A run of a job, and the fleet that starts and finds them, from any process that reaches the store. */

import type { InputError } from "@quartet/sdk/extend"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { FleetError } from "../fleet-error.js"
import type { Definition } from "./definition.js"
import type { Delivered } from "./delivery.js"

/**
 * Where a run stands. `running`: it is worked on, or will be as soon as there is a runner. `paused`: somebody paused it, or it paused itself, and
 * says why. `cancelled` and `done` are ends.
 * @category models
 */
export type RunState = "running" | "paused" | "cancelled" | "done"

/**
 * A page of a run that a runner works on: one at a time, which another one takes over where it is lost.
 * @category models
 */
export interface PageProgress {
  /** Its number from 0; the reading of the source is -1. */
  readonly page: number
  /** `waiting`: what it needs is out of reach, as `error` says, and it tries again. */
  readonly state: "working" | "waiting"
  /** The name of the runner that has it. */
  readonly runner: string
  readonly error: string | undefined
}

/**
 * Where a run stands at one moment: how many items were read, done, failed, or are unknown, and who works on which of
 * its pages.
 * @category models
 */
export interface Progress {
  readonly run: string
  readonly job: string
  readonly key: string
  readonly state: RunState
  /** Items that were read from the source so far. */
  readonly read: number
  /** All items of the source, once it is read to its end; until then as the job's `count` has it, where it has one. */
  readonly total: number | undefined
  readonly done: number
  readonly failed: number
  /** Items whose answer was lost, and of which nobody knows whether they were done. */
  readonly unknown: number
  /** Why the run paused itself, or what its reader waits for. */
  readonly error: string | undefined
  /** The pages that are worked on now. */
  readonly pages: ReadonlyArray<PageProgress>
  readonly startedAt: Date
  readonly endedAt: Date | undefined
}

/** An item that was not done. @category models */
export interface Failure {
  /** Its number in the source, from 0. */
  readonly item: number
  /** `failed`: it was not done. `unknown`: nobody knows. */
  readonly state: "failed" | "unknown"
  /** The tag of its error, such as `Rejected`. */
  readonly tag: string
  /** The error's message. Of a call it holds nothing that was sent; of an error of your own, whatever you wrote. */
  readonly error: string
  /** The item, as it is kept. */
  readonly input: unknown
  readonly attempts: number
  readonly at: Date
}

/** Which items to try again. @category models */
export interface RetryOptions {
  /** `failed` ones by default. `unknown` ones are asked about first, by the job's `onUnknown`. */
  readonly states?: ReadonlyArray<Failure["state"]>
  /** Sends `unknown` ones without asking: somebody has found out that they were not done. */
  readonly send?: boolean
  /** Their numbers; all by default. */
  readonly items?: ReadonlyArray<number>
  /** Whether to take the items from the source again, which somebody has corrected, instead of what was kept. */
  readonly readAgain?: boolean
}

/**
 * What has become of a page so far, as the process that works on it knows: some of it may not be written to the store yet.
 * @category models
 */
export interface PageCount {
  /** Items that came to an end: done, failed or unknown. Those of the source are counted by the run's `status`. */
  readonly ended: number
  /** All items of the page; none of the reading of the source. */
  readonly items: number
}

/** How a page is worked on. @category models */
export interface WorkOptions {
  /** Hears of the page each time that its lease is renewed, every 2.5 seconds: a heartbeat for whoever called. */
  readonly onProgress?: (count: PageCount) => void
}

/**
 * A run of a job: one time that it is done, with one input. It lives in the store and goes on in any runner, so a
 * program that lost it finds it again by its id.
 * @category models
 */
export interface Run {
  readonly id: string
  readonly job: string
  readonly key: string
  /** The input that it was started with, as its job's schema encodes it. A later start with the same key changes nothing of it. */
  readonly input: Effect.Effect<unknown, FleetError>
  /** Where it stands now. */
  readonly status: Effect.Effect<Progress, FleetError>
  /**
   * Where it stands, each time that it moves, at most four times a second, until it is done or cancelled. However long the store is out of reach, it
   * goes on afterwards.
   */
  readonly progress: Stream.Stream<Progress, FleetError>
  /** Waits until it is done, cancelled or paused, however long the store is out of reach meanwhile. */
  readonly wait: Effect.Effect<Progress, FleetError>
  /** The items that were not done, in the order of the source. */
  readonly failures: Stream.Stream<Failure, FleetError>
  /** Stops it, and waits until no runner works on it; what was begun is ended. A lost runner is waited for until its lease ends. */
  readonly pause: Effect.Effect<void, FleetError>
  /** Goes on where it stopped. */
  readonly resume: Effect.Effect<void, FleetError>
  /** Stops it for good, and waits as `pause` does. What is done stays done. */
  readonly cancel: Effect.Effect<void, FleetError>
  /**
   * The pages that have something left to do, for code of your own that has them worked on: the reading of the source, -1, is the first, and the
   * last one to end. None once the run is done, cancelled or paused. No more than twice the lanes, one and the reading.
   */
  readonly openPages: Effect.Effect<ReadonlyArray<number>, FleetError>
  /**
   * Works on a page in this process: claims it, renews its lease while it works, and gives it back where it is interrupted. It never waits for
   * other pages: the reading of the source (-1) cuts as many as there is room for, and answers `Again` until all of them are done. Only a layer
   * with the run's job can, `Fleet.layer`: else it fails with FleetError `Unknown`, and with InputError where `page` is no such number.
   */
  readonly work: (page: number, options?: WorkOptions) => Effect.Effect<Delivered, FleetError | InputError>
  /** Forgets a run that is done or cancelled, with all that is kept of it. */
  readonly remove: Effect.Effect<void, FleetError>
  /**
   * Tries items again that were not done, and answers how many. A run that has ended or is paused goes on with them; one that runs is stopped for a
   * moment, and stays paused where somebody pauses it meanwhile.
   */
  readonly retry: (options?: RetryOptions) => Effect.Effect<number, FleetError | InputError>
  /** Notes that items were done, which somebody has found out, and answers how many were noted: of these numbers, or all that are unknown. */
  readonly settle: (items?: ReadonlyArray<number>) => Effect.Effect<number, FleetError | InputError>
}

/** What a fleet does. @category models */
export interface Service {
  /** Starts a run of a job, or finds the one with this key. `input` is encoded. */
  readonly start: (job: Definition<unknown>, key: string, input: unknown) => Effect.Effect<Run, FleetError>
  /** All runs, or those of a job by its name, the newest first. */
  readonly runs: (job?: string) => Effect.Effect<ReadonlyArray<Run>, FleetError>
  /**
   * Runs that ended longer ago than so much, such as `"30 days"`, by the store's time: of all jobs, or of these. Fails with InputError where that is no
   * time.
   */
  readonly ended: (
    olderThan: Duration.DurationInput,
    jobs?: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Run>, FleetError | InputError>
  /** A run by its id, or by an unmistakable beginning of it. */
  readonly run: (id: string) => Effect.Effect<Run, FleetError>
  /**
   * Whether nothing can be read any more of what was deleted here: a file keeps it as long as another program reads on from before. It is tried again
   * meanwhile, and by whoever opens the file next.
   */
  readonly isForgotten: Effect.Effect<boolean>
}

/** The fleet that programs ask for, which starts and finds runs: `Effect.provide` gives it by a layer. @category services */
export class Fleet extends Context.Tag("@quartet/sdk/Fleet")<Fleet, Service>() {}
