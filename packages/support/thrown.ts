/** What a function throws. One that throws nothing fails the test. */
export const thrown = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error("nothing was thrown")
}
