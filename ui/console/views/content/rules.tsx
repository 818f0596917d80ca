/** How the entries of a list are ordered, and the rules that they keep, one a line, in a surface beside their button. */
import type { ReactElement, ReactNode } from "react"
import type { Field } from "../../app/rows.js"
import { yesOrNo } from "../../data/controls.js"
import { Button, IconButton } from "../../design/button.js"
import { Select, TextField } from "../../design/field.js"
import { Popover } from "../../design/popover.js"
import { labelOf } from "./fields.js"
import { blank, operatorChoices, type Rule } from "./question.js"

const RuleLine = (props: {
  readonly fields: ReadonlyArray<Field>
  readonly rule: Rule
  readonly onChange: (rule: Rule) => void
  readonly onRemove: () => void
}): ReactElement => {
  const { fields, onChange, onRemove, rule } = props
  const fieldOf = (name: string): Field | undefined => fields.find(({ apiId }) => apiId === name)
  const type = fieldOf(rule.field)?.type
  const value = { value: rule.value, onChange: (value: string) => onChange({ ...rule, value }) }
  return (
    <div className="rule">
      <Select
        label="Field"
        hideLabel
        value={rule.field}
        choices={fields.map((field) => ({ value: field.apiId, label: labelOf(field) }))}
        onChange={(next) => onChange(blank(fieldOf(next)))}
      />
      <Select
        label="Comparison"
        hideLabel
        value={rule.op}
        choices={operatorChoices}
        onChange={(op) => onChange({ ...rule, op })}
      />
      {type === "BOOLEAN" ? (
        <Select label="Value" hideLabel choices={yesOrNo} {...value} />
      ) : (
        <TextField
          label="Value"
          hideLabel
          placeholder={type === "NUMERIC" ? "A number" : "Text"}
          {...value}
        />
      )}
      <IconButton icon="close" label="Remove this filter" onClick={onRemove} />
    </div>
  )
}

export const Rules = (props: {
  readonly fields: ReadonlyArray<Field>
  readonly rules: ReadonlyArray<Rule>
  readonly onChange: (rules: ReadonlyArray<Rule>) => void
  /** What orders them. */
  readonly children: ReactNode
}): ReactElement => {
  const { children, fields, onChange, rules } = props
  const used = rules.filter(({ value }) => value !== "").length
  const label = used > 0 ? `Sort and filter (${used})` : "Sort and filter"
  return (
    <Popover
      label={label}
      shown={<span className="max-md:hidden">{label}</span>}
      button={{ kind: "chip", size: "s", icon: "filter", "aria-label": label, "aria-pressed": used > 0 }}
      className="grid w-116 max-w-full gap-2 p-3"
    >
      {children}
      <p className="mt-2 quiet">Entries that match all of these, as visitors see them.</p>
      {rules.map((rule, index) => (
        <RuleLine
          key={index}
          fields={fields}
          rule={rule}
          onChange={(next) => onChange(rules.map((existing, at) => (at === index ? next : existing)))}
          onRemove={() => onChange(rules.filter((_, at) => at !== index))}
        />
      ))}
      <div className="row">
        <Button size="s" icon="plus" onClick={() => onChange([...rules, blank(fields[0])])}>
          Add a filter
        </Button>
        {rules.length > 0 && (
          <Button size="s" kind="ghost" onClick={() => onChange([])}>
            Remove all
          </Button>
        )}
      </div>
    </Popover>
  )
}
