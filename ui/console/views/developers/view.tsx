/** The tools for those who build on the platform, each with a line of what it is for. */
import { Link } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import { useCell } from "../../app/cells.js"
import { audiences, developerPages, startOf, viewers } from "../../app/viewer.js"
import { Icon, type IconName } from "../../design/icon.js"
import { Kbd } from "../../design/show.js"
import { isOpen } from "../../wire/log.js"

const Tool = (props: {
  readonly icon: IconName
  readonly about: string
  /** Its name, which leads to it. */
  readonly name: ReactNode
  readonly end?: ReactNode
}): ReactElement => (
  <li className="tool">
    <Icon name={props.icon} className="text-muted" />
    <div className="min-w-0 flex-1">
      <h2 className="text-sm">{props.name}</h2>
      <p className="quiet">{props.about}</p>
    </div>
    {props.end}
  </li>
)

const pageOf = (name: string): ReactNode => {
  const page = developerPages.find((candidate) => candidate.name === name)
  return (
    page && (
      <Tool
        icon={page.icon}
        about={page.about}
        name={
          <Link className="tool-link" to={page.to}>
            {page.label}
          </Link>
        }
        end={<Icon name="next" className="text-faint" />}
      />
    )
  )
}

const Wire = (): ReactElement => {
  const [isShown, setShown] = useCell(isOpen)
  return (
    <Tool
      icon="wire"
      about="Every call as it happens: what was sent and what was answered, with secrets masked"
      name={
        <button
          type="button"
          className="tool-link"
          aria-expanded={isShown}
          onClick={() => setShown(!isShown)}
        >
          Wire
        </button>
      }
      end={<Kbd keys="w" />}
    />
  )
}

const ViewAs = (): ReactElement => (
  <Tool
    icon="visitor"
    name="View as"
    about="The platform as others see it, with their own client"
    end={
      <span className="tool-choices">
        {audiences
          .filter(({ value }) => value !== "admin")
          .map(({ label, value }) => (
            <Link
              key={value}
              className="press h-8 border-line-strong px-3 text-sm text-ink"
              to={startOf(value)}
            >
              <Icon name={viewers[value].icon} /> {label}
            </Link>
          ))}
      </span>
    }
  />
)

const Developers = (): ReactElement => (
  <div className="tools-page">
    <h1>Developers</h1>
    <p className="mb-4 quiet">Tools for building on the platform.</p>
    <ul>
      {pageOf("Data")}
      {pageOf("Explorer")}
      <Wire />
      {pageOf("Jobs")}
      <ViewAs />
      {pageOf("NotifyEverybody")}
      {pageOf("Settings")}
      {pageOf("Notices")}
    </ul>
  </div>
)

export default Developers
