/** The rules that a list of entries keeps, one a line. */
import type { ReactElement } from "react"
import type { Field } from "../../app/rows.js"
import { yesOrNo } from "../../data/controls.js"
import { Button, IconButton } from "../../design/button.js"
import { NumberField, Select, TextField } from "../../design/field.js"
import { blank, labelOf, operatorChoices, type Rule } from "./question.js"

/** On phones the value stands below what it is compared with. */
const ruleClass =
  "grid grid-cols-[repeat(2,minmax(0,12rem))_minmax(0,1fr)_auto] gap-2 max-md:grid-cols-[repeat(2,minmax(0,1fr))_auto] max-md:*:nth-2:col-span-2 max-md:*:nth-3:col-span-2"

export const Builder = (props: {
  readonly fields: ReadonlyArray<Field>
  readonly rules: ReadonlyArray<Rule>
  readonly onChange: (rules: ReadonlyArray<Rule>) => void
}): ReactElement => {
  const { fields, onChange, rules } = props
  const fieldOf = (name: string): Field | undefined => fields.find(({ apiId }) => apiId === name)
  return (
    <>
      <Button icon="plus" onClick={() => onChange([...rules, blank(fields[0])])}>
        Add a filter
      </Button>
      {rules.length > 0 && (
        <div className="order-1 grid basis-full gap-2">
          {rules.map((rule, index) => {
            const change = (changes: Partial<Rule>): void =>
              onChange(rules.map((existing, at) => (at === index ? { ...rule, ...changes } : existing)))
            const type = fieldOf(rule.field)?.type
            const value = { value: rule.value, onChange: (value: string) => change({ value }) }
            return (
              <div key={index} className={ruleClass}>
                <Select
                  label="Field"
                  hideLabel
                  value={rule.field}
                  choices={fields.map((field) => ({ value: field.apiId, label: labelOf(field) }))}
                  onChange={(next) => change(blank(fieldOf(next)))}
                />
                <Select
                  label="Comparison"
                  hideLabel
                  value={rule.op}
                  choices={operatorChoices}
                  onChange={(op) => change({ op })}
                />
                {type === "BOOLEAN" ? (
                  <Select label="Value" hideLabel choices={yesOrNo} {...value} />
                ) : type === "NUMERIC" ? (
                  <NumberField label="Value" hideLabel placeholder="A number" {...value} />
                ) : (
                  <TextField label="Value" hideLabel placeholder="A text" {...value} />
                )}
                <IconButton
                  icon="close"
                  label="Remove this rule"
                  onClick={() => onChange(rules.filter((_, at) => at !== index))}
                />
              </div>
            )
          })}
        </div>
      )}
    </>
  )
}
