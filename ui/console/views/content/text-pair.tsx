/** A text in the language that it is written in, and beside it in another. */
import { type ReactElement, type ReactNode, useId } from "react"
import type { FieldState } from "../../data/form.js"
import { Button } from "../../design/button.js"
import { Badge } from "../../design/show.js"
import type { EntryForm } from "./entry-form.js"
import { type EntryField, nameIn } from "./fields.js"
import { languageName } from "./languages.js"

/** Texts from this length on, or with a break, have room for two lines. */
const long = 70

const isLong = (text: string): boolean => text.length > long || text.includes("\n")

/** What a field has for its text, whatever language it is in. */
interface TextBoxProps {
  readonly field: FieldState<string>
  readonly label: string
  readonly lang: string | undefined
  readonly isLong: boolean
  readonly isTitle: boolean
  /** Whether it stands beside the source. */
  readonly isBeside?: boolean
  readonly isTranslated?: boolean
  readonly placeholder?: string | undefined
  /** The line above it. */
  readonly head: (id: string) => ReactNode
}

const TextBox = (props: TextBoxProps): ReactElement => {
  const { field, head, isTitle, isTranslated = false, label, lang, placeholder } = props
  const id = useId()
  return (
    <div className="pair-side">
      <textarea
        id={id}
        name={field.name}
        rows={1}
        lang={lang}
        aria-label={label}
        aria-invalid={field.problem !== undefined || undefined}
        aria-describedby={field.problem && `${id}-problem`}
        className="text-box"
        data-long={props.isLong || undefined}
        data-beside={props.isBeside || undefined}
        data-translated={isTranslated || undefined}
        placeholder={placeholder}
        value={field.value}
        onChange={(event) => field.onChange(event.target.value)}
        // Tab leads to what one writes on, not before it.
        onFocus={({ currentTarget: box }) =>
          box.selectionEnd === 0 && box.setSelectionRange(box.value.length, box.value.length)
        }
        onKeyDown={(event) => {
          // A title has one line.
          if (isTitle && event.key === "Enter" && !event.nativeEvent.isComposing) event.preventDefault()
        }}
      />
      {field.problem !== undefined && (
        <p id={`${id}-problem`} className="text-xs text-bad" role="alert">
          {field.problem}
        </p>
      )}
      {/* Tab leads from text to text; what stands above it comes after. */}
      {head(id)}
    </div>
  )
}

export const TextPair = (props: {
  readonly form: EntryForm
  readonly field: EntryField
  /** The language that it is written in, and the one beside it, if there is another. */
  readonly source: string | undefined
  readonly other: string | undefined
  readonly isTitle: boolean
  /** Whether the translation was made by the platform, and not read yet. */
  readonly isTranslated: boolean
  readonly onRead: () => void
  /** Translates it; nothing where the role may not. */
  readonly onTranslate: (() => void) | undefined
  readonly busy: boolean
}): ReactElement => {
  const { busy, field, form, isTitle, isTranslated, onRead, onTranslate, other } = props
  const { label, name } = field
  const source = form.field(name)
  const target = other === undefined ? undefined : form.field(nameIn(other, name))
  const shared = { isTitle, isLong: !isTitle && (isLong(source.value) || isLong(target?.value ?? "")) }
  const nameOf = (code: string | undefined): string => `${label}, ${languageName(code)}`
  const shownLabel = (id: string, code: string | undefined): ReactElement => (
    <label htmlFor={id}>
      {label}
      <span className="@lg:hidden">, {languageName(code)}</span>
    </label>
  )
  return (
    <div className="pair">
      <TextBox
        {...shared}
        field={source}
        label={nameOf(props.source)}
        lang={props.source}
        head={(id) => <div className="pair-label">{shownLabel(id, props.source)}</div>}
      />
      {target === undefined ? (
        <span />
      ) : (
        <TextBox
          {...shared}
          field={{
            ...target,
            onChange: (text) => {
              onRead()
              target.onChange(text)
            }
          }}
          label={nameOf(other)}
          lang={other}
          isBeside
          isTranslated={isTranslated}
          placeholder={source.value || undefined}
          head={(id) => (
            <div className="pair-label">
              <span className="@lg:hidden">{shownLabel(id, other)}</span>
              {isTranslated ? (
                <Badge tone="warn">Translated, please check</Badge>
              ) : target.value === "" && source.value !== "" ? (
                <Badge tone="warn">Missing</Badge>
              ) : null}
              <span className="flex-1" />
              {onTranslate && source.value !== "" && (
                <Button
                  size="s"
                  kind="ghost"
                  busy={busy}
                  aria-label={`Translate ${label} to ${languageName(other)}`}
                  onClick={onTranslate}
                >
                  Translate
                </Button>
              )}
            </div>
          )}
        />
      )}
    </div>
  )
}
