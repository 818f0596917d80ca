/** The fields of an entry for who may not change it: its texts side by side, then the others. */
import type { ReactElement, ReactNode } from "react"
import { FactList } from "../../design/show.js"
import { fileIdOf, Picture } from "../../frame/pictures.js"
import { AnyValue, isNothing } from "../../frame/values.js"
import type { Entry } from "./data.js"
import { type EntryField, textOf, textsIn } from "./fields.js"
import { type Languages, languageName, translationsOf } from "./languages.js"

const Text = (props: {
  readonly label: string
  readonly lang: string | undefined
  readonly value: unknown
}): ReactElement => {
  const text = textOf(props.value, "text")
  return (
    <div className="pair-side">
      <span className="pair-label">
        {props.label}, {languageName(props.lang)}
      </span>
      {text === "" ? (
        <span className="text-sm text-warn">Missing</span>
      ) : (
        <p className="prose mb-0" lang={props.lang}>
          {text}
        </p>
      )}
    </div>
  )
}

const shownOf = ({ kind, label }: EntryField, value: unknown): ReactNode => {
  const file = kind === "file" ? fileIdOf(value) : undefined
  return file === undefined ? (
    <AnyValue value={value} />
  ) : (
    <Picture id={file} alt={label} className="h-19 w-28" />
  )
}

export const ReadFields = (props: {
  readonly entry: Entry
  readonly fields: ReadonlyArray<EntryField>
  readonly languages: Languages
}): ReactElement => {
  const { entry, fields, languages } = props
  const translations = translationsOf(entry)
  // A visitor's answer has no translations: none is missing in it.
  const others = entry.translations === undefined ? [] : languages.others
  return (
    <div className="pairs">
      {textsIn(fields).map(({ label, name }) => (
        <div key={name} className="pair">
          <Text label={label} lang={languages.source} value={entry[name]} />
          {others.map((code) => (
            <Text key={code} label={label} lang={code} value={translations[code]?.[name]} />
          ))}
        </div>
      ))}
      <FactList
        of={fields
          .filter(({ kind, name }) => kind !== "text" && !isNothing(entry[name]))
          .map((field) => [field.label, shownOf(field, entry[field.name])])}
      />
    </div>
  )
}
