/** The sidebar: the present client, the navigation, and who is signed in. */
import { Link, pushUnsafe } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import { Segmented, Select } from "../design/field.js"
import { Icon, Mark } from "../design/icon.js"
import { useCellValue } from "./cells.js"
import type { RouteName } from "./routes.js"
import styles from "./shell.module.css"
import * as Theme from "./theme.js"
import { audienceOf, dataOf, placeOf, places, viewers } from "./viewer.js"

const themeChoices = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" }
] as const

/** The switch between the four clients. */
const ViewAs = ({ route }: { readonly route: RouteName | undefined }): ReactElement => (
  <Select
    label="View as"
    value={audienceOf(route)}
    choices={viewers.map(({ audience, label }) => ({ value: audience, label }))}
    onChange={(audience) => pushUnsafe(viewers.find((viewer) => viewer.audience === audience)?.to ?? "/")}
  />
)

export interface SidebarProps {
  readonly route: RouteName | undefined
  /** Who is signed in, and how to sign out. */
  readonly who: ReactNode
  /** Called on navigation. */
  readonly onGo?: () => void
}

/** The content of the sidebar, and of the drawer on narrow screens. */
export const Sidebar = ({ onGo, route, who }: SidebarProps): ReactElement => {
  const audience = audienceOf(route)
  const here = placeOf(route)
  const shown =
    audience === "admin"
      ? places
      : viewers
          .filter((viewer) => viewer.audience === audience)
          .flatMap(({ icon, label, to }) => [
            { name: here === "Data" ? undefined : here, label, icon, to },
            { name: "Data", label: "Data", icon: "files" as const, to: dataOf(audience, { slice: "items" }) }
          ])
  return (
    <aside className={styles.sidebar} aria-label="Console">
      <div className={styles.brand}>
        <Mark />
        <div>
          Quartet
          <small>Console</small>
        </div>
      </div>
      <ViewAs route={route} />
      <nav className={styles.nav} aria-label="Main">
        {shown.map(({ icon, label, name, to }) => (
          <Link key={to} to={to} aria-current={name === here ? "page" : undefined} onClick={onGo}>
            <Icon name={icon} />
            {label}
          </Link>
        ))}
      </nav>
      <div className={styles.foot}>
        <Segmented
          label="Theme"
          value={useCellValue(Theme.theme)}
          choices={themeChoices}
          onChange={Theme.choose}
        />
        {audience === "admin" && who}
      </div>
    </aside>
  )
}
