/** A list with a field that narrows it by typing; loaded with the first long list that opens. */
import type { ReactElement, ReactNode } from "react"
import { Autocomplete, Input, SearchField, useFilter } from "react-aria-components"

const Narrowed = (props: { readonly label: string; readonly children: ReactNode }): ReactElement => {
  const { contains } = useFilter({ sensitivity: "base" })
  return (
    <Autocomplete filter={contains}>
      <SearchField
        aria-label={`Find in ${props.label}`}
        autoFocus
        className="sticky top-0 z-1 bg-raised p-1 pb-0"
      >
        <Input placeholder="Find" />
      </SearchField>
      {props.children}
    </Autocomplete>
  )
}

export default Narrowed
