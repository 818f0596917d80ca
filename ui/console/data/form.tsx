/** Forms: the values of their fields, the problem of each, and whether they are being sent. */

import { isCallError } from "@quartet/sdk/extend"
import * as Data from "effect/Data"
import { type FormEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from "react"
import * as Drafts from "../app/drafts.js"
import { adviceOf, explain } from "../app/explain.js"
import { settle, warn } from "../app/toasts.js"
import { Button } from "../design/button.js"
import { ask } from "../design/dialog.js"
import { Note } from "../design/state.js"
import { between, differences, isSame } from "./versions.js"

type Texts<N extends string> = Readonly<Record<N, string>>

/** How a submission ended: a mutation's outcome. */
export interface Ended {
  readonly status: string
  readonly error?: unknown
  /** Whether a failure is shown by whoever submitted it. */
  readonly isShown?: boolean
}

/** Undefined where nothing came of it. */
type Submitted = Promise<Ended | undefined> | undefined

/** A form that changes what others may change, too. */
export interface Changing<N extends string, A> {
  /** Reads it once more, now. */
  readonly read: () => Promise<Ended & { readonly data?: A | undefined }>
  /** What the fields of the form would begin with now. */
  readonly textsOf: (present: A) => Texts<N>
  readonly labelOf: (name: string) => string
  /** What a text of a field says to a person; itself without one. */
  readonly shownOf?: (name: string, text: string) => string
}

/** The properties of a field. */
export interface FieldState<N extends string> {
  readonly name: N
  readonly value: string
  readonly problem: string | undefined
  readonly onChange: (value: string) => void
}

/** What is wrong with a field, in the words of the form itself. */
export class FieldProblem extends Data.TaggedError("FieldProblem")<{
  readonly field: string
  readonly problem: string
}> {}

/** The field that a failed call names, and what is wrong with it: the operation's schema checks what is sent. */
const problemOf = (error: unknown): readonly [path: string, problem: string] | undefined => {
  if (error instanceof FieldProblem) return [error.field, error.problem]
  if (!isCallError(error)) return undefined
  if (error._tag === "InputError") return [error.field, adviceOf(error.rule)]
  return error._tag === "Rejected" && error.field !== undefined
    ? [error.field, explain(error).advice]
    : undefined
}

/** What is being sent, by the name of its draft: a form that is opened again meanwhile waits for it. */
const underWay = new Map<
  string,
  { readonly sent: Texts<string>; readonly ended: Promise<Ended | undefined> }
>()

/** What was written of a text after it was sent. */
const laterIn = (text: string, sent: string): string =>
  text.startsWith(sent) ? text.slice(sent.length).trimStart() : text

/** Whether a field breaks one of its own constraints; blanks do not fill in a required one, except as a password. */
const isInvalid = ({ required, type, validity, value }: HTMLInputElement): boolean =>
  !validity.valid || (required && type !== "password" && value.trim() === "")

/**
 * A form whose fields start with `initial`. `submit` runs once all fields keep their own constraints (`required`,
 * `type`, `min`). Where its outcome is an error that names a field, by the field's name or a path of which one ends in the other, the
 * problem stands beside that field, which takes the focus; any other error, also one that `submit` throws, is shown as a toast.
 * A form with `onSuccess` takes nothing more while it is sent. With the name of a `draft`, what is typed outlives the form, until it is
 * sent or given up. Where it is `changing` something that is not any more what the form, or its draft, began with, both versions are
 * shown before it is sent.
 * `submit` is given what the form began with, too, and what was read last.
 */
export const useForm = <N extends string, A = unknown>(
  initial: Texts<N>,
  submit: (values: Texts<N>, begun: Texts<N>, present: A | undefined) => Submitted,
  onSuccess?: () => void,
  draft?: string,
  changing?: Changing<N, A>
) => {
  const [restored, setRestored] = useState(() =>
    draft === undefined ? undefined : Drafts.load(draft, initial)
  )
  const [begun, setBegun] = useState(restored?.begun ?? initial)
  const [values, setValues] = useState(restored?.texts ?? initial)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [former] = useState(() => underWay.get(draft ?? ""))
  const [busy, setBusy] = useState(former !== undefined)
  // State alone is a render late: two submissions may come before it.
  const isSending = useRef(former !== undefined)
  /** The title of the latest failure, which a new attempt takes away. */
  const failure = useRef("")
  useEffect(() => {
    if (draft !== undefined) Drafts.keep(draft, values, begun)
  }, [draft, values, begun])
  /** Forgets what was sent; what was typed since then stays. */
  const forget = (sent: Texts<string>): void => {
    setRestored(undefined)
    setValues((before) => {
      const later = Object.entries<string>(before).map(([name, text]) => {
        const written = laterIn(text, sent[name] ?? "")
        return [name, written === "" ? begun[name as N] : written]
      })
      return Object.fromEntries(later) as Texts<N>
    })
  }
  useEffect(() => {
    void former?.ended.then((ended) => {
      isSending.current = false
      setBusy(false)
      if (ended?.status === "success") forget(former.sent)
    })
  }, [])
  const save = async (): Promise<Ended | undefined> => {
    const { data, ...ended } = (await changing?.read()) ?? { status: "success" }
    if (ended.status !== "success") return ended
    const presentTexts = data === undefined ? undefined : changing?.textsOf(data)
    if (changing !== undefined && presentTexts !== undefined && !isSame(begun, presentTexts, values)) {
      const rows = differences(begun, presentTexts, values, changing)
      if (!(await ask(between(rows, { decline: "Keep editing", action: "Save yours" })))) return undefined
    }
    return submit(values, begun, data)
  }
  const send = async (form: HTMLFormElement): Promise<void> => {
    const refuse = (fieldProblems: ReadonlyArray<readonly [name: string, problem: string]>): void => {
      setProblems(Object.fromEntries(fieldProblems))
      const first = form.elements.namedItem(fieldProblems[0]?.[0] ?? "")
      if (first instanceof HTMLElement) first.focus()
    }
    const invalid = [...form.querySelectorAll<HTMLInputElement>("[name]")].filter(isInvalid)
    refuse(invalid.map(({ name, validationMessage }) => [name, validationMessage || adviceOf("is required")]))
    if (isSending.current || invalid.length > 0) return
    isSending.current = true
    const to = window.location.pathname
    settle(failure.current)
    setBusy(true)
    const sending = save().catch((error: unknown): Ended => ({ status: "error", error }))
    if (draft !== undefined) underWay.set(draft, { sent: values, ended: sending })
    const ended = await sending
    if (draft !== undefined) underWay.delete(draft)
    isSending.current = false
    setBusy(false)
    if (ended?.status === "success") {
      if (draft !== undefined) Drafts.drop(draft, values)
      setRestored(undefined)
      onSuccess?.()
    }
    if (ended?.status !== "error") return
    const [path = "", problem = ""] = problemOf(ended.error) ?? []
    const isNamed = (field: string): boolean => `.${path}`.endsWith(`.${field}`) || field.endsWith(`.${path}`)
    const name = Object.hasOwn(values, path) ? path : Object.keys(values).find(isNamed)
    if (name !== undefined && form.isConnected) refuse([[name, problem]])
    else if (!(ended.isShown && form.isConnected)) {
      const { doing: what } = form.dataset
      failure.current = warn(ended.error, what ? { what, to, isAway: !form.isConnected } : undefined)
    }
  }
  const set = (changes: Partial<Texts<N>>): void => {
    // A form that closes would take along what is typed while it is sent.
    if (isSending.current && onSuccess !== undefined) return
    setValues((before) => ({ ...before, ...changes }))
  }
  return {
    values,
    set,
    field: (name: N): FieldState<N> => ({
      name,
      value: values[name],
      problem: problems[name],
      // What was wrong with the former text says nothing of the present one.
      onChange: (value) => {
        set({ [name]: value } as Partial<Texts<N>>)
        setProblems(({ [name]: _former, ...others }) => others)
      }
    }),
    busy,
    isRestored: restored !== undefined && !busy,
    /** Whether it holds anything else than what it began with. */
    isChanged: Object.keys(values).some((name) => values[name as N] !== begun[name as N]),
    /** Begins again with what is stored now: what was typed since `sent` stays. */
    rebase: (stored: Texts<N>, sent: Texts<N>) => {
      setRestored(undefined)
      setBegun(stored)
      setValues((before) => {
        const later = Object.entries<string>(before).filter(([name, text]) => text !== sent[name as N])
        return { ...stored, ...Object.fromEntries(later) }
      })
    },
    begun,
    forget,
    /** Gives the draft up: the fields hold again what they would have begun with. */
    discard: () => {
      setRestored(undefined)
      setBegun(initial)
      setValues(initial)
    },
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      void send(event.currentTarget)
    }
  }
}

