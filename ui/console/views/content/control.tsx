/** The control of a field that has no language. */
import type { ReactElement } from "react"
import { yesOrNo } from "../../data/controls.js"
import type { FieldState } from "../../data/form.js"
import { Button } from "../../design/button.js"
import { Field, Segmented, TextArea, TextField } from "../../design/field.js"
import { fileIdOf, Picture } from "../../frame/pictures.js"
import type { EntryField } from "./fields.js"

const FileControl = (props: { readonly label: string; readonly state: FieldState<string> }): ReactElement => {
  const { label, state } = props
  const id = fileIdOf(state.value)
  return (
    <Field label={label} name={state.name} problem={state.problem}>
      {(tied) => (
        <div className="flex items-start gap-3">
          {id !== undefined && <Picture id={id} alt={label} className="h-19 w-28" />}
          <div className="grid flex-1 gap-2">
            <input
              {...tied}
              value={state.value}
              placeholder="The id of a file"
              onChange={(event) => state.onChange(event.target.value)}
            />
            {state.value !== "" && (
              <Button size="s" className="justify-self-start" onClick={() => state.onChange("")}>
                Remove
              </Button>
            )}
          </div>
        </div>
      )}
    </Field>
  )
}

export const Control = (props: {
  readonly of: EntryField
  readonly state: FieldState<string>
}): ReactElement => {
  const { of, state } = props
  const { kind, label } = of
  switch (kind) {
    case "number":
      return (
        <Field label={label} name={state.name} problem={state.problem}>
          {(tied) => (
            <input
              {...tied}
              inputMode="decimal"
              className="max-w-48 tabular-nums"
              value={state.value}
              onChange={(event) => state.onChange(event.target.value)}
            />
          )}
        </Field>
      )
    case "flag":
      return (
        <div className="grid content-start gap-1.5">
          <span className="text-sm font-medium" aria-hidden="true">
            {label}
          </span>
          <Segmented label={label} choices={yesOrNo} value={state.value} onChange={state.onChange} />
        </div>
      )
    case "moment":
      return (
        <div className="max-w-56">
          <TextField {...state} label={label} type="datetime-local" />
        </div>
      )
    case "file":
      return <FileControl label={label} state={state} />
    default:
      return <TextArea {...state} label={label} code hint="In JSON." rows={4} />
  }
}
