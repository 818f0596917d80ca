/** What the programs of the tests share: flags, mistakes in them, and exit codes. */
import { type ParseArgsConfig, parseArgs } from "node:util"

/** A mistake on the command line: printed without a stack, exit code 2. */
export class UsageError extends Error {}

/** Reads flags; a mistake in them is a `UsageError`. */
export const flagsOf = <const O extends NonNullable<ParseArgsConfig["options"]>>(
  args: ReadonlyArray<string>,
  options: O
) => {
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** Runs a program to its exit code: 2 after a mistake on the command line, 1 after any other failure. */
export const runProgram = (name: string, main: () => Promise<number>): Promise<never> =>
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      process.exit(error instanceof UsageError ? 2 : 1)
    }
  )
