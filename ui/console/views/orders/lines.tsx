/** What was ordered: its lines as a table, folded where there is little room, with the total below. */
import { useQuery, useSession } from "@quartet/react"
import * as Admin from "@quartet/sdk/admin"
import { Link } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { OrderRow } from "../../app/rows.js"
import { money } from "../../app/settled.js"
import { number } from "../../design/format.js"
import { Note } from "../../design/state.js"
import { itemById, lineSum, sumOf } from "./data.js"

type Line = NonNullable<OrderRow["lines"]>[number]

/** The item of a line: a link to it, unless it is gone or the role may not read it. */
const Item = ({ of: { itemId, name } }: { readonly of: Line }): ReactNode => {
  const session = useSession(admin.session)
  const canRead = itemId && session.can(Admin.items.get)
  const { error } = useQuery(canRead ? itemById(itemId) : undefined)
  const label = name || itemId || "Item"
  if (!canRead) return label
  if (Object(error)._tag !== "NotFound") return <Link to={Router.Item({ id: itemId })}>{label}</Link>
  return (
    <>
      {label} <span className="faint">no longer in the catalogue</span>
    </>
  )
}

const sumText = (line: Line, currency: OrderRow["currency"]): string => {
  const sum = lineSum(line)
  return Number.isNaN(sum) ? "" : money(sum, currency)
}

export const Lines = ({ of }: { readonly of: OrderRow }): ReactElement => {
  const { currency, lines, total } = of
  if (!lines || lines.length === 0) return <p className="quiet">This order has no lines.</p>
  const sum = sumOf(of)
  const isOff = sum !== undefined && total !== null && total !== undefined && sum !== total
  return (
    <>
      <table className="order-lines">
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col" className="wide-cell w-20 text-end">
              Quantity
            </th>
            <th scope="col" className="wide-cell w-30 text-end">
              Price
            </th>
            <th scope="col" className="w-32 text-end">
              Sum
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, place) => (
            <tr key={line.itemId ?? place}>
              <td className="wrap-anywhere">
                <span className="flex items-baseline gap-x-1.5">
                  <span className="folded-text">{number(line.quantity ?? 1)} ×</span>
                  <Item of={line} />
                </span>
              </td>
              <td className="wide-cell text-end">{number(line.quantity ?? 1)}</td>
              <td className="wide-cell text-end whitespace-nowrap">{money(line.price, currency)}</td>
              <td className="text-end whitespace-nowrap">{sumText(line, currency)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td className="wide-cell" />
            <td className="wide-cell" />
            <td className="text-end font-semibold whitespace-nowrap">{money(total ?? sum, currency)}</td>
          </tr>
        </tfoot>
      </table>
      {isOff && <Note tone="warn">The lines add up to {money(sum, currency)}.</Note>}
    </>
  )
}
