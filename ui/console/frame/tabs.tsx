/** The tabs of a place: `1` to `9` lead to them. */
import { pushUnsafe } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import { useCommands } from "../app/commands.js"
import { Chips, type LinksProps, type TabLink } from "../design/tabs.js"

interface Tab extends TabLink {
  readonly label: string
}

export const Tabs = (
  props: Omit<LinksProps, "tabs"> & { readonly tabs: ReadonlyArray<Tab>; readonly children?: ReactNode }
): ReactElement => {
  useCommands(
    props.tabs.slice(0, 9).map(({ label, to }, index) => ({
      label: `Show ${label}`,
      icon: "next",
      keys: String(index + 1),
      run: () => pushUnsafe(to)
    }))
  )
  return <Chips {...props} />
}
