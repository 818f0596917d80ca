/** What those need who build on the platform. */
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { developerPages } from "../../app/viewer.js"

const Developers = (): ReactElement => (
  <>
    <h1>Developers</h1>
    <ul>
      {developerPages.map(({ label, to }) => (
        <li key={to}>
          <Link to={to}>{label}</Link>
        </li>
      ))}
    </ul>
  </>
)

export default Developers
