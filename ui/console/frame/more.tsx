/** What a platform says of a thing beyond what its view is designed for: nothing that came is hidden. */
import { concealed } from "@quartet/sdk/extend"
import { type ReactElement, useState } from "react"
import { Button } from "../design/button.js"
import { FactList } from "../design/show.js"
import { factsOf, isNothing } from "./values.js"

/** The fields of a thing but those that its view shows. */
export const More = (props: {
  readonly of: object
  /** The fields that the view shows elsewhere. */
  readonly known: ReadonlyArray<string>
}): ReactElement | null => {
  const [isRevealed, reveal] = useState(false)
  const rest = Object.fromEntries(
    Object.entries(props.of).filter(([name, value]) => !props.known.includes(name) && !isNothing(value))
  )
  if (Object.keys(rest).length === 0) return null
  const masked: object = Object(concealed(rest))
  const hasSecrets = JSON.stringify(masked) !== JSON.stringify(rest)
  return (
    <details className="more">
      <summary>More</summary>
      <FactList of={factsOf(isRevealed ? rest : masked)} />
      {hasSecrets && (
        <Button size="s" onClick={() => reveal(!isRevealed)}>
          {isRevealed ? "Hide secrets" : "Show secrets"}
        </Button>
      )}
    </details>
  )
}
