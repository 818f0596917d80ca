/** The console: the sign-in, and all else behind it, whose code is loaded while one signs in. */

import { useSession } from "@quartet/react"
import { type ReactElement, useEffect } from "react"
import { SignIn, useSettled } from "../views/sign-in/view.js"
import { Later, load } from "./later.js"
import { admin } from "./query-clients.js"
import { useWhere } from "./viewer.js"

const inside = () => import("./inside.js")

export const App = (): ReactElement => {
  const { audience, place } = useWhere()
  const session = useSession(admin.session)
  // Where this fails, it is loaded when it is needed.
  useEffect(() => void load(inside).catch(() => undefined), [])
  // Whoever cannot sign in may have to change the settings. Jobs are those of this machine, and no part of the platform.
  const isAdmins = audience === "admin" && place !== "Settings" && place !== "Jobs"
  const settled = useSettled(session.status, session.status === "signing-in")
  if (isAdmins && settled !== "signed-in") return <SignIn isOpening={settled !== "signed-out"} />
  return (
    <Later part={inside}>
      <SignIn isOpening />
    </Later>
  )
}
