/** Roles, and what each of them may do. */
import type { ReactElement } from "react"
import { PageHead } from "../../design/show.js"
import { Matrix } from "./matrix.js"

const People = (): ReactElement => (
  <>
    <PageHead title="Roles" about="What those who run your product may do." />
    <Matrix />
  </>
)

export default People
