/**
 * A form made from schemas: a control for each field by its type, checked in place, with a JSON editor for what has no
 * type. An object whose fields are known gets a control for each of them, and an editor for the others if it is open.
 */

import { InputError, isSecretData } from "@quartet/sdk/extend"
import { isRecord } from "effect/Predicate"
import * as AST from "effect/SchemaAST"
import { type ReactElement, useState } from "react"
import { DateField, MomentField } from "../design/date.js"
import { FileField, NumberField, Select, TextArea, TextField } from "../design/field.js"
import { words } from "../design/show.js"
import { bare, type Control, controlsOf, fromText, notJson, type Shape, toText } from "./controls.js"
import { type Changing, type FieldState, useForm } from "./form.js"
import { versioned } from "./versions.js"

type Values = Readonly<Record<string, unknown>>

/** What shows a choice. */
export interface ChoiceProps extends FieldState<string> {
  readonly label: string
  readonly required: boolean
  readonly isMany: boolean
}

/** A row without its secrets: they are not to be seen, and nobody has to send them to change the rest. */
const openOf = (row: unknown): unknown =>
  isRecord(row) ? Object.fromEntries(Object.entries(row).filter(([name]) => !isSecretData(name))) : row

const merged = "A JSON object. Fields you remove are set to null: the platform keeps what is not sent."

/** What an object has otherwise than it began with; what was taken out is null, as what was emptied. */
const changesOf = (before: Values, value: Values): Values =>
  Object.fromEntries(
    Object.keys({ ...before, ...value }).flatMap((name) =>
      JSON.stringify(before[name]) === JSON.stringify(value[name]) ? [] : [[name, value[name] ?? null]]
    )
  )

const at = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, name) => Object(inner)[name], value)

/** Whether there is anything at a path. */
const isIn = (value: unknown, path: ReadonlyArray<string>): boolean =>
  Object.hasOwn(Object(at(value, path.slice(0, -1))), path.at(-1) ?? "")

const objectOf = (value: unknown): Values => {
  if (!isRecord(value)) throw new TypeError("not an object")
  return value
}

/** What a text says: an emptied one is null, and an emptied list has no items. Text that is no JSON throws. */
const inputOf = (text: string, kind: Control["kind"]): unknown =>
  text.trim() === "" && kind !== "list" ? null : fromText(text, kind)

/** An object with a value at a path. */
const put = (into: unknown, [name, ...inner]: ReadonlyArray<string>, value: unknown): Values =>
  name === undefined
    ? { ...Object(into), ...Object(value) }
    : { ...Object(into), [name]: inner.length === 0 ? value : put(Object(into)[name], inner, value) }

export interface SchemaFormOptions {
  readonly fields: ReadonlyArray<Shape>
  /** What is sent too, and has no control. */
  readonly fixedInput?: Values | undefined
  /** The values that the form starts with. */
  readonly initial?: Values | undefined
  /**
   * Reads once more what the form changes, as it is now. Then a body leaves out what is as it was, and what was emptied is
   * null; where it takes a version, it has the one that was read.
   */
  readonly present?: Changing<string, Values>["read"] | undefined
  /** By what name to keep what is typed and not sent. */
  readonly draft?: string | undefined
  /** What chooses a field's value from what there is; undefined where it is typed. */
  readonly choose?: ((name: string, props: ChoiceProps) => ReactElement | undefined) | undefined
  readonly submit: (input: Values) => ReturnType<Parameters<typeof useForm>[1]>
  readonly onSuccess?: (() => void) | undefined
}

