/** Content: the entries of a model, and the selected one with all its languages beside them. */

import { useInfiniteQuery, useQuery, useSession } from "@quartet/react"
import { Link, pushUnsafe, replaceUnsafe } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, useEffect, useMemo } from "react"
import { useCommands } from "../../app/commands.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { ModelRow } from "../../app/rows.js"
import { type ListState, useListState } from "../../data/list-state.js"
import { Loaded } from "../../data/loaded.js"
import { Button } from "../../design/button.js"
import { Select } from "../../design/field.js"
import { number } from "../../design/format.js"
import { words } from "../../design/show.js"
import { Empty, SkeletonRows } from "../../design/state.js"
import type { RowCommand } from "../../frame/list-pane.js"
import type { Listed } from "../../frame/rows.js"
import { idAfter } from "../../frame/selection.js"
import { Tabs } from "../../frame/tabs.js"
import { Workplace } from "../../frame/workplace.js"
import { useEntries } from "./bulk.js"
import { byId, can, counts, type Entry, isOf, models, stored, visible } from "./data.js"
import { EntryDetail } from "./detail.js"
import { fieldsOf, titleOf } from "./fields.js"
import { useLanguages } from "./languages.js"
import { columnsOf, rowOf } from "./list.js"
import { isPublished, publishingOf } from "./publishing.js"
import { ownOrder, questionOf, read, write } from "./question.js"
import { Rules } from "./rules.js"

const nameOfModel = ({ apiId, name }: ModelRow): string => name || words(apiId)

/** More models than this are chosen in a list that opens. */
const few = 5

/** The models, each with the number of its entries; what narrows the list stands after them. */
const Models = (props: {
  readonly of: ReadonlyArray<ModelRow>
  readonly present: ModelRow
  readonly children: ReactNode
}): ReactElement => {
  const { children, of, present } = props
  const session = useSession(admin.session)
  const { data = [] } = useQuery(counts(of, !session.can(can.list)))
  const addressOf = ({ apiId: model }: ModelRow): string => Router.Content({ model })
  if (of.length <= few)
    return (
      <Tabs
        label="Models"
        current={addressOf(present)}
        tabs={of.map((model, place) => ({
          label: nameOfModel(model),
          count: data[place],
          to: addressOf(model)
        }))}
      >
        {children}
      </Tabs>
    )
  return (
    <div className="row">
      <div className="min-w-48">
        <Select
          label="Model"
          hideLabel
          value={present.apiId}
          choices={of.map((model, place) => ({
            value: model.apiId,
            label: nameOfModel(model),
            ...(data[place] !== undefined && { about: number(data[place]) })
          }))}
          onChange={(model) => pushUnsafe(Router.Content({ model }))}
        />
      </div>
      {children}
    </div>
  )
}

/** The address of an entry of a model; the language and the open entry of older addresses are gone from it. */
const addressOf = (state: ListState, { apiId }: ModelRow, id: string | undefined): string =>
  state.href(
    { entry: undefined, lang: undefined, model: apiId },
    id === undefined ? Router.Content() : Router.Entry({ id })
  )

