/** Says of a list how far it was looked through, where the platform does not look by itself, and looks further. */
import type { ReactNode } from "react"
import { explain } from "../app/explain.js"
import { Button } from "../design/button.js"
import { number } from "../design/format.js"
import type { Found } from "./found.js"

export const FoundNote = <A,>(props: {
  readonly of: Found<A>
  /** What the rows are, in the plural: "orders". */
  readonly noun: string
}): ReactNode => {
  const { among, customersError, lookFurther } = props.of
  if (among === undefined && customersError === undefined) return null
  return (
    <p className="row faint" role="status">
      {customersError !== undefined && <span>Not searched by name: {explain(customersError).title}.</span>}
      {among !== undefined && (
        <>
          <span>
            Searched among the last {number(among)} {props.noun}.
          </span>
          <Button size="s" onClick={lookFurther}>
            Search more
          </Button>
        </>
      )}
    </p>
  )
}
