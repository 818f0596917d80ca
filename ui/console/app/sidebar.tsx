/** The sidebar: the present client, the navigation, and who is signed in. */
import { Link, pushUnsafe } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { useSession } from "../../rx/index.js"
import { IconButton } from "../design/button.js"
import { Segmented, Select } from "../design/field.js"
import { Icon, Mark } from "../design/icon.js"
import layout from "../design/layout.module.css"
import { Avatar, words } from "../design/show.js"
import typography from "../design/typography.module.css"
import { useCellValue } from "./cells.js"
import { forgetUser } from "./kept.js"
import { admin } from "./query-clients.js"
import type { RouteName } from "./routes.js"
import styles from "./shell.module.css"
import * as Theme from "./theme.js"
import { audienceOf, dataOf, placeOf, places, viewers } from "./viewer.js"

/** Who is signed in, and how to sign out. */
const Who = (): ReactElement | null => {
  const session = useSession(admin.session)
  if (session.status !== "signed-in" || session.identity.audience !== "admin") return null
  const { email = "", fullName = email } = session.identity.admin
  const leave = (): void => {
    forgetUser("admin")
    void session.signOut()
  }
  return (
    <div className={layout.row}>
      <Avatar name={fullName} />
      <div className={styles.who}>
        <strong className={typography.truncate}>{fullName}</strong>
        <span className={`${typography.faint} ${typography.truncate}`}>{email}</span>
      </div>
      <IconButton icon="signOut" label="Sign out" size="s" onClick={leave} />
    </div>
  )
}

/** The content of the sidebar, and of the drawer on narrow screens. */
export const Sidebar = (props: {
  readonly route: RouteName | undefined
  /** Called on navigation. */
  readonly onGo?: () => void
}): ReactElement => {
  const { onGo, route } = props
  const audience = audienceOf(route)
  const here = placeOf(route)
  const shown =
    audience === "admin"
      ? places
      : [
          ...viewers.flatMap((one) =>
            one.audience === audience && one.home !== undefined ? { ...one, name: one.home } : []
          ),
          { name: "Data", label: "Data", icon: "server" as const, to: dataOf(audience, { slice: "items" }) }
        ]
  return (
    <aside className={styles.sidebar} aria-label="Console">
      <div className={styles.brand}>
        <Mark /> Quartet
      </div>
      <Select
        label="View as"
        value={audience}
        choices={viewers.map((viewer) => ({ value: viewer.audience, label: viewer.label }))}
        onChange={(chosen) => pushUnsafe(viewers.find((viewer) => viewer.audience === chosen)?.to ?? "/")}
      />
      <nav aria-label="Main">
        {shown.map(({ icon, label, name, to }) => (
          <Link key={to} to={to} aria-current={name === here ? "page" : undefined} onClick={onGo}>
            <Icon name={icon} />
            {label}
          </Link>
        ))}
      </nav>
      <Segmented
        label="Theme"
        value={useCellValue(Theme.theme)}
        choices={Theme.themes.map((value) => ({ value, label: words(value) }))}
        onChange={Theme.choose}
      />
      {audience === "admin" && <Who />}
    </aside>
  )
}
