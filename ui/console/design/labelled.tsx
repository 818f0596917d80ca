/** A control with its label, its hint and its problem. */
import { type ReactElement, type ReactNode, useId } from "react"

export interface Labelled {
  readonly label: string
  /** Shows the label to screen readers only, where the context makes it clear to others. */
  readonly hideLabel?: boolean
  readonly hint?: string
  readonly name?: string
  readonly problem?: string | undefined
  /** Whether it is said that it must be filled in, where most of a form need not be. */
  readonly marksRequired?: boolean
}

/** The attributes that connect a control to its texts. */
export interface Tied {
  readonly id: string
  readonly name: string | undefined
  readonly "aria-invalid": true | undefined
  readonly "aria-describedby": string | undefined
}

export const Field = (props: Labelled & { readonly children: (tied: Tied) => ReactNode }): ReactElement => {
  const { children, hideLabel = false, hint, label, marksRequired = false, name, problem } = props
  const id = useId()
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ")
  return (
    <div className="relative grid content-start gap-1.5">
      <div className={hideLabel ? "sr-only" : "row gap-2"}>
        <label id={`${id}-label`} htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {marksRequired && (
          <span className="faint" aria-hidden="true">
            required
          </span>
        )}
      </div>
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