const Entries = (props: {
  readonly models: ReadonlyArray<ModelRow>
  readonly model: ModelRow
  readonly id: string | undefined
}): ReactElement => {
  const { id, model, models } = props
  const { rule = [] } = Router.useRoute(["Content", "Entry"])?.params ?? {}
  const state = useListState()
  const session = useSession(admin.session)
  const rules = rule.flatMap(read)
  const isNarrowed = rules.some(({ value }) => value !== "")
  const isAsVisitor = isNarrowed || !session.can(can.list)
  const asked = useInfiniteQuery(
    isAsVisitor
      ? visible(model.apiId, questionOf(rules, state.query, model.fields ?? []))
      : stored(model._id, state.query)
  )
  const items = useMemo(() => asked.items.filter(isOf(model)), [asked.items, model])
  const isPart = items.length < asked.items.length
  const of: Listed<Entry> = isPart
    ? { ...asked, items, data: asked.data && { paging: {} } }
    : { ...asked, items }
  const languages = useLanguages(items)
  const fields = fieldsOf(model, items[0])
  const publishing = publishingOf(fields, items)
  const nameOf = (entry: Entry): string => titleOf(fieldsOf(model, entry), entry)
  const { drop, move, publish } = useEntries(nameOf)
  const to = (id?: string): string => addressOf(state, model, id)
  const canCreate = session.can(can.create)
  const canUpdate = session.can(can.update)
  const add = (): void => state.open(to("new"))
  useCommands(canCreate ? [{ label: "New entry", icon: "plus", keys: "a", run: add }] : [])

  const remove = async (rows: ReadonlyArray<Entry>): Promise<void> => {
    state.leave(to(id), to(idAfter(items, id, await drop(rows))))
  }

  const setPublished =
    (isOn: boolean) =>
    (rows: ReadonlyArray<Entry>): void =>
      void (publishing && publish(rows, publishing, isOn))
  const commands: ReadonlyArray<RowCommand<Entry>> = [
    ...(publishing !== undefined && canUpdate
      ? ([true, false] as const).map(
          (isOn): RowCommand<Entry> => ({
            label: publishing.verbs[isOn ? 0 : 1],
            icon: isOn ? "check" : "close",
            keys: "p",
            isBulk: true,
            isFor: (rows) => rows.some((entry) => isPublished(publishing, entry) !== isOn),
            run: setPublished(isOn)
          })
        )
      : []),
    ...(session.can(can.remove)
      ? [
          {
            label: "Delete…",
            icon: "trash",
            keys: "Delete",
            isBulk: true,
            run: (rows) => void remove(rows)
          } satisfies RowCommand<Entry>
        ]
      : [])
  ]
  const isOwnOrder = state.read("sort") === ownOrder
  const name = nameOfModel(model)
  return (
    <Workplace
      label="Content"
      of={of}
      state={state}
      id={id}
      isOther={(id) => id === "new"}
      to={to}
      nameOf={nameOf}
      row={rowOf(model, languages, publishing)}
      columns={columnsOf(fields, languages)}
      search={`Find in ${name}`}
      width={380}
      tools={
        canCreate && (
          <Button size="s" icon="plus" onClick={add}>
            New entry
          </Button>
        )
      }
      filters={
        <>
          <Models of={models} present={model}>
            <Rules
              fields={model.fields ?? []}
              rules={rules}
              onChange={(next) => state.set({ rule: next.map(write) })}
            />
            <div className="min-w-32 flex-none">
              <Select
                label="Sort by"
                hideLabel
                value={state.read("sort") ?? ""}
                choices={[
                  { value: "", label: "Newest first" },
                  { value: "-updatedAt", label: "Last updated first" },
                  { value: ownOrder, label: "Manual order" },
                  ...fields.flatMap(({ label, name }) => [
                    { value: name, label: `${label}, ascending` },
                    { value: `-${name}`, label: `${label}, descending` }
                  ])
                ]}
                onChange={(sort) => state.set({ sort })}
              />
            </div>
          </Models>
          {isPart && (
            <p className="faint">Among the last {number(asked.items.length)} entries of all models.</p>
          )}
        </>
      }
      commands={commands}
      empty={
        isNarrowed ? (
          <Empty icon="search" title={`No entries in ${name} match`}>
            <Button onClick={() => state.set({ rule: undefined })}>Clear filters</Button>
          </Empty>
        ) : (
          <Empty icon="content" title={`No entries in ${name} yet`}>
            {canCreate && <Button onClick={add}>New entry</Button>}
          </Empty>
        )
      }
    >
      {(row, id) => (
        <EntryDetail
          key={id}
          id={id}
          row={row}
          model={model}
          languages={languages}
          publishing={publishing}
          onCreated={({ _id }) =>
            // A new entry shows whatever was asked for: all of that goes.
            replaceUnsafe(Router.Entry({ id: _id, model: model.apiId }))
          }
          onDelete={(entry) => void remove([entry])}
          onMove={
            isOwnOrder && !isAsVisitor && session.can(can.reorder)
              ? (entry, step) => void move(items, entry, step)
              : undefined
          }
        />
      )}
    </Workplace>
  )
}

/** A model that the address names and the project has not: those that it has. */
const NoModel = (props: { readonly named: string; readonly of: ReadonlyArray<ModelRow> }): ReactElement => (
  <section className="list-pane grow" aria-label="Content">
    <header className="list-head">
      <h1>Content</h1>
    </header>
    <div role="alert">
      <Empty icon="search" title={`There is no model named “${props.named}”`}>
        <p>The models of this project:</p>
        <ul className="row mt-2 justify-center">
          {props.of.map((model) => (
            <li key={model._id}>
              <Link to={Router.Content({ model: model.apiId })}>{nameOfModel(model)}</Link>
            </li>
          ))}
        </ul>
      </Empty>
    </div>
  </section>
)

const Content = (): ReactElement => {
  const { id, model: named } = Router.useRoute(["Entry"])?.params ?? {}
  const list = Router.useRoute(["Content"])?.params
  const chosen = named ?? list?.model
  const session = useSession(admin.session)
  const answer = useQuery(models)
  // An address of an entry alone: the entry says of which model it is.
  const isAlone = id !== undefined && id !== "new" && chosen === undefined && session.can(can.list)
  const alone = useQuery(isAlone ? byId(id) : undefined)
  // Older addresses name the open entry beside the list.
  const { entry } = list ?? {}
  useEffect(() => {
    if (entry !== undefined) replaceUnsafe(Router.Entry({ id: entry, ...(chosen && { model: chosen }) }))
  }, [entry, chosen])
  if (isAlone && alone.data === undefined && alone.error === undefined) return <SkeletonRows rows={12} />
  return (
    <Loaded of={answer} what="The content" skeleton={<SkeletonRows rows={12} />}>
      {({ items }) => {
        const [first] = items
        if (first === undefined)
          return (
            <Empty icon="content" title="No content models yet">
              <Link to={Router.Data({ slice: "models", id: "new" })}>Add one in Developers</Link>
            </Empty>
          )
        const model =
          chosen === undefined
            ? (items.find(({ _id, apiId }) => _id === alone.data?.modelId || apiId === alone.data?.apiId) ??
              first)
            : items.find(({ apiId }) => apiId === chosen)
        return model === undefined ? (
          <NoModel named={chosen ?? ""} of={items} />
        ) : (
          <Entries models={items} model={model} id={id} />
        )
      }}
    </Loaded>
  )
}

export default Content
