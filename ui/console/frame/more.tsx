/** What a platform says of a thing beyond what its view is designed for: nothing that came is hidden. */
import { concealed, plainOf } from "@quartet/sdk/extend"
import type { ReactElement, ReactNode } from "react"
import { Button } from "../design/button.js"
import { FactList, When, words } from "../design/show.js"
import { useState } from "react"

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)

/** A value of any kind in words; what has parts, line by line. */
const Any = ({ value }: { readonly value: unknown }): ReactNode => {
  if (value instanceof Date) return <When date={value} long />
  if (typeof value === "boolean") return value ? "Yes" : "No"
  if (Array.isArray(value))
    return value.map((item, at) => (
      <span key={at} className="block">
        <Any value={item} />
      </span>
    ))
  if (typeof value === "object" && value !== null)
    return (
      <FactList of={Object.entries(value).map(([name, inner]) => [words(name), <Any key="" value={inner} />])} />
    )
  return String(plainOf(value) ?? "—")
}

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
      <FactList
        of={Object.entries(isRevealed ? rest : masked).map(([name, value]) => [
          name === "_id" ? "Id" : words(name),
          <Any key="" value={value} />
        ])}
      />
      {hasSecrets && (
        <Button size="s" onClick={() => reveal(!isRevealed)}>
          {isRevealed ? "Hide secrets" : "Show secrets"}
        </Button>
      )}
    </details>
  )
}
