/** Form fields, each connected to its label, its hint and its problem. */
import { type ComponentProps, type ReactElement, useEffect, useId, useRef, useState } from "react"
import { moneyProblem, readNumber } from "./format.js"
import { Icon } from "./icon.js"
import { Field, type Labelled } from "./labelled.js"
import type { Choice } from "./select.js"

export { Field } from "./labelled.js"
export { type Choice, MultiSelect, Select } from "./select.js"

interface Control<A> extends Labelled {
  readonly value: A
  readonly onChange: (value: A) => void
}

type TextFieldProps = Control<string> &
  Pick<ComponentProps<"input">, "autoComplete" | "className" | "inputMode" | "placeholder" | "required"> & {
    /** Has the focus from the beginning, with all its text selected. */
    readonly autoSelect?: boolean
    /** What is offered while one types. */
    readonly suggestions?: ReadonlyArray<string>
    readonly type?: "text" | "email" | "password"
    /** What is wrong with a text, in words, if anything: a form refuses it, and it is said once the field is left. */
    readonly check?: (text: string) => string | undefined
    readonly onLeave?: () => void
  }

/** One line of text. */
export const TextField = (props: TextFieldProps): ReactElement => {
  const { autoComplete, check, inputMode, onChange, onLeave, placeholder, required, suggestions, value } =
    props
  const { autoSelect = false, className, problem, type = "text" } = props
  const list = useId()
  const element = useRef<HTMLInputElement>(null)
  const [wasLeft, setLeft] = useState(false)
  const wrong = check?.(value)
  useEffect(() => element.current?.setCustomValidity(wrong ?? ""), [wrong])
  useEffect(() => {
    if (!autoSelect) return
    element.current?.focus()
    element.current?.select()
  }, [])
  const input = { autoComplete, className, inputMode, placeholder, required, type, value }
  return (
    <Field {...props} problem={problem ?? (wasLeft ? wrong : undefined)}>
      {(tied) => (
        <>
          <input
            ref={element}
            {...input}
            {...tied}
            {...(suggestions && { list })}
            onChange={(event) => onChange(event.target.value)}
            onBlur={() => {
              setLeft(true)
              onLeave?.()
            }}
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

type NumberFieldProps = Omit<TextFieldProps, "check" | "className" | "inputMode" | "suggestions" | "type"> & {
  /** What is wrong with a number, in words, if anything. */
  readonly checkNumber?: (text: string) => string | undefined
  /** Whether it stands at the right, as amounts do. */
  readonly isMoney?: boolean
}

/** A number as text, with a decimal keyboard: no wheel and no arrow changes it. `readNumber` reads what is written. */
export const NumberField = ({ checkNumber, isMoney, ...props }: NumberFieldProps): ReactElement => (
  <TextField
    {...props}
    className={isMoney === true ? "text-end tabular-nums" : "tabular-nums"}
    inputMode="decimal"
    autoComplete="off"
    check={(text) => {
      if (text.trim() === "") return undefined
      return readNumber(text) === undefined
        ? `Enter a number, such as ${isMoney === true ? "1,200.50" : "12"}.`
        : checkNumber?.(text)
    }}
  />
)

const tooMuch = (text: string, currency: string | null | undefined, left = Number.POSITIVE_INFINITY) =>
  (readNumber(text) ?? 0) > left ? moneyProblem(text, currency, left) : undefined

/** An amount of a currency: above 0, at most what is `left`, with no more digits than the currency has. */
export const MoneyField = ({
  currency,
  left,
  ...props
}: Omit<NumberFieldProps, "checkNumber" | "isMoney"> & {
  readonly currency: string | null | undefined
  readonly left?: number
}): ReactElement => (
  <NumberField
    {...props}
    isMoney
    checkNumber={(text) => moneyProblem(text, currency, left)}
    // Too much is too much whatever is written after it.
    problem={props.problem ?? tooMuch(props.value, currency, left)}
  />
)

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
  <search className="relative grid min-w-36 flex-1 items-center">
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
  </search>
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

/** Files, chosen or dropped. */
export const FileField = (
  props: Labelled & {
    /** The names of what was chosen; empty where nothing was. */
    readonly value: string
    readonly onFiles: (files: ReadonlyArray<File>) => void
    readonly accept?: string
    readonly isMany?: boolean
    readonly required?: boolean
  }
): ReactElement => {
  const { accept, isMany = false, onFiles, required, value } = props
  const [isOver, setOver] = useState(false)
  return (
    <Field {...props}>
      {(tied) => (
        <div className="drop" data-over={isOver || undefined}>
          <Icon name="upload" />
          <span className="min-w-0 wrap-anywhere">
            {value || (isMany ? "Choose files, or drop them here" : "Choose a file, or drop it here")}
          </span>
          {/* It lies over the whole place: a browser takes what is dropped on it. */}
          <input
            {...tied}
            type="file"
            className="absolute inset-0 cursor-pointer opacity-0"
            accept={accept}
            multiple={isMany}
            required={required}
            onDragEnter={() => setOver(true)}
            onDragLeave={() => setOver(false)}
            onDrop={() => setOver(false)}
            onChange={({ target: { files } }) => {
              if (files !== null && files.length > 0) onFiles([...files])
            }}
          />
        </div>
      )}
    </Field>
  )
}
