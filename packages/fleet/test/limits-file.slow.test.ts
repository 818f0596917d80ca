// The limits of a fleet over the store that is embedded in a file.
import { limits } from "./limits.js"
import { file } from "./stores.js"

limits("a file", file)
