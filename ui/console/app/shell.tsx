/** The frame around every view: account, navigation, wire panel, and what all pages share. */
import { useFocusReset } from "@swan-io/chicane"
import { type ComponentType, type ReactElement, type ReactNode, useEffect, useRef, useState } from "react"
import { useSession } from "../../rx/index.js"
import { IconButton } from "../design/button.js"
import { Drawer } from "../design/dialog.js"
import { Avatar, When } from "../design/show.js"
import typography from "../design/typography.module.css"
import { SignInAgain } from "../views/sign-in/view.js"
import { isOpen } from "../wire/log.js"
import { useCellValue } from "./cells.js"
import { admins } from "./config.js"
import { signedOut } from "./kept.js"
import { lostSince, useProbe } from "./network.js"
import { admin } from "./query-clients.js"
import { type RouteName, Router, routeNames } from "./routes.js"
import styles from "./shell.module.css"
import { Help, isNotifyOpen, isPaletteOpen, useShortcuts } from "./shortcuts.js"
import { Sidebar } from "./sidebar.js"
import { Toasts } from "./toasts.js"
import { Topbar } from "./topbar.js"
import { audienceOf, placeOf, places } from "./viewer.js"

const panel = async () => (await import("../wire/panel.js")).Panel
const palette = async () => (await import("./palette.js")).Palette
const notify = async () => (await import("./notify.js")).Notify

/** A part that is loaded after the first view, so that it opens at once; where that fails, when it is opened. */
const Later = (props: {
  readonly isOpen: boolean
  readonly load: () => Promise<ComponentType>
}): ReactElement | null => {
  const { isOpen, load } = props
  const [Part, setPart] = useState<ComponentType>()
  useEffect(() => {
    load().then(
      (part) => setPart(() => part),
      () => undefined
    )
  }, [isOpen, load])
  return isOpen && Part !== undefined ? <Part /> : null
}

/** Who is signed in, and how to sign out. */
const Who = (): ReactElement | null => {
  const session = useSession(admin.session)
  if (session.status !== "signed-in" || session.identity.audience !== "admin") return null
  const { email = "", fullName = email } = session.identity.admin
  const leave = (): void => {
    signedOut("admin")
    void session.signOut()
  }
  return (
    <div className={styles.who}>
      <Avatar name={fullName} />
      <div>
        <strong className={typography.truncate}>{fullName}</strong>
        <span className={`${typography.faint} ${typography.truncate}`}>{email}</span>
      </div>
      <IconButton icon="signOut" label="Sign out" size="s" onClick={leave} />
    </div>
  )
}

const others: Partial<Record<RouteName, string>> = {
  Visitor: "Visitor",
  EndUser: "End user",
  Server: "Server"
}

const titleOf = (place: RouteName | undefined): string =>
  (place && (places.find(({ name }) => name === place)?.label ?? others[place])) ?? "Not found"

export const Shell = ({ children }: { readonly children: ReactNode }): ReactElement => {
  const route = Router.useRoute(routeNames)
  const name = route?.name
  const place = placeOf(name)
  const main = useRef<HTMLElement>(null)
  const [menu, setMenu] = useState(false)
  const open = useCellValue(isOpen)
  const lost = useCellValue(lostSince)
  useProbe()
  useShortcuts()
  // The focus moves to the new page; detail sheets take it themselves.
  useFocusReset({ route: route && { ...route, key: `${place}-`, params: {} }, containerRef: main })
  useEffect(() => {
    document.title = `${titleOf(place)} · Quartet console`
    window.scrollTo(0, 0)
  }, [place])
  return (
    <>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <div className={styles.shell} data-wire={open ? "open" : "closed"}>
        <Sidebar route={name} who={<Who />} />
        <div className={styles.page}>
          <Topbar route={name} onMenu={() => setMenu(true)} />
          {lost !== undefined && (
            <p className={styles.notice} role="status">
              {navigator.onLine ? "The platform does not answer." : "You are offline."} Last answer:{" "}
              <When date={lost} />. What you see may be old; it loads again by itself.
            </p>
          )}
          {audienceOf(name) === "admin" && <SignInAgain client={admin} accounts={admins} />}
          <main id="content" className={styles.main} ref={main} tabIndex={-1}>
            {children}
          </main>
          <Toasts />
        </div>
        <Later isOpen={open} load={panel} />
      </div>
      <Drawer open={menu} onClose={() => setMenu(false)} title="Menu">
        <Sidebar route={name} who={<Who />} onGo={() => setMenu(false)} />
      </Drawer>
      <Help />
      <Later isOpen={useCellValue(isPaletteOpen)} load={palette} />
      <Later isOpen={useCellValue(isNotifyOpen)} load={notify} />
    </>
  )
}
