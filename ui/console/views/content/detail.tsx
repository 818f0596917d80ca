/** One entry: its fields in all languages, whether it is published, and one Save for all of it. */

import { useQuery, useSession } from "@quartet/react"
import { type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from "react"
import { useCommands } from "../../app/commands.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { ModelRow } from "../../app/rows.js"
import { warn } from "../../app/toasts.js"
import { Button } from "../../design/button.js"
import { keyName } from "../../design/keys.js"
import { MenuButton } from "../../design/menu.js"
import { Badge, Kbd, When } from "../../design/show.js"
import { Note } from "../../design/state.js"
import { Detail, Part, PartLink, Thing } from "../../frame/detail.js"
import { More } from "../../frame/more.js"
import { fileIdOf } from "../../frame/pictures.js"
import { asVisitor, byId, can, type Entry } from "./data.js"
import { draftOf, type EntryForm, useEntryChange, useEntryForm } from "./entry-form.js"
import { type EntryField, fieldsOf, nameIn, stamps, titleOf } from "./fields.js"
import { FieldsForm } from "./fields-form.js"
import type { Languages } from "./languages.js"
import { isPublished, type Publishing, stateOf } from "./publishing.js"
import { ReadFields } from "./read-fields.js"
import { missingIn, useTranslation } from "./translation.js"

interface EntryProps {
  readonly model: ModelRow
  readonly languages: Languages
  readonly publishing: Publishing | undefined
  readonly onCreated: (entry: Entry) => void
  readonly onDelete: (entry: Entry) => void
  /** Moves the entry in the order of its model; nothing where the list has another one. */
  readonly onMove: ((entry: Entry, step: 1 | -1) => void) | undefined
}

/** Whether anything is not saved, and what saves it. */
const SaveBar = (props: {
  readonly form: EntryForm
  readonly formId: string
  readonly isNew: boolean
  readonly savedAt: unknown
}): ReactElement => {
  const { form, formId, isNew, savedAt } = props
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="quiet" role="status">
        {form.isChanged ? "Not saved. The draft is kept in this tab." : null}
        {!form.isChanged && (form.undo !== undefined || savedAt instanceof Date) && (
          <>Saved {savedAt instanceof Date && <When date={savedAt} />}</>
        )}
      </span>
      {form.undo && (
        <Button size="s" keys="u" onClick={form.undo}>
          Undo
        </Button>
      )}
      <span className="flex-1" />
      {form.isChanged && (
        <Button kind="ghost" onClick={form.discard}>
          Discard
        </Button>
      )}
      <Button kind="primary" type="submit" form={formId} busy={form.busy} disabled={!form.isChanged}>
        {isNew ? "Add entry" : "Save"}
        <span className="opacity-75 max-md:hidden pointer-coarse:hidden">{keyName("mod")} S</span>
      </Button>
    </div>
  )
}

/** The files that an entry names, and where else it can be seen. */
const Related = (props: {
  readonly entry: Entry
  readonly fields: ReadonlyArray<EntryField>
  readonly model: ModelRow
}): ReactElement => {
  const { entry, fields, model } = props
  const files = fields.flatMap(({ kind, label, name }) => {
    const id = kind === "file" ? fileIdOf(entry[name]) : undefined
    return id === undefined ? [] : [{ id, label }]
  })
  const { createdAt, updatedAt } = entry
  return (
    <div className="mt-6 border-t pt-4">
      <Part title="Related">
        <ul>
          {files.map(({ id, label }) => (
            <PartLink key={label} to={Router.File({ id })} end={<span className="faint">File</span>}>
              {label}
            </PartLink>
          ))}
          <PartLink to={Router.AsData({ viewer: "visitor", slice: "content", id: entry._id })}>
            View as a visitor
          </PartLink>
          <PartLink to={Router.Data({ slice: "models", id: model._id })}>Edit the model</PartLink>
        </ul>
      </Part>
      <p className="mt-3 faint">
        {createdAt instanceof Date && (
          <>
            Created <When date={createdAt} long />
          </>
        )}
        {createdAt instanceof Date && updatedAt instanceof Date && " · "}
        {updatedAt instanceof Date && (
          <>
            updated <When date={updatedAt} long />
          </>
        )}
      </p>
    </div>
  )
}

