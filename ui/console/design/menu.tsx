/** A button that opens a list of what can be done. */
import { pushUnsafe } from "@swan-io/chicane"
import type { ReactElement, ReactNode } from "react"
import { Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover, Pressable } from "react-aria-components"
import { Button, type ButtonProps } from "./button.js"
import { Icon, type IconName } from "./icon.js"
import { Kbd } from "./show.js"

/** One thing that can be done. */
export interface MenuAction {
  readonly label: string
  readonly icon?: IconName
  /** The keys that do the same. */
  readonly keys?: string | undefined
  readonly onAction: () => void
  readonly isDanger?: boolean
  readonly isDisabled?: boolean
  /** Whether it is what holds now. */
  readonly isCurrent?: boolean
}

/** One place to go to. */
export interface MenuLink extends Omit<MenuAction, "onAction" | "isDanger"> {
  readonly to: string
}

type Item = MenuAction | MenuLink

export type MenuItems = ReadonlyArray<Item | { readonly label: string; readonly items: ReadonlyArray<Item> }>

const Entry = (of: Item): ReactElement => (
  <MenuItem
    className="option data-danger:text-bad"
    data-danger={("isDanger" in of && of.isDanger) || undefined}
    textValue={of.label}
    isDisabled={of.isDisabled ?? false}
    aria-current={of.isCurrent || undefined}
    onAction={"to" in of ? () => pushUnsafe(of.to) : of.onAction}
  >
    {of.icon !== undefined && <Icon name={of.icon} className="text-muted" />}
    <span className="grow">{of.label}</span>
    {of.isCurrent && <Icon name="check" />}
    {of.keys !== undefined && <Kbd keys={of.keys} />}
  </MenuItem>
)

export const MenuButton = (
  props: Omit<ButtonProps, "children" | "onClick"> & {
    /** What the button says, or does where it shows an icon alone. */
    readonly label: string
    readonly shown?: ReactNode
    /** Whether the button shows its icon alone. */
    readonly isIcon?: boolean
    readonly items: MenuItems
    readonly placement?: "bottom start" | "bottom end" | "top start" | "top end"
    readonly isOpen?: boolean
    readonly onOpenChange?: (isOpen: boolean) => void
  }
): ReactElement => {
  const { isIcon = false, isOpen, items, label, onOpenChange, placement, shown = label, ...button } = props
  return (
    <MenuTrigger {...(isOpen === undefined ? {} : { isOpen })} {...(onOpenChange && { onOpenChange })}>
      <Pressable>
        {isIcon ? (
          <Button kind="ghost" icon="more" aria-label={label} title={label} {...button} />
        ) : (
          <Button {...button}>{shown}</Button>
        )}
      </Pressable>
      <Popover placement={placement ?? "bottom start"} offset={4} className="floating">
        <Menu aria-label={label} className="min-w-44 p-1 outline-none">
          {items.map((item) =>
            "items" in item ? (
              <MenuSection key={item.label} className="not-first:mt-1 not-first:border-t not-first:pt-1">
                <Header className="px-2 py-1 faint">{item.label}</Header>
                {item.items.map((inner) => (
                  <Entry key={inner.label} {...inner} />
                ))}
              </MenuSection>
            ) : (
              <Entry key={item.label} {...item} />
            )
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
