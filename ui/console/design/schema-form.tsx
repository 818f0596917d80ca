/**
 * A form made from schemas: a control for each field by its type, checked in place, with a JSON editor for what has no
 * type. A body whose fields are partly known gets a control for each of them, and an editor for the others.
 */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { type ReactElement, useState } from "react"
import { isDateTime } from "../../../core/kernel/codec/dates.js"
import { InputError } from "../../../core/kernel/errors/errors.js"
import { Field, Select, TextArea, TextField } from "./field.js"
import { type FieldState, type FormState, useForm } from "./form.js"
import { words } from "./show.js"

type Values = Readonly<Record<string, unknown>>
type Kind = "text" | "number" | "flag" | "date" | "choice" | "list" | "file" | "json"

/** A field of an input. */
export interface Shape {
  readonly name: string
  readonly ast: AST.AST
  readonly isRequired: boolean
  /** What is known of its own fields. */
  readonly known?: ReadonlyArray<AST.PropertySignature>
}

/** One control, and where its value stands in the input. */
interface Control {
  readonly name: string
  readonly path: ReadonlyArray<string>
  readonly kind: Kind
  readonly isRequired: boolean
  readonly hint: string
  readonly choices: ReadonlyArray<string>
  /** Its object is spread into the place: the further fields of an open one. */
  readonly isRest?: boolean
}

/** The node inside of filters, and of what makes a field optional. */
const bare = (ast: AST.AST): AST.AST => {
  if (AST.isRefinement(ast)) return bare(ast.from)
  if (!AST.isUnion(ast)) return ast
  const [first, ...more] = ast.types.filter((type) => !AST.isUndefinedKeyword(type) && type !== AST.null)
  return first === undefined || more.length > 0 ? ast : bare(first)
}

const describedBy = (ast: AST.AST): string => Option.getOrElse(AST.getDescriptionAnnotation(ast), () => "")

const kindOf = (given: AST.AST): Kind => {
  const ast = bare(given)
  const description = describedBy(ast)
  if (isDateTime(ast) || /ISO 8601/.test(description)) return "date"
  if (AST.isStringKeyword(ast)) return "text"
  if (AST.isNumberKeyword(ast)) return "number"
  if (AST.isBooleanKeyword(ast)) return "flag"
  if (AST.isUnion(ast) && ast.types.every(AST.isLiteral)) return "choice"
  if (AST.isDeclaration(ast) && /^a File\b/.test(description)) return "file"
  const [item] = AST.isTupleType(ast) ? ast.rest : []
  return item !== undefined && kindOf(item.type) === "text" ? "list" : "json"
}

const control = (path: ReadonlyArray<string>, ast: AST.AST, isRequired: boolean): Control => {
  const kind = kindOf(ast)
  const inner = bare(ast)
  const item = AST.isTupleType(inner) ? inner.rest[0]?.type : undefined
  const words = describedBy(item ?? inner)
  return {
    name: path.join("."),
    path,
    kind,
    isRequired,
    hint: [kind === "list" ? "Several, with commas between them." : "", /such as .*/.exec(words)?.[0] ?? ""]
      .join(" ")
      .trim()
      .replace(/^such/, "Such"),
    choices: AST.isUnion(inner)
      ? inner.types.flatMap((type) => (AST.isLiteral(type) ? String(type.literal) : []))
      : []
  }
}

const rest = (path: ReadonlyArray<string>): Control => ({
  ...control([...path, "*"], AST.unknownKeyword, false),
  path,
  isRest: true,
  hint: "An object in JSON: whatever else the platform takes."
})

const controlsOf = (shapes: ReadonlyArray<Shape>, isOpen: boolean): ReadonlyArray<Control> => [
  ...shapes.flatMap(({ ast, isRequired, known = [], name }) => {
    if (known.length === 0) return control([name], ast, isRequired)
    const own = known.map((field) => control([name, String(field.name)], field.type, false))
    return [...own, rest([name])]
  }),
  ...(isOpen ? [rest([])] : [])
]

/** A value as the text of its control. */
const toText = (value: unknown, kind: Kind): string => {
  if (value === undefined || value === null || kind === "file") return ""
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  if (kind === "list" && Array.isArray(value)) return value.join(", ")
  return typeof value === "object" || kind === "json" ? JSON.stringify(value, null, 2) : String(value)
}

/** The text of a control as its value. Text that is no JSON throws. */
const fromText = (text: string, kind: Kind): unknown => {
  if (kind === "number") return Number(text)
  if (kind === "flag") return text === "true"
  if (kind === "date") return new Date(`${text}T00:00:00.000Z`)
  if (kind === "list") return text.split(",").map((item) => item.trim())
  return kind === "json" ? JSON.parse(text) : text
}

