/** An app in React that shows the answer of one call, with devtools that are imported while it is developed. */
import * as React from "react"
import { show } from "./boxes.js"

const Devtools =
  process.env.NODE_ENV !== "production"
    ? React.lazy(async () => ({
        default: (await import("@quartet/react/devtools")).QuartetDevtools
      }))
    : undefined

show(Devtools && <Devtools />)
