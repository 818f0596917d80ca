/** What people fill in, each with its label, its hint and its problem tied to it. */
import { type ReactElement, type ReactNode, useId } from "react"
import { Icon } from "./icon.js"

interface Labelled {
  readonly label: string
  /** Keeps the label for those who do not see, where the place says it to the others. */
  readonly hideLabel?: boolean
  readonly hint?: string
  readonly problem?: string | undefined
}

interface FrameProps extends Labelled {
  readonly id: string
  readonly children: ReactNode
}

const Frame = ({ children, hideLabel, hint, id, label, problem }: FrameProps): ReactElement => (
  <div className="field">
    <label htmlFor={id} className={hideLabel === true ? "visually-hidden" : undefined}>
      {label}
    </label>
    {children}
    {hint !== undefined && (
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {problem !== undefined && (
      <p className="problem" id={`${id}-problem`} role="alert">
        {problem}
      </p>
    )}
  </div>
)

const described = (id: string, { hint, problem }: Labelled): string | undefined =>
  [hint === undefined ? "" : `${id}-hint`, problem === undefined ? "" : `${id}-problem`].join(" ").trim() ||
  undefined

export interface TextFieldProps extends Labelled {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: "text" | "date" | "email" | "password" | "number" | "tel"
  readonly autoComplete?: string
  readonly required?: boolean
  readonly placeholder?: string
  readonly min?: number
  readonly step?: string
}

/** One line of text. */
export const TextField = (props: TextFieldProps): ReactElement => {
  const id = useId()
  const { label, hideLabel = false, hint, onChange, problem, type = "text", ...rest } = props
  const words = { label, hideLabel, ...(hint === undefined ? {} : { hint }), problem }
  return (
    <Frame id={id} {...words}>
      <input
        {...rest}
        id={id}
        className="input"
        type={type}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={described(id, words)}
        onChange={(event) => onChange(event.target.value)}
      />
    </Frame>
  )
}

export interface TextAreaProps extends Labelled {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly rows?: number
  readonly placeholder?: string
}

/** Several lines of text. */
export const TextArea = ({
  onChange,
  rows = 3,
  value,
  placeholder,
  ...words
}: TextAreaProps): ReactElement => {
  const id = useId()
  return (
    <Frame id={id} {...words}>
      <textarea
        id={id}
        className="textarea"
        rows={rows}
        value={value}
        placeholder={placeholder}
        aria-describedby={described(id, words)}
        onChange={(event) => onChange(event.target.value)}
      />
    </Frame>
  )
}

/** A choice, its value and what people read. */
export interface Choice<A extends string> {
  readonly value: A
  readonly label: string
}

export interface SelectProps<A extends string> {
  readonly label: string
  readonly value: A
  readonly choices: ReadonlyArray<Choice<A>>
  readonly onChange: (value: A) => void
  /** Keeps the label for those who do not see, where the place says it to the others. */
  readonly hideLabel?: boolean
}

/** One of several, in the platform's own list: the most accessible one there is, on every device. */
export const Select = <A extends string>({
  choices,
  hideLabel = false,
  label,
  onChange,
  value
}: SelectProps<A>): ReactElement => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} className={hideLabel ? "visually-hidden" : undefined}>
        {label}
      </label>
      <select
        id={id}
        className="select"
        value={value}
        onChange={(event) => {
          const chosen = choices.find((choice) => choice.value === event.target.value)
          if (chosen !== undefined) onChange(chosen.value)
        }}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Finds by words. `/` brings the focus here. */
export const SearchField = (props: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}): ReactElement => (
  <div className="search">
    <Icon name="search" />
    <input
      type="search"
      className="input"
      aria-label={props.label}
      placeholder={props.label}
      value={props.value}
      data-shortcut="/"
      onChange={(event) => props.onChange(event.target.value)}
    />
  </div>
)

/** One of a few, all in view. */
export const Segmented = <A extends string>(props: {
  readonly label: string
  readonly value: A
  readonly choices: ReadonlyArray<Choice<A>>
  readonly onChange: (value: A) => void
}): ReactElement => {
  const name = useId()
  return (
    <fieldset className="segmented">
      <legend className="visually-hidden">{props.label}</legend>
      {props.choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
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
