/** All that is generated, and what of it in the project is stale. */
import { exists, filesIn, read } from "../files.js"
import { page as specification } from "../specification/page.js"
import { clients } from "./clients.js"
import { registries } from "./registries.js"
import { type Files, isMarked } from "./written.js"

/** All generated files. */
export const written: Files = new Map([...clients, ...registries, ["docs/specification.md", specification()]])

/** Whether a file in the project is not what is generated for it. */
export const isStale = ([file, text]: readonly [file: string, text: string]): boolean =>
  !exists(file) || read(file) !== text

/** Files that were generated once and no longer are. */
export const leftOver: ReadonlyArray<string> = ["core", "adapters", "clients"]
  .flatMap(filesIn)
  .filter((file) => file.endsWith(".ts") && isMarked(read(file)) && !written.has(file))
