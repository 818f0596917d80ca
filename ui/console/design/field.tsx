/** Form fields, each connected to its label, its hint and its problem. */
import { type ComponentProps, type ReactElement, useId } from "react"
import { Icon } from "./icon.js"
import { Field, type Labelled } from "./labelled.js"
import type { Choice } from "./select.js"

export { Field } from "./labelled.js"
export { type Choice, type Choices, MultiSelect, Select } from "./select.js"

interface Control<A> extends Labelled {
  readonly value: A
  readonly onChange: (value: A) => void
}

type TextFieldProps = Control<string> &
  Pick<ComponentProps<"input">, "autoComplete" | "placeholder" | "required"> & {
    /** What is offered while one types. */
    readonly suggestions?: ReadonlyArray<string>
    readonly type?: "text" | "date" | "datetime-local" | "email" | "password" | "number"
  }

/** One line of text. */
export const TextField = (props: TextFieldProps): ReactElement => {
  const { autoComplete, onChange, placeholder, required, suggestions, type = "text", value } = props
  const list = useId()
  const input = { autoComplete, placeholder, required, step: "any", type, value }
  return (
    <Field {...props}>
      {(tied) => (
        <>
          <input
            {...input}
            {...tied}
            {...(suggestions && { list })}
            onChange={(event) => onChange(event.target.value)}
          />
          {suggestions && (
            <datalist id={list}>
              {suggestions.map((value) => (
                <option key={value} value={value} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  )
}

type TextAreaProps = Control<string> &
  Pick<ComponentProps<"textarea">, "placeholder" | "required" | "rows"> & {
    /** Whether the text is code. */
    readonly code?: boolean
  }

/** Several lines of text. */
export const TextArea = (props: TextAreaProps): ReactElement => {
  const { code = false, onChange, placeholder, required, rows = 3, value, ...labelled } = props
  const input = { placeholder, required, rows, value, spellCheck: !code }
  return (
    <Field {...labelled}>
      {(tied) => (
        <textarea
          {...input}
          {...tied}
          className={code ? "font-mono" : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

/** A search field. `/` moves the focus here. */
export const SearchField = ({ label, onChange, value }: Control<string>): ReactElement => (
  <div className="relative grid min-w-36 flex-[0_1_16rem] items-center max-md:grow">
    <Icon name="search" className="pointer-events-none absolute left-2.25 text-faint" />
    <input
      type="search"
      className="pl-7.5"
      aria-label={label}
      placeholder={label}
      value={value}
      data-shortcut="/"
      onChange={(event) => onChange(event.target.value)}
    />
  </div>
)

/** One of a few choices, all visible. */
export const Segmented = <A extends string>(
  props: Control<A> & { readonly choices: ReadonlyArray<Choice<A>> }
): ReactElement => {
  const name = useId()
  return (
    <fieldset className="inline-flex w-fit gap-0.5 rounded-md bg-sunken p-0.5">
      <legend className="sr-only">{props.label}</legend>
      {props.choices.map((choice) => (
        <label
          key={choice.value}
          className="relative inline-flex min-h-6.5 items-center justify-center rounded-sm px-2.5 text-xs font-medium text-muted outline-accent-text has-checked:bg-thumb has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-1"
        >
          <input
            type="radio"
            className="absolute inset-0 m-0 cursor-pointer opacity-0"
            name={name}
            value={choice.value}
            checked={choice.value === props.value}
            onChange={() => props.onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}
