/** Content: the entries of a model, and the selected one with all its languages beside them. */

import { useInfiniteQuery, useQuery, useSession } from "@quartet/react"
import { Link, pushUnsafe, replaceUnsafe } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, useEffect } from "react"
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
import { ClearFilters } from "../../frame/filters.js"
import type { RowCommand } from "../../frame/list-pane.js"
import { useNarrowed } from "../../frame/narrowed.js"
import { Panes } from "../../frame/panes.js"
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

/** The width of the list, in pixels. */
const width = 380

/** More models than this, which take more than a line, are chosen in a list that opens. */
const few = 3

/** The models, each with the number of its entries. */
const Models = (props: {
  readonly of: ReadonlyArray<ModelRow>
  readonly present: ModelRow
}): ReactElement => {
  const { of, present } = props
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
      />
    )
  return (
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
  // A platform may answer the entries of other models, too.
  const of = useNarrowed(asked, { isWanted: isOf(model), by: model._id })
  const { items } = of
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
      width={width}
      tools={
        canCreate && (
          <Button size="s" icon="plus" onClick={add}>
            New entry
          </Button>
        )
      }
      besideSearch={
        <Rules
          fields={model.fields ?? []}
          rules={rules}
          onChange={(next) => state.set({ rule: next.map(write) })}
        >
          <Select
            label="Sort by"
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
        </Rules>
      }
      filters={<Models of={models} present={model} />}
      commands={commands}
      empty={
        isNarrowed ? (
          <Empty icon="search" title={`No entries in ${name} match`}>
            <ClearFilters onClear={() => state.set({ rule: undefined })} />
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

/** The frame of the list while there are no models: what is said in its place. */
const Bare = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <Panes
    name="Content"
    width={width}
    shown="list"
    list={
      <section className="list-pane" aria-label="Content">
        <header className="list-head">
          <div className="list-title">
            <h1>Content</h1>
          </div>
        </header>
        {children}
      </section>
    }
    detail={<section className="detail-pane" aria-label="Selected in content" />}
  />
)

/** A model that the address names and the project has not: those that it has. */
const NoModel = (props: { readonly named: string; readonly of: ReadonlyArray<ModelRow> }): ReactElement => (
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
  const items = answer.data?.items ?? []
  const model =
    chosen === undefined
      ? (items.find(({ _id, apiId }) => _id === alone.data?.modelId || apiId === alone.data?.apiId) ??
        items[0])
      : items.find(({ apiId }) => apiId === chosen)
  const isAwaited = isAlone && alone.data === undefined && alone.error === undefined
  if (model !== undefined && !isAwaited) return <Entries models={items} model={model} id={id} />
  return (
    <Bare>
      {isAwaited ? (
        <SkeletonRows rows={12} of="inbox" />
      ) : (
        <Loaded of={answer} what="Content" skeleton={<SkeletonRows rows={12} of="inbox" />}>
          {() =>
            items.length > 0 ? (
              <NoModel named={chosen ?? ""} of={items} />
            ) : (
              <Empty icon="content" title="No content models yet">
                <Link to={Router.Data({ slice: "models", id: "new" })}>Add one in Developers</Link>
              </Empty>
            )
          }
        </Loaded>
      )}
    </Bare>
  )
}

export default Content
