import { TaggedError } from "@quartet/sdk/extend"

/**
 * The fleet could not do what was asked of it. `Store`: its database failed, or cannot be a fleet's. `Driver`: the package that reaches the database is not
 * installed. `Unknown`: there is no such run or job. `State`: the run is in a state that does not allow it. `Source`: the run's source
 * failed. `Key`: no key to seal what is kept, or another one. `Closed`: the layer of the fleet, or of its store, was closed. `Version`: the
 * store is of an older or a newer version of the fleet.
 * @category errors
 */
export class FleetError extends TaggedError("FleetError")<{
  readonly reason: "Store" | "Driver" | "Unknown" | "State" | "Source" | "Key" | "Closed" | "Version"
  /** What is wrong, and what to do about it. */
  readonly advice: string
  readonly cause?: unknown
}> {
  override get message(): string {
    return this.advice
  }
}
