/** The fields of an entry: its texts with all languages side by side, then the others. */
import { type ReactElement, useState } from "react"
import { Segmented, Select } from "../../design/field.js"
import { Control } from "./control.js"
import type { EntryForm } from "./entry-form.js"
import { type EntryField, nameIn, textsIn } from "./fields.js"
import { type Languages, languageName } from "./languages.js"
import { TextPair } from "./text-pair.js"
import type { useTranslation } from "./translation.js"

const sides = ["both", "source", "translation"] as const

/** The heads of the two columns; with three languages or more, the right one chooses. */
const Heads = (props: {
  readonly languages: Languages
  readonly other: string
  readonly onOther: (code: string) => void
}): ReactElement => {
  const { languages, onOther, other } = props
  const { others, source } = languages
  return (
    <div className="pair-heads">
      <span>{languageName(source)}</span>
      {others.length > 1 ? (
        <Select
          label="Second language"
          hideLabel
          value={other}
          choices={others.map((value) => ({ value, label: languageName(value) }))}
          onChange={onOther}
        />
      ) : (
        <span>{languageName(other)}</span>
      )}
    </div>
  )
}

export const FieldsForm = (props: {
  readonly form: EntryForm
  readonly fields: ReadonlyArray<EntryField>
  readonly languages: Languages
  readonly other: string | undefined
  readonly onOther: (code: string) => void
  /** What translates; nothing where the role may not. */
  readonly translation: ReturnType<typeof useTranslation>
  readonly canTranslate: boolean
}): ReactElement => {
  const { canTranslate, fields, form, languages, onOther, other, translation } = props
  const [side, setSide] = useState<(typeof sides)[number]>("both")
  const texts = textsIn(fields)
  return (
    <div className="pairs" data-shown={side}>
      {other !== undefined && texts.length > 0 && (
        <>
          <Heads languages={languages} other={other} onOther={onOther} />
          <div className="@lg:hidden">
            <Segmented
              label="Languages"
              value={side}
              choices={[
                { value: "both", label: "Both" },
                { value: "source", label: languageName(languages.source) },
                { value: "translation", label: languageName(other) }
              ]}
              onChange={setSide}
            />
          </div>
        </>
      )}
      {texts.map((field, place) => {
        const own = other === undefined ? field.name : nameIn(other, field.name)
        return (
          <TextPair
            key={own}
            form={form}
            field={field}
            source={languages.source}
            other={other}
            isTitle={place === 0}
            isTranslated={translation.unread.includes(own)}
            onRead={() => translation.read(own)}
            onTranslate={
              canTranslate && other !== undefined ? () => translation.one(field, other) : undefined
            }
            busy={translation.busy.includes(own)}
          />
        )
      })}
      {fields
        .filter(({ kind }) => kind !== "text")
        .map((field) => (
          <Control key={field.name} of={field} state={form.field(field.name)} />
        ))}
    </div>
  )
}