/** A form of one text, which is empty again once it is sent, but for what was written meanwhile. A blank one is not sent. */
export const useText = (draft: string, send: (text: string) => Submitted) => {
  const form = useForm(
    { text: "" },
    async (sent) => {
      const text = sent.text.trim()
      const ended = text === "" ? undefined : await send(text)
      if (ended?.status === "success") form.forget(sent)
      return ended
    },
    undefined,
    draft
  )
  return form
}

/** The element of a form. Its fields are stacked, unless a class changes that. */
export const Form = (props: {
  readonly of: Pick<ReturnType<typeof useForm<string>>, "onSubmit" | "isRestored" | "discard">
  /** What sending it does, such as "Save Ana Beridze": said of a failure that does not stand beside it. */
  readonly doing?: string | undefined
  readonly className?: string | undefined
  readonly children: ReactNode
}): ReactElement => (
  <form
    className={props.className ?? "grid max-w-160 gap-3.5 [&>button]:justify-self-start"}
    noValidate
    data-doing={props.doing}
    onSubmit={props.of.onSubmit}
  >
    {props.of.isRestored && (
      <Note>
        You have an unsent draft.{" "}
        <Button size="s" onClick={props.of.discard}>
          Discard draft
        </Button>
      </Note>
    )}
    {props.children}
  </form>
)
