/** The system's clock, whose times a test sets: the wall's as those of a machine that sleeps, or the monotonic one's against all others. */
import { Clock } from "effect"

export const movable = () => {
  const system = Clock.make()
  const moved = { wall: 0, monotonic: 0 }
  const clock: Clock.Clock = {
    ...system,
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => system.unsafeCurrentTimeMillis() + moved.wall,
    unsafeCurrentTimeNanos: () => system.unsafeCurrentTimeNanos() + BigInt(moved.monotonic * 1_000_000),
    sleep: (duration) => system.sleep(duration)
  }
  return {
    clock,
    move: ({ monotonic = 0, wall = 0 }: Partial<typeof moved>): void => {
      moved.wall += wall
      moved.monotonic += monotonic
    }
  }
}