const at = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Values | undefined)?.[name], value)

export interface SchemaFormOptions {
  readonly fields: ReadonlyArray<Shape>
  /** Whether any further fields are taken. */
  readonly isOpen?: boolean
  /** The values that the form starts with. */
  readonly initial?: Values
  /** Leaves out what is as it was; what was emptied becomes null. */
  readonly changesOnly?: boolean
  readonly submit: Parameters<typeof useForm>[1] extends (values: never) => infer Ended
    ? (input: Values) => Ended
    : never
  readonly onSuccess?: () => void
}

export interface SchemaForm {
  readonly form: FormState<string>
  /** The input as far as the form is filled in. */
  readonly input: Values
  readonly controls: ReadonlyArray<ReactElement>
}

/** A form for an input; its parts are given back, so that a page shows them as it likes. */
export const useSchemaForm = (options: SchemaFormOptions): SchemaForm => {
  const { changesOnly = false, fields, initial = {}, isOpen = false, onSuccess, submit } = options
  const all = controlsOf(fields, isOpen)
  const [files, setFiles] = useState<Readonly<Record<string, File>>>({})
  const before = Object.fromEntries(
    all.map(({ isRest, kind, name, path }) => [name, isRest === true ? "" : toText(at(initial, path), kind)])
  )
  /** The input, and the controls whose text is none of their kind. */
  const read = (texts: Readonly<Record<string, string>>): readonly [Values, ReadonlyArray<string>] => {
    const input: Record<string, unknown> = {}
    const wrong: Array<string> = []
    const put = (path: ReadonlyArray<string>, value: unknown): void => {
      const [name = "", ...inner] = path
      if (inner.length === 0) input[name] = value
      else input[name] = { ...Object(input[name]), [inner[0] ?? ""]: value }
    }
    for (const { isRequired, known = [], name } of fields)
      if (isRequired && known.length > 0) input[name] = {}
    for (const { isRest, kind, name, path } of all) {
      const text = texts[name] ?? ""
      const isSame = changesOnly && path.length > 1 && text === before[name]
      if (isSame || (text.trim() === "" && before[name] === "")) continue
      try {
        const value = kind === "file" ? files[name] : text.trim() === "" ? null : fromText(text, kind)
        if (isRest !== true) put(path, value)
        else for (const [key, field] of Object.entries(Object(value))) put([...path, key], field)
      } catch {
        wrong.push(name)
      }
    }
    return [input, wrong]
  }
  const form = useForm<string>(
    before,
    (texts) => {
      const [input, [wrong]] = read(texts)
      return wrong === undefined
        ? submit(input)
        : Promise.resolve({
            status: "error",
            error: new InputError({ operation: "form", field: wrong, rule: "is not valid JSON" })
          })
    },
    onSuccess
  )
  return {
    form,
    input: read(form.values)[0],
    controls: all.map((one) => (
      <Input
        key={one.name}
        of={one}
        {...form.field(one.name)}
        onFile={(file) => setFiles((given) => ({ ...given, [one.name]: file }))}
      />
    ))
  }
}

const labelOf = ({ isRest, path }: Control): string =>
  isRest === true ? "Further fields" : words(path.at(-1) ?? "")

const Input = ({
  of,
  onFile,
  ...field
}: { readonly of: Control; readonly onFile: (file: File) => void } & FieldState<string>): ReactElement => {
  const { choices, hint, isRequired, kind } = of
  const shown = { label: labelOf(of), ...field, ...(hint === "" ? {} : { hint }) }
  if (kind === "flag" || kind === "choice") {
    const all = kind === "flag" ? ["true", "false"] : choices
    return (
      <Select
        {...shown}
        choices={[
          { value: "", label: "—" },
          ...all.map((value) => ({
            value,
            label: kind === "flag" ? (value === "true" ? "Yes" : "No") : words(value)
          }))
        ]}
      />
    )
  }
  if (kind === "json") return <TextArea {...shown} code />
  if (kind === "file")
    return (
      <Field {...shown}>
        {(tied) => (
          <input
            {...tied}
            type="file"
            required={isRequired}
            onChange={(event) => {
              const file = event.target.files?.[0]
              if (file === undefined) return
              onFile(file)
              field.onChange(file.name)
            }}
          />
        )}
      </Field>
    )
  const type = kind === "number" || kind === "date" ? kind : "text"
  return <TextField {...shown} type={type} required={isRequired} />
}