/** "Published", and what makes it a draft again. */
const PublishBar = (props: {
  readonly of: Publishing
  readonly entry: Entry
  readonly title: string
}): ReactNode => {
  const { entry, of, title } = props
  const change = useEntryChange()
  const [busy, setBusy] = useState(false)
  const state = stateOf(of, entry)
  const isOn = isPublished(of, entry)
  const [onVerb, offVerb] = of.verbs
  const set = async (): Promise<void> => {
    setBusy(true)
    const outcome = await change(
      entry,
      { [of.field]: isOn ? of.off : of.on },
      { title: of.done[isOn ? 1 : 0], text: title }
    )
    setBusy(false)
    if (outcome.status === "error")
      warn(outcome.error, {
        what: `${of.verbs[isOn ? 1 : 0]} “${title}”`,
        to: Router.Entry({ id: entry._id })
      })
  }
  return (
    <>
      {state && <Badge tone={state.tone}>{state.label}</Badge>}
      <Button busy={busy} onClick={() => void set()}>
        {isOn ? offVerb : onVerb} <Kbd keys="p" />
      </Button>
    </>
  )
}

/** Begins at the end of the first field of a form that can be seen. */
const begin = (form: HTMLFormElement | null): void => {
  const fields = form?.querySelectorAll<HTMLTextAreaElement | HTMLInputElement>("textarea, input") ?? []
  const field = [...fields].find((field) => field.checkVisibility())
  field?.focus()
  // A box or a date has no caret.
  if (field && field.selectionStart !== null) field.setSelectionRange(field.value.length, field.value.length)
}

const Editor = (props: EntryProps & { readonly entry: Entry | undefined }): ReactElement => {
  const { entry, languages, model, onCreated, onDelete, onMove, publishing } = props
  const session = useSession(admin.session)
  const fields = fieldsOf(model, entry)
  const formId = useId()
  const element = useRef<HTMLFormElement>(null)
  const [chosen, choose] = useState<string>()
  const other = languages.others.find((code) => code === chosen) ?? languages.others[0]
  const form = useEntryForm({ model, fields, languages, entry, onCreated })
  const translation = useTranslation(
    form,
    `${model.apiId}.${entry?._id ?? "new"}`,
    draftOf(entry?._id ?? "new", model)
  )
  const canTranslate = session.can(can.translate)
  const canRemove = session.can(can.remove)
  const missing = other === undefined ? [] : missingIn(form, fields, other)
  useCommands([
    {
      label: "Save",
      icon: "check",
      keys: "mod s",
      isOffered: () => form.isChanged,
      run: () => element.current?.requestSubmit()
    },
    {
      label: "Undo",
      icon: "back",
      keys: "u",
      isOffered: () => form.undo !== undefined,
      run: () => form.undo?.()
    },
    {
      label: "Edit",
      icon: "edit",
      keys: "e",
      run: () => begin(element.current)
    }
  ])
  const isNew = entry === undefined
  useEffect(() => {
    if (isNew) begin(element.current)
  }, [isNew])
  const typed = [form.values, ...languages.others.map((code) => ({ code }))]
  const title =
    fields
      .filter(({ kind }) => kind === "text")
      .flatMap(({ name }) =>
        typed.map((of) => ("code" in of ? form.values[nameIn(String(of.code), name)] : of[name]))
      )
      .find((text) => text?.trim()) ?? (entry === undefined ? "New entry" : "Untitled")
  const name = model.name || model.apiId
  return (
    <Detail
      title={title}
      about={entry === undefined ? `New in ${name}` : name}
      tools={
        entry !== undefined && (
          <MenuButton
            isIcon
            label="More actions"
            placement="bottom end"
            items={[
              ...(onMove
                ? [
                    { label: "Move up", onAction: () => onMove(entry, -1) },
                    { label: "Move down", onAction: () => onMove(entry, 1) }
                  ]
                : []),
              {
                label: "Copy link",
                onAction: () => void navigator.clipboard.writeText(window.location.href)
              },
              ...(canRemove
                ? [{ label: "Delete…", keys: "Delete", isDanger: true, onAction: () => onDelete(entry) }]
                : [])
            ]}
          />
        )
      }
      actions={
        (publishing !== undefined && entry !== undefined) || (canTranslate && missing.length > 0) ? (
          <>
            {publishing !== undefined && entry !== undefined && (
              <PublishBar of={publishing} entry={entry} title={title} />
            )}
            {canTranslate && other !== undefined && missing.length > 0 && (
              <Button busy={translation.busy.length > 0} onClick={() => void translation.all(missing, other)}>
                Translate empty fields ({missing.length})
              </Button>
            )}
          </>
        ) : undefined
      }
      foot={<SaveBar form={form} formId={formId} isNew={entry === undefined} savedAt={entry?.updatedAt} />}
    >
      <form
        id={formId}
        ref={element}
        noValidate
        onSubmit={form.onSubmit}
        aria-label={title}
        data-doing={`Save “${title}”`}
      >
        {form.isRestored && (
          <div className="mb-4">
            <Note>You have an unsaved draft.</Note>
          </div>
        )}
        <FieldsForm
          form={form}
          fields={fields}
          languages={languages}
          other={other}
          onOther={choose}
          translation={translation}
          canTranslate={canTranslate}
        />
      </form>
      {entry !== undefined && (
        <>
          <Related entry={entry} fields={fields} model={model} />
          <More of={entry} known={[...stamps, publishing?.field ?? "", ...fields.map(({ name }) => name)]} />
        </>
      )}
    </Detail>
  )
}

