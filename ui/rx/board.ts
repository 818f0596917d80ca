/** A value that changes by itself, and those who look at it. */
import { commanded, type Registry, type Writable } from "./engine.js"

export class Board<A> {
  private shown: A
  private readonly observers = new Set<(value: A) => void>()

  /** `onSeen` is told when the first one begins to look, `onLeft` when the last one has left. */
  constructor(
    first: A,
    private readonly onSeen: () => void = () => undefined,
    private readonly onLeft: () => void = () => undefined
  ) {
    this.shown = first
  }

  get value(): A {
    return this.shown
  }

  get isObserved(): boolean {
    return this.observers.size > 0
  }

  set(value: A): void {
    this.shown = value
    for (const emit of [...this.observers]) emit(value)
  }

  attach(emit: (value: A) => void): () => void {
    this.observers.add(emit)
    if (this.observers.size === 1) {
      // Not at once: this may be the render of a component, and other components must not be told within it.
      queueMicrotask(() => {
        if (this.isObserved) this.onSeen()
      })
    }
    return () => {
      if (this.observers.delete(emit) && !this.isObserved) this.onLeft()
    }
  }
}

/** One board in each registry. */
export const eachRegistry = <B>(make: (registry: Registry) => B): ((registry: Registry) => B) => {
  const boards = new WeakMap<Registry, B>()
  return (registry) => {
    const known = boards.get(registry)
    if (known !== undefined) return known
    const made = make(registry)
    boards.set(registry, made)
    return made
  }
}

/** A board as a value that takes messages. */
export const posted = <A, W>(
  boardOf: (registry: Registry) => Board<A>,
  write: (registry: Registry, message: W) => void
): Writable<A, W> =>
  commanded(
    {
      attach: (registry, emit) => {
        const board = boardOf(registry)
        const detach = board.attach(emit)
        return { value: board.value, detach }
      },
      peek: (registry) => boardOf(registry).value
    },
    write
  )
