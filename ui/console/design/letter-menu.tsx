/** A menu whose choices have letters: a key opens it, a letter chooses. */
import type { KeyboardEvent, ReactElement } from "react"
import {
  Button as AriaButton,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover
} from "react-aria-components"
import { Icon } from "./icon.js"
import { Kbd } from "./show.js"

export interface LetterItem {
  readonly label: string
  readonly letter: string
  readonly isChosen?: boolean
  readonly onAction: () => void
}

export const LetterMenu = (props: {
  /** What the button says. */
  readonly label: string
  /** The key that opens it. */
  readonly keys?: string
  /** What the menu is for. */
  readonly title: string
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly items: ReadonlyArray<LetterItem>
}): ReactElement => {
  const { isOpen, items, keys, label, onOpenChange, title } = props
  const choose = (item: LetterItem): void => {
    onOpenChange(false)
    // After the menu has given the focus back, so that what runs may take it.
    setTimeout(item.onAction)
  }
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    const { ctrlKey, key, metaKey, nativeEvent } = event
    const code = /^Key[A-Z]$/.test(nativeEvent.code) ? nativeEvent.code.slice(3).toLowerCase() : ""
    const item =
      items.find(({ letter }) => letter === key.toLowerCase()) ?? items.find(({ letter }) => letter === code)
    if (item === undefined || ctrlKey || metaKey || nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    choose(item)
  }
  return (
    <MenuTrigger isOpen={isOpen} onOpenChange={onOpenChange}>
      <AriaButton className="letter-button">
        {label}
        {keys && (
          <span className="max-md:hidden" aria-hidden="true">
            <Kbd keys={keys} />
          </span>
        )}
      </AriaButton>
      <Popover className="popover" placement="bottom start">
        {/* The menu within it has the focus, and would take the letters for its own search. */}
        <div onKeyDownCapture={onKeyDownCapture}>
          <Menu aria-label={title} className="popover-list">
            <MenuSection>
              <Header className="popover-title">{title}</Header>
              {items.map((item) => (
                <MenuItem
                  key={item.label}
                  className="popover-item"
                  textValue={item.label}
                  onAction={() => choose(item)}
                >
                  <span className="flex-1">{item.label}</span>
                  {item.isChosen && <Icon name="check" />}
                  <Kbd keys={item.letter} />
                </MenuItem>
              ))}
            </MenuSection>
          </Menu>
        </div>
      </Popover>
    </MenuTrigger>
  )
}
