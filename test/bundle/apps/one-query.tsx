/** An app in React that shows the answer of one call. */
import { show } from "./boxes.js"

show()
