/** The generated sources. Nothing here may read a generated source: it may be stale or import a deleted file. */
import { filesIn, read } from "@quartet/support/files.js"
import { clients } from "./clients.js"
import { registries } from "./registries.js"
import { type Files, isMarked } from "./written.js"

export const files: Files = new Map([...clients, ...registries])

/** Sources that are no longer generated. */
export const leftOver: ReadonlyArray<string> = ["core", "adapters", "clients", "packages/sandbox"]
  .flatMap(filesIn)
  .filter((file) => file.endsWith(".ts") && isMarked(read(file)) && !files.has(file))
