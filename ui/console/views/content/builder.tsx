/** The builder of filters and sorts. It shows exactly the query that it sends. */
import type { ReactElement } from "react"
import type { Field, ModelRow } from "../../app/rows.js"
import { Button, IconButton } from "../../design/button.js"
import { Select, TextField } from "../../design/field.js"
import layout from "../../design/layout.module.css"
import { words } from "../../design/show.js"
import typography from "../../design/typography.module.css"
import styles from "./content.module.css"
import {
  blank,
  directionChoices,
  kinds,
  type Line,
  operatorChoices,
  type Question,
  queryText
} from "./question.js"

const booleans = [
  { value: "true", label: "Yes" },
  { value: "false", label: "No" }
]

interface LineProps {
  readonly line: Line
  readonly fields: ReadonlyArray<Field>
  readonly onChange: (line: Line) => void
  readonly onRemove: () => void
}

const BuilderLine = ({ fields, line, onChange, onRemove }: LineProps): ReactElement => {
  const field = fields.find(({ apiId }) => apiId === line.field)
  const isSort = line.kind === "sort"
  return (
    <div className={styles.line}>
      <Select
        label="Rule"
        hideLabel
        value={line.kind}
        choices={kinds}
        onChange={(kind) => onChange(blank(kind, field))}
      />
      <Select
        label="Field"
        hideLabel
        value={line.field}
        choices={fields.map(({ apiId, name }) => ({ value: apiId, label: words(name ?? apiId) }))}
        onChange={(next) =>
          onChange(
            blank(
              line.kind,
              fields.find(({ apiId }) => apiId === next)
            )
          )
        }
      />
      <Select
        label={isSort ? "Direction" : "Comparison"}
        hideLabel
        value={line.op}
        choices={isSort ? directionChoices : operatorChoices}
        onChange={(op) => onChange({ ...line, op })}
      />
      {isSort ? (
        <span />
      ) : field?.type === "BOOLEAN" ? (
        <Select
          label="Value"
          hideLabel
          value={line.value}
          choices={booleans}
          onChange={(value) => onChange({ ...line, value })}
        />
      ) : (
        <TextField
          label="Value"
          hideLabel
          placeholder={field?.type === "NUMERIC" ? "A number" : "A text"}
          type={field?.type === "NUMERIC" ? "number" : "text"}
          value={line.value}
          onChange={(value) => onChange({ ...line, value })}
        />
      )}
      <IconButton icon="close" label="Remove this rule" onClick={onRemove} />
    </div>
  )
}

export interface BuilderProps {
  readonly model: ModelRow
  readonly lang: string
  readonly lines: ReadonlyArray<Line>
  readonly question: Question
  readonly onChange: (lines: ReadonlyArray<Line>) => void
}

export const Builder = ({ lang, lines, model, onChange, question }: BuilderProps): ReactElement => {
  const fields = model.fields ?? []
  const add = (kind: Line["kind"]): void => onChange([...lines, blank(kind, fields[0])])
  return (
    <div className={styles.builder}>
      {lines.map((line, index) => (
        <BuilderLine
          key={index}
          line={line}
          fields={fields}
          onChange={(next) => onChange(lines.map((other, at) => (at === index ? next : other)))}
          onRemove={() => onChange(lines.filter((_, at) => at !== index))}
        />
      ))}
      <div className={layout.row}>
        <Button size="s" icon="plus" onClick={() => add("where")}>
          Add a filter
        </Button>
        <Button size="s" icon="plus" onClick={() => add("sort")}>
          Add a sort
        </Button>
      </div>
      <figure>
        <figcaption className={typography.faint}>The query that is sent</figcaption>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
        <pre className={typography.code} tabIndex={0}>
          {[`GET v3/cms/content/api/${model.apiId}`, ...queryText(question, lang)].join("\n  ")}
        </pre>
      </figure>
    </div>
  )
}