/** A form for an input, its controls, and the input as far as it is filled in: a page shows them as it likes. */
export const useSchemaForm = (options: SchemaFormOptions) => {
  const { choose, draft, fields, fixedInput = {}, initial = {}, onSuccess, present, submit } = options
  const allControls = [
    ...fields.flatMap(({ name, ...of }) =>
      controlsOf([name], of).filter(({ isRest, path }) => isRest === true || !isIn(fixedInput, path))
    )
  ]
  const version =
    present && allControls.find(({ name, title }) => name === "payload.version" && title === undefined)
  const all = allControls.filter((control) => control !== version)
  /** All of a row of which no field is known. */
  const whole =
    present && all.find(({ isRest, kind, path }) => kind === "json" && path.length === 1 && !isRest)
  const [files, setFiles] = useState<Readonly<Record<string, File>>>({})
  const textsOf = (of: Values): Readonly<Record<string, string>> => ({
    ...Object.fromEntries(
      all.map((control) => {
        const value = at(of, control.path)
        return [
          control.name,
          control.isRest === true ? "" : toText(control === whole ? openOf(value) : value, control.kind)
        ]
      })
    ),
    ...(present &&
      versioned(version === undefined ? { updatedAt: at(of, ["payload", "updatedAt"]) } : Object(of.payload)))
  })
  const before = textsOf(initial)
  /** The input, and what is wrong with the texts that are none of their control's kind. */
  const read = (
    texts: typeof before,
    begun = before,
    row: unknown = initial.payload
  ): readonly [Values, ReadonlyArray<InputError>] => {
    const bodies = fields.filter(({ ast, isRequired }) => isRequired && AST.isTypeLiteral(bare(ast)))
    let input: Values = { ...Object.fromEntries(bodies.map(({ name }) => [name, {}])), ...fixedInput }
    const wrong: Array<InputError> = []
    for (const control of all) {
      const { isRest, kind, name, path } = control
      const text = texts[name] ?? ""
      const isSame = present !== undefined && path.length > 1 && text === begun[name]
      if (isSame || (text.trim() === "" && begun[name] === "")) continue
      const object = path.slice(0, 2)
      // The platform keeps of an object what is sent: the rest of it goes along.
      if (present && path.length > (isRest ? 1 : 2) && at(input, object) === undefined)
        input = put(input, object, at({ payload: row }, object))
      try {
        const value = kind === "file" ? files[name] : inputOf(text, kind)
        if (isRest === true) input = put(input, path, { ...Object(at(input, path)), ...objectOf(value) })
        else if (control === whole)
          input = put(input, path, changesOf(JSON.parse(begun[name] || "{}"), objectOf(value)))
        else input = put(input, path, value)
      } catch (cause) {
        const rule = cause instanceof SyntaxError ? notJson(cause) : "must be an object in JSON"
        wrong.push(new InputError({ operation: "form", field: name, rule }))
      }
    }
    return [input, wrong]
  }
  const form = useForm<string, Values>(
    before,
    (texts, begun, row) => {
      const [input, [wrong]] = read(texts, begun, row)
      const takesVersion = row?.version !== undefined && version !== undefined
      return wrong === undefined
        ? submit(takesVersion ? put(input, ["payload", "version"], row.version) : input)
        : Promise.resolve({ status: "error", error: wrong })
    },
    onSuccess,
    draft,
    present && {
      read: present,
      textsOf: (payload) => textsOf({ payload }),
      labelOf: (name) => all.flatMap((control) => (control.name === name ? labelOf(control) : [])).join()
    }
  )
  const onFile = (name: string) => (file: File) => setFiles((before) => ({ ...before, [name]: file }))
  const [input, wrong] = read(form.values)
  return {
    form,
    input,
    /** Whether every text has a value. */
    isReadable: wrong.length === 0,
    controls: all.map((control) => (
      <Input
        key={control.name}
        of={control === whole ? { ...control, hint: merged } : control}
        choose={choose}
        {...form.field(control.name)}
        // What the form began with decides: a field stays of one kind while it is typed in.
        isLong={/\n|.{61}/.test(before[control.name] ?? "")}
        onFile={onFile(control.name)}
      />
    ))
  }
}

const labelOf = ({ path, title = words(path.at(-1) ?? "") }: Control): string => title

const Input = ({
  choose,
  isLong,
  of,
  onFile,
  ...field
}: Pick<SchemaFormOptions, "choose"> & {
  readonly of: Control
  readonly isLong: boolean
  readonly onFile: (file: File) => void
} & FieldState<string>): ReactElement => {
  const { choices, hint, isRequired, kind, path } = of
  const name = path.at(-1) ?? ""
  const props = { label: labelOf(of), required: isRequired, marksRequired: isRequired, ...field }
  const chosen = /text|list/.test(kind) ? choose?.(name, { ...props, isMany: kind === "list" }) : undefined
  if (chosen !== undefined) return chosen
  const shown = hint === "" ? props : { ...props, hint }
  if (choices.length > 0) return <Select {...shown} choices={[{ value: "", label: "—" }, ...choices]} />
  if (kind === "json") return <TextArea {...shown} code />
  if (kind === "text" && isLong && !isSecretData(name)) return <TextArea {...shown} />
  if (kind === "file")
    return (
      <FileField
        {...shown}
        onFiles={([file]) => {
          if (file === undefined) return
          onFile(file)
          field.onChange(file.name)
        }}
      />
    )
  if (isSecretData(name)) return <TextField {...shown} type="password" autoComplete="new-password" />
  if (kind === "number") return <NumberField {...shown} />
  if (kind === "date") return <DateField {...shown} />
  if (kind === "moment") return <MomentField {...shown} />
  return <TextField {...shown} type={kind === "text" && /^email$/i.test(name) ? "email" : "text"} />
}
