/** Which slices there are: those that are seen here alone, and those with a place of their own, which leads there. */

import type { Audience } from "@quartet/sdk/extend"
import { Link, pushUnsafe } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { resources } from "../../app/catalogue.js"
import { placeOf, type SlicePlace } from "../../app/place-of.js"
import { labelOf } from "../../app/values.js"
import { dataOf } from "../../app/viewer.js"
import { Select } from "../../design/field.js"
import { Icon } from "../../design/icon.js"

interface Slice {
  readonly name: string
  readonly label: string
  readonly to: string
  /** Where it is seen as what it is. */
  readonly place: SlicePlace | undefined
}

const slicesOf = (audience: Audience): ReadonlyArray<Slice> =>
  resources
    .filter((candidate) => candidate.audience === audience)
    .map(({ name }) => ({
      name,
      label: labelOf(name),
      to: dataOf(audience, { slice: name }),
      place: audience === "admin" ? placeOf(name) : undefined
    }))
    .sort((left, right) => (left.label < right.label ? -1 : 1))

interface Props {
  readonly audience: Audience
  readonly slice: string | undefined
}

/** Beside the list, where there is room. */
export const Slices = ({ audience, slice }: Props): ReactElement => {
  const all = slicesOf(audience)
  const here = all.filter(({ place }) => place === undefined)
  const elsewhere = all.filter(({ place }) => place !== undefined)
  const rowsOf = ({ label, name, to }: Slice, text: string): ReactElement => (
    <Link
      className="slice-link"
      to={to}
      aria-label={label}
      aria-current={name === slice ? "page" : undefined}
    >
      {text}
    </Link>
  )
  return (
    <nav className="slices" aria-label="Kinds of data">
      <ul>
        {here.map((of) => (
          <li key={of.name}>{rowsOf(of, of.label)}</li>
        ))}
      </ul>
      {elsewhere.length > 0 && (
        <>
          <h2 className="slices-title">Also in the main menu</h2>
          <ul>
            {elsewhere.map((of) => (
              <li key={of.name} className="flex items-center">
                {rowsOf(of, of.label)}
                <Link
                  className="slice-place"
                  to={of.place?.to() ?? of.to}
                  aria-label={`${of.label} in ${of.place?.label}`}
                  title={`Open ${of.place?.label}`}
                >
                  <Icon name="next" className="size-3.5!" />
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </nav>
  )
}

/** In the head of the list, where there is none. */
export const SliceSelect = ({ audience, slice }: Props): ReactElement => (
  <div className="2xl:hidden">
    <Select
      label="Kind of data"
      hideLabel
      value={slice ?? ""}
      choices={slicesOf(audience).map(({ label, name }) => ({ value: name, label }))}
      onChange={(slice) => pushUnsafe(dataOf(audience, { slice }))}
    />
  </div>
)
