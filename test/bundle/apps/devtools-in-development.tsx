/** An app in React that shows the answer of one call, with devtools while it is developed. */
import { QuartetDevtools } from "@quartet/react/devtools"
import { show } from "./boxes.js"

show(process.env.NODE_ENV !== "production" && <QuartetDevtools />)
