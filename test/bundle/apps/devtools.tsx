/** An app in React that shows the answer of one call, with devtools. */
import { QuartetDevtools } from "../../../ui/devtools/index.js"
import { show } from "./boxes.js"

show(<QuartetDevtools />)
