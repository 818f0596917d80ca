/** Folders that the tests of a file write in, and that are gone after them. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { removeFolder } from "./files.js"
import { patient } from "./patience.js"

/** How long the removal of what was installed may take. */
export const removalTimeout = patient(300_000)

/** A folder for the tests of this file: `quartet-<name>-…`. It is removed after them, and after all that was begun later has ended. */
export const temporaryFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `quartet-${name}-`))
  afterAll(() => removeFolder(folder), removalTimeout)
  return folder
}
