/** Above each page for developers: the other tools, and as whom one looks. */
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { Icon } from "../design/icon.js"
import { MenuButton } from "../design/menu.js"
import { Kbd } from "../design/show.js"
import { isOpen } from "../wire/log.js"
import { useCell } from "./cells.js"
import { audiences, developerPages, developers, labelOf, startOf, useWhere, viewers } from "./viewer.js"

const article = (label: string): string => `${/^[aeiou]/i.test(label) ? "an" : "a"} ${label.toLowerCase()}`

export const DeveloperBar = (): ReactElement => {
  const { audience, place } = useWhere()
  const [isWireOpen, setWireOpen] = useCell(isOpen)
  return (
    <section aria-label="Tools">
      <div className="dev-bar">
        <Link
          to={developers.to}
          className="dev-link"
          aria-current={place === "Developers" ? "page" : undefined}
        >
          Developers
        </Link>
        <span className="text-faint max-md:hidden" aria-hidden="true">
          /
        </span>
        <nav className="dev-links" aria-label="Developers">
          {developerPages.map(({ label, name, to }) => (
            <Link key={name} to={to} className="dev-link" aria-current={name === place ? "page" : undefined}>
              {label}
            </Link>
          ))}
        </nav>
        <MenuButton
          label="View as"
          kind="ghost"
          size="s"
          placement="bottom end"
          shown={
            <>
              View as {audience !== "admin" && labelOf(audience).toLowerCase()} <Icon name="down" />
            </>
          }
          items={audiences.map(({ label, value }) => ({
            label,
            icon: viewers[value].icon,
            isCurrent: value === audience,
            to: value === "admin" ? developers.to : startOf(value)
          }))}
        />
        <button
          type="button"
          className="dev-link max-md:hidden"
          aria-pressed={isWireOpen}
          onClick={() => setWireOpen(!isWireOpen)}
        >
          Wire <Kbd keys="w" />
        </button>
      </div>
      {audience !== "admin" && (
        <p className="dev-as">
          <Icon name={viewers[audience].icon} />
          You are viewing as {article(labelOf(audience))}.
          <Link to={developers.to}>Back to administrator</Link>
        </p>
      )}
    </section>
  )
}
