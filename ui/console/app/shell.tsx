/** The frame around every view: navigation, top bar, wire panel, and what all pages share. */
import { useFocusReset } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react"
import { Button, IconButton } from "../design/button.js"
import { Dialog, Drawer } from "../design/dialog.js"
import { Mark } from "../design/icon.js"
import layout from "../design/layout.module.css"
import { Badge, When } from "../design/show.js"
import { SignInAgain } from "../views/sign-in/view.js"
import { isOpen } from "../wire/log.js"
import { useCell, useCellValue } from "./cells.js"
import { Later, load } from "./later.js"
import { lostSince, useProbe } from "./network.js"
import { Router, routeNames } from "./routes.js"
import styles from "./shell.module.css"
import { close, Help, opened, useShortcuts } from "./shortcuts.js"
import { Sidebar } from "./sidebar.js"
import { Toasts } from "./toasts.js"
import { audienceOf, labelOf, placeOf, places } from "./viewer.js"

const panel = () => import("../wire/panel.js")
const palette = () => import("./palette.js")
const notices = () => import("./notices.js")

const inDialog = (title: string, onClose: () => void) => (failure: ReactElement) => (
  <Dialog open title={title} onClose={onClose}>
    {failure}
  </Dialog>
)

export const Shell = ({ children }: { readonly children: ReactNode }): ReactElement => {
  const route = Router.useRoute(routeNames)
  const name = route?.name
  const place = placeOf(name)
  const audience = audienceOf(name)
  const main = useRef<HTMLElement>(null)
  const [menu, setMenu] = useState(false)
  const [above, setAbove] = useCell(opened)
  const [isWireOpen, setWireOpen] = useCell(isOpen)
  const lost = useCellValue(lostSince)
  useProbe()
  useShortcuts()
  // What opens at a key does so at once; where this fails, it is loaded when it is opened.
  useEffect(() => {
    for (const part of [palette, panel]) load(part).catch(() => undefined)
  }, [])
  // The focus moves to the new page; detail sheets take it themselves.
  useFocusReset({ route: route && { ...route, key: `${place}-`, params: {} }, containerRef: main })
  useEffect(() => {
    const label = places.find((one) => one.name === place)?.label ?? labelOf(audience)
    document.title = `${place === undefined ? "Not found" : label} · Quartet console`
  }, [place, audience])
  const page = `${audience} ${place} ${route && "slice" in route.params ? route.params.slice : ""}`
  // Each page begins at its top.
  useEffect(() => void main.current?.scrollTo(0, 0), [page])
  return (
    <>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <div className={styles.shell} data-wire={isWireOpen ? "open" : "closed"}>
        <Sidebar route={name} />
        <div className={styles.page}>
          <header className={styles.topbar}>
            <IconButton
              icon="menu"
              label="Open the menu"
              className={styles.onlyNarrow}
              onClick={() => setMenu(true)}
            />
            <span className={`${styles.brand} ${layout.grow} ${styles.onlyNarrow}`}>
              <Mark /> Quartet
            </span>
            <span className={`${layout.grow} ${styles.onlyWide}`}>
              <Badge tone={audience === "admin" ? "accent" : "info"}>{labelOf(audience)}</Badge>
            </span>
            <IconButton
              icon="search"
              label="Go, find or do"
              aria-keyshortcuts="Control+K Meta+K"
              onClick={() => setAbove("palette")}
            />
            <Later
              part={notices}
              failed={(_, retry) => (
                <IconButton
                  icon="alert"
                  label="The notifications could not be loaded. Try again"
                  onClick={retry}
                />
              )}
            />
            <IconButton
              icon="keyboard"
              label="Keyboard shortcuts"
              className={styles.onlyWide}
              onClick={() => setAbove("help")}
            />
            <Button
              icon="wire"
              aria-pressed={isWireOpen}
              aria-keyshortcuts="w"
              onClick={() => setWireOpen(!isWireOpen)}
            >
              Wire
            </Button>
          </header>
          {lost !== undefined && (
            <p className={styles.notice} role="status">
              {navigator.onLine ? "The platform does not answer." : "You are offline."} Last answer:{" "}
              <When date={lost} />. What you see may be old; it loads again by itself.
            </p>
          )}
          {(audience === "admin" || audience === "endUser") && <SignInAgain key={audience} as={audience} />}
          <main id="content" className={styles.main} ref={main} tabIndex={-1}>
            {children}
          </main>
          <Toasts />
        </div>
        {isWireOpen && <Later part={panel} failed={inDialog("Wire", () => setWireOpen(false))} />}
      </div>
      <Drawer open={menu} onClose={() => setMenu(false)} title="Menu">
        <Sidebar route={name} onGo={() => setMenu(false)} />
      </Drawer>
      <Help />
      {above === "palette" && <Later part={palette} failed={inDialog("Go, find or do", close)} />}
    </>
  )
}
