/** What the three parts of the team have together: their links, and the page of those that are no list. */
import { pushUnsafe } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import { useCommands } from "../../app/commands.js"
import { Router } from "../../app/routes.js"
import { Chips } from "../../design/tabs.js"

const parts = [
  { label: "Administrators", to: Router.Team() },
  { label: "Roles", to: Router.Roles() },
  { label: "Holidays", to: Router.Holidays() }
] as const

export type Part = (typeof parts)[number]["label"]

export const TeamTabs = ({ part }: { readonly part: Part }): ReactElement => {
  useCommands(
    parts.map(({ label, to }, index) => ({
      label: `Team: ${label.toLowerCase()}`,
      icon: "people",
      keys: String(index + 1),
      run: () => pushUnsafe(to)
    }))
  )
  const current = parts.find(({ label }) => label === part)
  return <Chips label="Parts of the team" current={current?.to ?? ""} tabs={parts} />
}

/** A part of the team that takes the whole width. */
export const TeamPage = (props: {
  readonly part: Part
  /** Beside the title, such as "4 roles". */
  readonly about?: ReactNode
  /** At the end of the title's line. */
  readonly tools?: ReactNode
  /** Beside the links where there is room, else below them. */
  readonly bar?: ReactNode
  readonly foot?: ReactNode
  readonly children: ReactNode
}): ReactElement => (
  <div className="team-page">
    <header className="list-head grid-cols-1">
      <div className="list-title">
        <h1>Team</h1>
        <span className="truncate quiet max-md:hidden">{props.about}</span>
        <span className="flex-1 max-md:hidden" />
        <div className="list-tools">{props.tools}</div>
      </div>
      <div className="flex flex-wrap items-center gap-2 max-md:contents">
        <TeamTabs part={props.part} />
        {props.bar}
      </div>
    </header>
    {props.children}
    {props.foot !== undefined && <footer className="list-foot">{props.foot}</footer>}
  </div>
)
