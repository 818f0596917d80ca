/** The team: who signs in here, what their roles let them do, and who is away. */
import type { ReactElement } from "react"
import { Router } from "../../app/routes.js"
import { Administrators } from "./administrators.js"
import { Holidays } from "./holidays.js"
import { Roles } from "./roles.js"

const Team = (): ReactElement => {
  const route = Router.useRoute(["Roles", "Holidays", "Administrator", "Team"])
  if (route?.name === "Roles") return <Roles />
  return route?.name === "Holidays" ? <Holidays /> : <Administrators />
}

export default Team
