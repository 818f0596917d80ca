// Waits for what a real socket brings about: looks every few milliseconds, and fails with the last reason after 5 s.
export const eventually = async (look: () => void | Promise<void>, within = 5_000): Promise<void> => {
  const end = performance.now() + within
  for (;;) {
    try {
      await look()
      return
    } catch (reason) {
      if (performance.now() > end) throw reason
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Lets a little time pass in which something must not happen. */
export const aWhile = (milliseconds = 100): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))
