/** The frame around every view: navigation, top bar, wire panel, and what all pages share. */
import { loadView } from "@quartet/react/devtools"
import { useFocusReset } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react"
import { Button, IconButton } from "../design/button.js"
import { Dialog, Drawer } from "../design/dialog.js"
import { Brand } from "../design/icon.js"
import { Badge, When } from "../design/show.js"
import { Banner } from "../design/state.js"
import { SignInAgain } from "../views/sign-in/view.js"
import { isOpen } from "../wire/log.js"
import { useCell, useCellValue } from "./cells.js"
import { Later, load } from "./later.js"
import { lostSince, useProbe } from "./network.js"
import { close, Help, opened, useShortcuts } from "./shortcuts.js"
import { Sidebar } from "./sidebar.js"
import { Toasts } from "./toasts.js"
import { labelOf, places, useWhere } from "./viewer.js"

/** With what the devtools load by themselves, so that it is said where that does not come. */
const panel = async () => {
  await loadView()
  return import("../wire/panel.js")
}
const palette = () => import("./palette.js")
const notices = () => import("./notices.js")

const inDialog = (title: string, onClose: () => void) => (failure: ReactElement) => (
  <Dialog open title={title} onClose={onClose}>
    {failure}
  </Dialog>
)

export const Shell = ({ children }: { readonly children: ReactNode }): ReactElement => {
  const { audience, place, route, slice } = useWhere()
  const main = useRef<HTMLElement>(null)
  const [menu, setMenu] = useState(false)
  const [above, setAbove] = useCell(opened)
  const [isWireOpen, setWireOpen] = useCell(isOpen)
  const lost = useCellValue(lostSince)
  useProbe()
  useShortcuts()
  // It opens at a key at once; where this fails, it is loaded when it is opened.
  useEffect(() => void load(palette).catch(() => undefined), [])
  // The focus moves to the new page; detail sheets take it themselves.
  useFocusReset({ route: route && { ...route, key: `${place}-`, params: {} }, containerRef: main })
  useEffect(() => {
    const label = places.find((candidate) => candidate.name === place)?.label ?? labelOf(audience)
    document.title = `${place === undefined ? "Not found" : label} · Quartet console`
  }, [place, audience])
  const page = `${audience} ${place} ${slice}`
  // Each page begins at its top.
  useEffect(() => void main.current?.scrollTo(0, 0), [page])
  return (
    <>
      <a
        className="fixed top-2 left-2 z-100 rounded-md bg-accent px-3.5 py-2 text-on-accent not-focus:-translate-y-[200%]"
        href="#content"
      >
        Skip to the content
      </a>
      {/* The page alone scrolls: what stands under it covers nothing. On paper it is as long as what it holds. */}
      <div
        className="grid h-dvh grid-cols-[14.5rem_minmax(0,1fr)] grid-rows-[minmax(0,1fr)] max-md:grid-cols-1 xl:data-[wire=open]:grid-cols-[14.5rem_minmax(0,1fr)_25rem] print:block print:h-auto"
        data-wire={isWireOpen ? "open" : "closed"}
      >
        <div className="flex border-r border-line max-md:hidden print:hidden">
          <Sidebar />
        </div>
        <div className="flex min-w-0 flex-col">
          <header className="flex min-h-13 items-center gap-2 border-b border-line px-6 max-md:gap-0 max-md:px-3 print:hidden">
            <IconButton
              icon="menu"
              label="Open the menu"
              className="md:hidden"
              onClick={() => setMenu(true)}
            />
            <Brand className="flex-1 md:hidden" />
            <span className="flex-1 max-md:hidden">
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
              className="max-md:hidden"
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
            <Banner>
              {navigator.onLine ? "The platform does not answer." : "You are offline."} Last answer:{" "}
              <When date={lost} />. What you see may be old; it loads again by itself.
            </Banner>
          )}
          {(audience === "admin" || audience === "endUser") && <SignInAgain key={audience} as={audience} />}
          <main
            id="content"
            className="flex-1 overflow-y-auto px-[max(1.5rem,50%-39.5rem)] py-6 max-md:px-4"
            ref={main}
            tabIndex={-1}
          >
            {children}
          </main>
          <Toasts />
        </div>
        {isWireOpen && <Later part={panel} failed={inDialog("Wire", () => setWireOpen(false))} />}
      </div>
      <Drawer open={menu} onClose={() => setMenu(false)} title="Menu">
        <Sidebar onGo={() => setMenu(false)} />
      </Drawer>
      <Help />
      {above === "palette" && <Later part={palette} failed={inDialog("Go, find or do", close)} />}
    </>
  )
}
