/** How much somebody may do with something, as a word with a tint; fainter where a wider grant decides. */
import type { ReactElement } from "react"
import { Badge, type Tone } from "../../design/show.js"
import { type effective, everything, levelName } from "./effective.js"

const tones: Readonly<Record<number, Tone>> = { 1: "info", 3: "accent", 9: "good" }

type Effective = ReturnType<typeof effective>

/** Whether a level on a resource comes from what holds for everything else. */
export const isInherited = ({ grant }: Effective, resource: string): boolean =>
  resource !== everything && grant === `${everything}.${everything}`

export const LevelBadge = (props: {
  readonly of: Effective
  /** Whether a wider grant decides. */
  readonly isFaint?: boolean
}): ReactElement => {
  const { isFaint = false, of } = props
  const name = levelName(of.level)
  if (!of.level) return <span className="px-1.5 text-sm text-faint">{name}</span>
  return isFaint ? (
    <span className="px-1.5 text-sm text-muted">{name}</span>
  ) : (
    <Badge tone={tones[of.level] ?? "calm"}>{name}</Badge>
  )
}
