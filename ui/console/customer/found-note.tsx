/** Says of a list in how far customers were not looked for by their names. */
import type { ReactNode } from "react"
import { explain } from "../app/explain.js"
import { mostNamed } from "./find.js"
import type { Found } from "./found.js"

export const FoundNote = ({ of: { customersError, isCut } }: { readonly of: Found<unknown> }): ReactNode =>
  (customersError !== undefined || isCut) && (
    <p className="faint" role="status">
      {customersError === undefined
        ? `Only ${mostNamed} customers were searched by name. Type more of the name, or choose one under Filters.`
        : `Not searched by name: ${explain(customersError).title}.`}
    </p>
  )
