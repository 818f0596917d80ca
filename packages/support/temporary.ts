/** Folders that the tests of a file write in, and that are gone after them. */
import { mkdtempSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { patient } from "./patience.js"

/**
 * Removes a folder, also one in which processes that were ended a moment ago still write. It does not block: Vitest takes
 * a process that does not answer for a minute for one that hangs, and a tree of installed packages may take as long.
 */
export const removeFolder = (folder: string): Promise<void> =>
  rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })

/** How long the removal of what was installed may take. */
export const removalTimeout = patient(300_000)

/** A folder for the tests of this file: `quartet-<name>-…`. It is removed after them, and after all that was begun later has ended. */
export const temporaryFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `quartet-${name}-`))
  afterAll(() => removeFolder(folder), removalTimeout)
  return folder
}
