/** The frame around every view: navigation, top bar, wire panel, and what all pages share. */
import { loadView } from "@quartet/react/devtools"
import { Link, useFocusReset } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react"
import { IconButton } from "../design/button.js"
import { Dialog, Drawer } from "../design/dialog.js"
import { Icon } from "../design/icon.js"
import { When } from "../design/show.js"
import { Banner } from "../design/state.js"
import { SignInAgain } from "../views/sign-in/view.js"
import { isOpen } from "../wire/log.js"
import { back } from "./back.js"
import { useCell, useCellValue } from "./cells.js"
import { DeveloperBar } from "./developer-bar.js"
import { Help, KeyHint } from "./help.js"
import { Later, load } from "./later.js"
import { lostSince, useProbe } from "./network.js"
import type { RouteName } from "./routes.js"
import { close, opened, useShortcuts } from "./shortcuts.js"
import { Sidebar } from "./sidebar.js"
import { developerPages, developers, labelOf, places, useWhere } from "./viewer.js"

/** With what the devtools load by themselves, so that it is said where that does not come. */
const panel = async () => {
  await loadView()
  return import("../wire/panel.js")
}
const palette = () => import("./palette.js")
const counts = () => import("./counts.js")

const inDialog = (title: string, onClose: () => void) => (failure: ReactElement) => (
  <Dialog open title={title} onClose={onClose}>
    {failure}
  </Dialog>
)

/** Pages that scroll as a whole; the panes of all others do by themselves. */
const isPage = (place: RouteName | undefined): boolean =>
  place === undefined || ["Developers", "NotifyEverybody", "Settings", "Notices"].includes(place)

export const Shell = ({ children }: { readonly children: ReactNode }): ReactElement => {
  const { audience, isDevelopers, place, route, slice } = useWhere()
  const main = useRef<HTMLElement>(null)
  const [menu, setMenu] = useState(false)
  const [above, setAbove] = useCell(opened)
  const [isWireOpen, setWireOpen] = useCell(isOpen)
  const lost = useCellValue(lostSince)
  const toList = useCellValue(back)
  const label =
    [...places, developers, ...developerPages].find((candidate) => candidate.name === place)?.label ??
    labelOf(audience)
  useProbe()
  useShortcuts()
  // It opens at a key at once; where this fails, it is loaded when it is opened.
  useEffect(() => void load(palette).catch(() => undefined), [])
  // The focus moves to the new page; things of a list take it themselves.
  useFocusReset({ route: route && { ...route, key: `${place}-`, params: {} }, containerRef: main })
  useEffect(() => {
    document.title = `${place === undefined ? "Not found" : label} · Quartet console`
  }, [place, label])
  const page = `${audience} ${place} ${slice}`
  // Each page begins at its top.
  useEffect(() => void main.current?.scrollTo(0, 0), [page])
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      {/* What is shown scrolls within its own part. On paper it is as long as what it holds. */}
      <div className="shell" data-wire={isWireOpen ? "open" : "closed"}>
        <aside className="shell-menu" aria-label="Menu">
          <Sidebar />
        </aside>
        <div className="flex min-w-0 flex-col">
          <header className="shell-top">
            {toList === undefined ? (
              <strong className="truncate px-2">{label}</strong>
            ) : (
              <Link className="shell-back" to={toList.to} onClick={toList.onClick}>
                <Icon name="back" /> <span className="truncate">{toList.label}</span>
              </Link>
            )}
            <span className="flex-1" />
            <IconButton icon="search" label="Search or run a command" onClick={() => setAbove("palette")} />
            <IconButton icon="menu" label="Open the menu" onClick={() => setMenu(true)} />
          </header>
          {lost !== undefined && (
            <Banner>
              {navigator.onLine ? "The platform is not answering." : "You are offline."} Last answer:{" "}
              <When date={lost} />. What you see may be out of date. It reloads by itself.
            </Banner>
          )}
          {(audience === "admin" || audience === "endUser") && <SignInAgain key={audience} as={audience} />}
          {isDevelopers && <DeveloperBar />}
          <main
            id="content"
            className={isPage(place) ? "shell-page" : "shell-place"}
            ref={main}
            tabIndex={-1}
          >
            {children}
          </main>
        </div>
        {isWireOpen && <Later part={panel} failed={inDialog("Wire", () => setWireOpen(false))} />}
      </div>
      <Drawer open={menu} onClose={() => setMenu(false)} title="Menu">
        <Sidebar isWhole onGo={() => setMenu(false)} />
      </Drawer>
      {audience === "admin" && <Later part={counts} failed={() => null} />}
      <Help />
      <KeyHint />
      {above === "palette" && <Later part={palette} failed={inDialog("Search or run a command", close)} />}
    </>
  )
}
