/** An app in React that shows the answer of one call, with devtools. */
import { QuartetDevtools } from "@quartet/react/devtools"
import { show } from "./boxes.js"

show(<QuartetDevtools />)
