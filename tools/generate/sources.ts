/** What is generated of the sources. Nothing here may read a generated source, which is stale or leads to a file that is gone. */
import { filesIn, read } from "../files.js"
import { clients } from "./clients.js"
import { registries } from "./registries.js"
import { type Files, isMarked } from "./written.js"

export const files: Files = new Map([...clients, ...registries])

/** Sources that were generated once and no longer are. */
export const leftOver: ReadonlyArray<string> = ["core", "adapters", "clients"]
  .flatMap(filesIn)
  .filter((file) => file.endsWith(".ts") && isMarked(read(file)) && !files.has(file))
