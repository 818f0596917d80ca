// The shared sessions of a fleet over the store that is embedded in a file.
import { sessions } from "./sessions.js"
import { file } from "./stores.js"

sessions("a file", file)
