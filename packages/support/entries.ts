/** The entries of all published packages, from their manifests and their sources. */
import { entriesOf, published } from "./workspaces.js"

const all = published.flatMap(entriesOf)

/** The sources of the entries, without the end of their names. */
export const sources: ReadonlyMap<string, string> = new Map(
  all.map(({ name, source }) => [name, source.replace(/\.tsx?$/, "")])
)

/** Every entry, as programs import it. */
export const entries: ReadonlyArray<string> = [...sources.keys()]
