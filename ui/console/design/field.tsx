/** Form fields, each connected to its label, its hint and its problem. */
import { type ComponentProps, type ReactElement, type ReactNode, useId } from "react"
import { Icon } from "./icon.js"

interface Labelled {
  readonly label: string
  /** Shows the label to screen readers only, where the context makes it clear to others. */
  readonly hideLabel?: boolean
  readonly hint?: string
  readonly name?: string
  readonly problem?: string | undefined
}

interface Control<A> extends Labelled {
  readonly value: A
  readonly onChange: (value: A) => void
}

/** The attributes that connect a control to its texts. */
type Tied = Pick<ComponentProps<"input">, "id" | "name" | "aria-invalid" | "aria-describedby">

export const Field = (props: Labelled & { readonly children: (tied: Tied) => ReactNode }): ReactElement => {
  const { children, hideLabel = false, hint, label, name, problem } = props
  const id = useId()
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ")
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-sm font-medium"}>
        {label}
      </label>
      {children({
        id,
        name,
        "aria-invalid": problem !== undefined || undefined,
        "aria-describedby": describedBy || undefined
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="faint">
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className="text-xs text-bad" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
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
            <datalist id={list}>{options(suggestions.map((value) => ({ value, label: value })))}</datalist>
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

/** A choice: its value and its text. */
export interface Choice<A extends string> {
  readonly value: A
  readonly label: string
}

/** Choices, some of them under headings. */
type Choices<A extends string> = ReadonlyArray<
  Choice<A> | { readonly label: string; readonly choices: ReadonlyArray<Choice<A>> }
>

const options = <A extends string>(choices: Choices<A>): ReadonlyArray<ReactElement> =>
  choices.map((choice) =>
    "choices" in choice ? (
      <optgroup key={choice.label} label={choice.label}>
        {options(choice.choices)}
      </optgroup>
    ) : (
      <option key={choice.value} value={choice.value}>
        {choice.label}
      </option>
    )
  )

/**
 * One of several, or as many of them as `isMany` lets choose, with commas between them, in the browser's own list: the most
 * accessible one, on every device.
 */
export const Select = <A extends string>(
  props: Control<A> & { readonly choices: Choices<A>; readonly required?: boolean; readonly isMany?: boolean }
): ReactElement => {
  const { choices, isMany = false, onChange, required, value, ...labelled } = props
  return (
    <Field {...labelled}>
      {(tied) => (
        <select
          {...tied}
          required={required}
          multiple={isMany}
          size={isMany ? Math.min(6, choices.length) : undefined}
          value={isMany ? value.split(", ") : value}
          onChange={({ target: { selectedOptions } }) =>
            // The values of its options are those of the choices.
            onChange([...selectedOptions].map((option) => option.value).join(", ") as A)
          }
        >
          {options(choices)}
        </select>
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
