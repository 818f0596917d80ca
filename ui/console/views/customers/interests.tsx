/** What a customer is interested in: words of the project, chosen among those of others or written anew. */
import { type KeyboardEvent, type ReactElement, useState } from "react"
import { Button } from "../../design/button.js"
import { TextField } from "../../design/field.js"

/** The interests in the text of a form, one a line. */
export const interestsIn = (text: string): ReadonlyArray<string> => text.split("\n").filter(Boolean)

export const Interests = (props: {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Those of other customers. */
  readonly known: ReadonlyArray<string>
}): ReactElement => {
  const { known, onChange, value } = props
  const [text, setText] = useState("")
  const chosen = interestsIn(value)
  const set = (next: ReadonlyArray<string>): void => onChange([...new Set(next)].join("\n"))
  const add = (): void => {
    if (text.trim() !== "") set([...chosen, text.trim()])
    setText("")
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return
    event.preventDefault()
    add()
  }
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">Interests</legend>
      <div className="row gap-1.5!">
        {[...new Set([...known, ...chosen])].map((word) => {
          const isChosen = chosen.includes(word)
          return (
            <Button
              key={word}
              size="s"
              kind="chip"
              aria-pressed={isChosen}
              onClick={() => set(isChosen ? chosen.filter((other) => other !== word) : [...chosen, word])}
            >
              {word}
            </Button>
          )
        })}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter in the field within it adds what it holds. */}
      <div className="flex items-end gap-2" onKeyDown={onKeyDown}>
        <div className="min-w-0 flex-1">
          <TextField
            label="Another interest"
            hideLabel
            placeholder="Another interest"
            value={text}
            onChange={setText}
          />
        </div>
        <Button disabled={text.trim() === ""} onClick={add}>
          Add
        </Button>
      </div>
    </fieldset>
  )
}
