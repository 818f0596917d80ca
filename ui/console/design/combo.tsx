/** A field that finds what is chosen, as one types; what is found may come from far. */
import { type ReactElement, useRef } from "react"
import { ComboBox as Combo, Input, ListBox, Popover } from "react-aria-components"
import { Field, type Labelled } from "./labelled.js"
import { type Choice, keyOf, Option } from "./select.js"

export const ComboBox = <A extends string>(
  props: Labelled & {
    /** What is chosen; empty where nothing is. */
    readonly value: A | ""
    readonly onChange: (value: A | "") => void
    /** What is written. */
    readonly text: string
    readonly onText: (text: string) => void
    readonly items: ReadonlyArray<Choice<A>>
    readonly isLoading?: boolean
    readonly placeholder?: string
    readonly required?: boolean
  }
): ReactElement => {
  const {
    isLoading = false,
    items,
    label,
    onChange,
    onText,
    placeholder,
    required = false,
    text,
    value
  } = props
  const chosenText = useRef(text)
  return (
    <Field {...props}>
      {({ "aria-describedby": describedBy, id, ...tied }) => (
        <Combo
          aria-labelledby={`${id}-label`}
          allowsCustomValue
          allowsEmptyCollection
          menuTrigger="input"
          items={items}
          inputValue={text}
          onInputChange={(written) => {
            onText(written)
            if (value !== "" && written !== chosenText.current) onChange("")
          }}
          selectedKey={value === "" ? null : keyOf(value)}
          onSelectionChange={(key) => {
            const item = items.find((item) => keyOf(item.value) === key)
            if (item === undefined) return
            chosenText.current = item.label
            onText(item.label)
            onChange(item.value)
          }}
        >
          <Input
            id={id}
            {...tied}
            {...(describedBy && { "aria-describedby": describedBy })}
            {...(placeholder !== undefined && { placeholder })}
            required={required}
          />
          <Popover offset={4} className="floating min-w-(--trigger-width)">
            <ListBox
              aria-label={label}
              className="p-1 outline-none"
              renderEmptyState={() => (
                <p className="px-2 py-1.5 quiet" role="status">
                  {isLoading ? "Searching…" : text.trim() === "" ? "Type to find" : "Nothing found"}
                </p>
              )}
            >
              {(item: Choice<A>) => <Option key={item.value} {...item} />}
            </ListBox>
          </Popover>
        </Combo>
      )}
    </Field>
  )
}
