/** The bar above each page: the present place, the wire panel, and the shortcuts. */
import type { ReactElement } from "react"
import { Button, IconButton } from "../design/button.js"
import { Icon, Mark } from "../design/icon.js"
import layout from "../design/layout.module.css"
import { Badge } from "../design/show.js"
import typography from "../design/typography.module.css"
import { isOpen } from "../wire/log.js"
import { useCell, useSetCell } from "./cells.js"
import { Notices } from "./notices.js"
import type { RouteName } from "./routes.js"
import styles from "./shell.module.css"
import { isHelpOpen, isPaletteOpen } from "./shortcuts.js"
import { audienceOf, viewers } from "./viewer.js"

export const Topbar = (props: {
  readonly route: RouteName | undefined
  readonly onMenu: () => void
}): ReactElement => {
  const [open, setOpen] = useCell(isOpen)
  const help = useSetCell(isHelpOpen)
  const find = useSetCell(isPaletteOpen)
  const viewer = viewers.find(({ audience }) => audience === audienceOf(props.route))
  return (
    <header className={styles.topbar}>
      <IconButton icon="menu" label="Open the menu" className={styles.onlyNarrow} onClick={props.onMenu} />
      <span className={`${styles.brand} ${styles.onlyNarrow}`}>
        <Mark /> Quartet
      </span>
      {viewer !== undefined && (
        <span className={`${styles.viewing} ${styles.onlyWide}`}>
          <Badge tone={viewer.audience === "admin" ? "accent" : "info"}>
            <Icon name={viewer.icon} size={13} />
            {viewer.label}
          </Badge>
          <span className={`${typography.faint} ${typography.truncate}`}>
            known to the platform by {viewer.credentials}
          </span>
        </span>
      )}
      <span className={layout.grow} />
      <IconButton
        icon="search"
        label="Go, find or do"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => find(true)}
      />
      <Notices audience={viewer?.audience} />
      <IconButton
        icon="keyboard"
        label="Keyboard shortcuts"
        className={styles.onlyWide}
        onClick={() => help(true)}
      />
      <Button icon="wire" aria-pressed={open} aria-keyshortcuts="w" onClick={() => setOpen(!open)}>
        Wire
      </Button>
    </header>
  )
}
