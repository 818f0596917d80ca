/** One or several of a list that opens below its button; a long list has a field that narrows it. */
import { type ReactElement, useRef, useState } from "react"
import {
  Button,
  Header,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Popover,
  Select as SelectOf,
  SelectValue
} from "react-aria-components"
import { Icon } from "./icon.js"
import { Field, type Labelled } from "./labelled.js"
import { onDemand } from "./on-demand.js"

/** A choice: its value and its text. */
export interface Choice<A extends string> {
  readonly value: A
  readonly label: string
  /** What is said beside the text, fainter. */
  readonly about?: string
}

interface Group<A extends string> {
  readonly label: string
  readonly choices: ReadonlyArray<Choice<A>>
}

/** Choices, some of them under headings. */
export type Choices<A extends string> = ReadonlyArray<Choice<A> | Group<A>>

/** More choices than this are narrowed by typing. */
const few = 12

const flat = <A extends string>(choices: Choices<A>): ReadonlyArray<Choice<A>> =>
  choices.flatMap((choice) => ("choices" in choice ? choice.choices : choice))

/** A key may not be empty, as a value may. */
const keyOf = (value: string): string => `=${value}`

const Option = <A extends string>({ about, label, value }: Choice<A>): ReactElement => (
  <ListBoxItem id={keyOf(value)} textValue={label} className="option">
    {({ isSelected }) => (
      <>
        <span className="min-w-0 grow truncate">{label}</span>
        {about !== undefined && <span className="truncate faint">{about}</span>}
        <Icon name="check" className={isSelected ? "text-accent-text" : "invisible"} />
      </>
    )}
  </ListBoxItem>
)

const List = <A extends string>({ choices }: { readonly choices: Choices<A> }): ReactElement => (
  <ListBox
    className="p-1 outline-none"
    renderEmptyState={() => <p className="px-2 py-1.5 quiet">Nothing found</p>}
  >
    {choices.map((choice) =>
      "choices" in choice ? (
        <ListBoxSection key={choice.label} className="not-first:mt-1 not-first:border-t not-first:pt-1">
          <Header className="px-2 py-1 faint">{choice.label}</Header>
          {choice.choices.map((inner) => (
            <Option key={inner.value} {...inner} />
          ))}
        </ListBoxSection>
      ) : (
        <Option key={choice.value} {...choice} />
      )
    )}
  </ListBox>
)

const useNarrowed = onDemand(() => import("./narrowed.js"))

interface PickerProps<A extends string> extends Labelled {
  readonly choices: Choices<A>
  readonly required?: boolean | undefined
  readonly placeholder?: string
  readonly isDisabled?: boolean
}

const Picker = <A extends string>(
  props: PickerProps<A> & {
    readonly isMany: boolean
    readonly values: ReadonlyArray<string>
    readonly onValues: (values: ReadonlyArray<A>) => void
  }
): ReactElement => {
  const { choices, isDisabled = false, isMany, label, onValues, placeholder, required, values } = props
  const button = useRef<HTMLButtonElement>(null)
  const all = flat(choices)
  const chosen = all.filter(({ value }) => values.includes(value))
  const list = <List choices={choices} />
  const [hasFocus, setFocus] = useState(false)
  // Before it opens, so that the field is there with the list.
  const { Part: Narrowed } = useNarrowed(hasFocus && all.length > few)
  const shared = { isDisabled, placeholder: placeholder ?? "Choose" }
  // The keys of the list are those of the choices.
  const valuesOf = (keys: ReadonlyArray<unknown>): ReadonlyArray<A> =>
    all.flatMap(({ value }) => (keys.includes(keyOf(value)) ? value : []))
  const surface = (
    <Popover offset={4} className="floating min-w-(--trigger-width)">
      {Narrowed === undefined || all.length <= few ? list : <Narrowed label={label}>{list}</Narrowed>}
    </Popover>
  )
  return (
    <Field {...props}>
      {({ "aria-describedby": describedBy, id, name, ...tied }) => {
        const face = (
          <Button
            id={id}
            onFocus={() => setFocus(true)}
            onHoverStart={() => setFocus(true)}
            ref={button}
            {...tied}
            {...(describedBy && { "aria-describedby": describedBy })}
            className="control flex items-center gap-2 text-left data-disabled:opacity-55"
          >
            {/* What is said in its place where none is chosen may be a choice of its own, such as "All types". */}
            <SelectValue
              className={`min-w-0 grow truncate ${placeholder === undefined ? "data-placeholder:text-faint" : ""}`}
            >
              {() =>
                isMany && chosen.length > 0 ? (
                  <span className="flex flex-wrap gap-1">
                    {chosen.map(({ label, value }) => (
                      <span key={value} className="rounded-xs bg-sunken px-1.5">
                        {label}
                      </span>
                    ))}
                  </span>
                ) : (
                  (chosen[0]?.label ?? (values[0] || shared.placeholder))
                )
              }
            </SelectValue>
            <Icon name="down" className="size-3.5! text-faint" />
          </Button>
        )
        return (
          <>
            {/* What a form looks for: its name, and whether it is filled in. */}
            <input
              className="sr-only"
              aria-hidden="true"
              tabIndex={-1}
              readOnly
              name={name}
              required={required}
              value={values.join(", ")}
              onFocus={() => button.current?.focus()}
            />
            {isMany ? (
              <SelectOf
                {...shared}
                aria-labelledby={`${id}-label`}
                selectionMode="multiple"
                value={values.map(keyOf)}
                onChange={(keys) => onValues(valuesOf(keys))}
              >
                {face}
                {surface}
              </SelectOf>
            ) : (
              <SelectOf
                {...shared}
                aria-labelledby={`${id}-label`}
                value={chosen[0] === undefined ? null : keyOf(chosen[0].value)}
                onChange={(key) => onValues(valuesOf([key]))}
              >
                {face}
                {surface}
              </SelectOf>
            )}
          </>
        )
      }}
    </Field>
  )
}

/** One of several. */
export const Select = <A extends string>(
  props: PickerProps<A> & { readonly value: A; readonly onChange: (value: A) => void }
): ReactElement => {
  const { onChange, value, ...rest } = props
  return (
    <Picker
      {...rest}
      isMany={false}
      values={[value]}
      onValues={([chosen]) => {
        if (chosen !== undefined) onChange(chosen)
      }}
    />
  )
}

/** As many of several as one likes. */
export const MultiSelect = <A extends string>(
  props: PickerProps<A> & {
    readonly value: ReadonlyArray<A>
    readonly onChange: (value: ReadonlyArray<A>) => void
  }
): ReactElement => {
  const { onChange, value, ...rest } = props
  return <Picker {...rest} isMany values={value} onValues={onChange} />
}
