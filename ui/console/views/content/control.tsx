/** The control of a field that has no language. */
import { Link } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { Router } from "../../app/routes.js"
import type { FileRow } from "../../app/rows.js"
import { yesOrNo } from "../../data/controls.js"
import type { FieldState } from "../../data/form.js"
import { Button } from "../../design/button.js"
import { MomentField } from "../../design/date.js"
import { NumberField, Segmented, TextArea } from "../../design/field.js"
import { FileChooser } from "../../files/chooser.js"
import { fileIdOf, Picture } from "../../frame/pictures.js"
import type { EntryField } from "./fields.js"

/** What a field names a file by: its address, if it named the one before by an address, else its id. */
const namingOf = (before: string, { _id, url }: FileRow): string => (before.includes("/") && url ? url : _id)

const FileControl = (props: { readonly label: string; readonly state: FieldState<string> }): ReactElement => {
  const { label, state } = props
  const { name, onChange, problem, value } = state
  const id = fileIdOf(value)
  return (
    <fieldset className="grid justify-items-start gap-1.5">
      <legend className="contents text-sm font-medium">{label}</legend>
      <div className="flex items-end gap-3">
        {id !== undefined && (
          <Link to={Router.File({ id })} className="rounded-md">
            <Picture id={id} alt={`${label}: the file`} className="h-19 w-28" />
          </Link>
        )}
        <div className="row">
          <FileChooser
            label={value === "" ? "Choose a file" : "Choose another"}
            button={{ name }}
            onChoose={(file) => onChange(namingOf(value, file))}
          />
          {value !== "" && (
            <Button kind="ghost" onClick={() => onChange("")}>
              Remove
            </Button>
          )}
        </div>
      </div>
      {problem !== undefined && (
        <p className="text-xs text-bad" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
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
        <div className="max-w-48 tabular-nums">
          <NumberField {...state} label={label} />
        </div>
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
        <div className="max-w-72">
          <MomentField {...state} label={label} />
        </div>
      )
    case "file":
      return <FileControl label={label} state={state} />
    default:
      return <TextArea {...state} label={label} code hint="As JSON." rows={4} />
  }
}
