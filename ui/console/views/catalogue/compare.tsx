/** Two to four items side by side: their pictures, and each fact in one line. */
import { useQuery } from "@quartet/react"
import { Link } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import { Router } from "../../app/routes.js"
import type { ItemRow } from "../../app/rows.js"
import { Status } from "../../app/status.js"
import { words } from "../../design/show.js"
import { Detail } from "../../frame/detail.js"
import { Picture } from "../../frame/pictures.js"
import { areaText, byId, floorText, nameOf, picturesOf, priceText, stockText } from "./data.js"

/** At most so many stand side by side. */
export const mostCompared = 4

/** The ids of the items that an address compares; none where it is of one item. */
export const comparedIn = (id: string): ReadonlyArray<string> =>
  id.includes("~") ? id.split("~").filter(Boolean).slice(0, mostCompared) : []

export const comparison = (ids: ReadonlyArray<string>): string => ids.join("~")

const facts: ReadonlyArray<readonly [title: string, of: (item: ItemRow) => ReactNode]> = [
  ["Price", (item) => <strong className="tabular-nums">{priceText(item)}</strong>],
  ["Status", ({ status }) => <Status of={status} />],
  ["Stock", stockText],
  ["Type", ({ type }) => type && words(type)],
  ["Rooms", ({ rooms }) => rooms],
  ["Area", areaText],
  ["Floor", floorText],
  ["District", ({ district }) => district],
  ["City", ({ city }) => city],
  ["Interests", ({ interests }) => interests?.map((interest) => words(interest)).join(", ")]
]

const isSaid = (value: ReactNode): boolean => value !== undefined && value !== null && value !== ""

/** One item of them, read by itself: its column stays where it stands while it is not there yet. */
const useItem = (id: string | undefined): ItemRow | undefined =>
  useQuery(id === undefined ? undefined : byId(id)).data

export const Comparison = ({ ids }: { readonly ids: ReadonlyArray<string> }): ReactElement => {
  const [first, second, third, fourth] = ids
  const found = [useItem(first), useItem(second), useItem(third), useItem(fourth)]
  const items = found.flatMap((item) => item ?? [])
  const rows = facts
    .map(([title, of]) => [title, items.map(of)] as const)
    .filter(([, values]) => values.some(isSaid))
  return (
    <Detail title={`${ids.length} items compared`}>
      <table className="compare">
        <thead>
          <tr>
            <td />
            {items.map((item) => (
              <th key={item._id} scope="col">
                {picturesOf(item)[0] !== undefined && (
                  <Picture id={picturesOf(item)[0] ?? ""} alt="" className="mb-2 aspect-3/2 w-full" />
                )}
                <Link to={Router.Item({ id: item._id })}>{nameOf(item)}</Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([title, values]) => (
            <tr key={title}>
              <th scope="row">{title}</th>
              {values.map((value, at) => (
                <td key={items[at]?._id}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Detail>
  )
}