const Reader = (props: EntryProps & { readonly entry: Entry }): ReactElement => {
  const { entry, languages, model, publishing } = props
  const fields = fieldsOf(model, entry)
  const state = stateOf(publishing, entry)
  return (
    <Detail
      title={titleOf(fields, entry)}
      about={model.name || model.apiId}
      actions={
        <>
          {state && <Badge tone={state.tone}>{state.label}</Badge>}
          <span className="quiet">You can view entries, but your role does not let you change them.</span>
        </>
      }
    >
      <ReadFields entry={entry} fields={fields} languages={languages} />
      <Related entry={entry} fields={fields} model={model} />
      <More of={entry} known={[...stamps, publishing?.field ?? "", ...fields.map(({ name }) => name)]} />
    </Detail>
  )
}

export const EntryDetail = (
  props: EntryProps & { readonly id: string; readonly row: Entry | undefined }
): ReactElement => {
  const { id, row, ...rest } = props
  const session = useSession(admin.session)
  const isNew = id === "new"
  const canRead = session.can(can.list)
  const answer = useQuery(isNew ? undefined : canRead ? byId(id) : asVisitor(id))
  const fieldsKey = [...(rest.model.fields ?? []).map(({ apiId }) => apiId), ...rest.languages.others]
  if (isNew)
    return session.can(can.create) ? (
      <Editor key={fieldsKey.join()} {...rest} entry={undefined} />
    ) : (
      <Detail title="New entry">
        <Note>You can view entries, but your role does not let you add any.</Note>
      </Detail>
    )
  // What a visitor reads has no translations: a form begins with what is stored.
  const known = row !== undefined && (!canRead || row.translations !== undefined) ? row : undefined
  return (
    <Thing of={answer} row={known} noun="entry">
      {(entry) =>
        canRead && session.can(can.update) ? (
          // Other fields or languages are another form.
          <Editor key={[entry._id, ...fieldsKey].join()} {...rest} entry={entry} />
        ) : (
          <Reader {...rest} entry={entry} />
        )
      }
    </Thing>
  )
}
