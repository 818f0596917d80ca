/** Content: the models, their entries, and queries over them. */
import { pushUnsafe, replaceUnsafe } from "@swan-io/chicane"
import type { ReactElement } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import { useInfiniteQuery, useQuery, useSession } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { ModelRow } from "../../app/rows.js"
import { Button } from "../../design/button.js"
import { Segmented } from "../../design/field.js"
import layout from "../../design/layout.module.css"
import { useListState } from "../../design/list-state.js"
import { Card, PageHead, Tabs } from "../../design/show.js"
import { Empty, Loaded, SkeletonRows } from "../../design/state.js"
import { type Column, List } from "../../design/table.js"
import { Builder } from "./builder.js"
import { type Entry, entries, models } from "./data.js"
import { EntrySheet } from "./entry.js"
import { questionOf, read, write } from "./question.js"
import { Cell, toText } from "./values.js"

const languages = [
  { value: "en", label: "English" },
  { value: "ka", label: "Georgian" }
] as const

/** What the page's address says besides the model. */
interface Shown {
  readonly lang?: "en" | "ka" | undefined
  /** The id of the open entry, or `new`. */
  readonly entry?: string | undefined
  /** The lines of the builder. */
  readonly rule?: ReadonlyArray<string> | undefined
}

const addressOf = ({ apiId: model }: ModelRow, { entry, lang, rule = [] }: Shown): string =>
  Router.Content({ model, ...(lang && { lang }), ...(entry && { entry }), rule: [...rule] })

const columnsOf = ({ fields }: ModelRow): ReadonlyArray<Column<Entry>> =>
  (fields ?? []).slice(0, 5).map(({ apiId, name }) => ({
    title: name ?? apiId,
    value: (entry) => toText(entry[apiId]),
    cell: (entry) => <Cell value={entry[apiId]} />
  }))

const Model = (props: { readonly model: ModelRow; readonly shown: Shown }): ReactElement => {
  const { model, shown } = props
  const { entry, lang = "en", rule = [] } = shown
  const state = useListState()
  const session = useSession(admin.session)
  const lines = rule.flatMap(read)
  const question = questionOf(lines, model.fields ?? [])
  const answer = useInfiniteQuery(entries(model.apiId, lang, question))
  const change = (next: Shown): void => replaceUnsafe(addressOf(model, { ...shown, ...next }))
  const open = (id: string | undefined): void => pushUnsafe(addressOf(model, { ...shown, entry: id }))
  return (
    <div className={layout.stack}>
      <Card
        title="Find entries"
        action={
          <>
            <Segmented
              label="Language"
              value={lang}
              choices={languages}
              onChange={(next) => change({ lang: next })}
            />
            {session.can(Admin.content.create) && (
              <Button kind="primary" icon="plus" onClick={() => open("new")}>
                Add an entry
              </Button>
            )}
          </>
        }
      >
        <Builder
          model={model}
          lang={lang}
          lines={lines}
          question={question}
          onChange={(next) => change({ rule: next.map(write) })}
        />
      </Card>
      <List
        label={`Entries of ${model.name ?? model.apiId}`}
        of={answer}
        state={state}
        columns={columnsOf(model)}
        to={({ _id }) => state.keep(addressOf(model, { ...shown, entry: _id }))}
        stacks={false}
        empty={
          <Empty icon="content" title="No entries">
            Nothing answers this question. Remove a rule, or add an entry.
          </Empty>
        }
      />
      {entry !== undefined && (
        <EntrySheet
          key={`${entry} ${lang}`}
          id={entry}
          model={model}
          lang={lang}
          // A new entry shows whatever the rules are: they go.
          onClose={(isNew) => (isNew === true ? pushUnsafe(addressOf(model, { lang })) : open(undefined))}
        />
      )}
    </div>
  )
}

const Content = (): ReactElement => {
  const route = Router.useRoute(["Content"])
  const answer = useQuery(models)
  const { model: chosen, ...shown } = { model: undefined, ...route?.params }
  return (
    <>
      <PageHead
        title="Content"
        about="Everything that your site and apps show, read here the way a visitor reads it."
      />
      <Loaded
        of={answer}
        skeleton={
          <Card flush>
            <SkeletonRows rows={10} />
          </Card>
        }
        isEmpty={({ items }) => items.length === 0}
        empty={
          <Card flush>
            <Empty icon="content" title="No models yet" />
          </Card>
        }
      >
        {({ items }) => {
          const model = items.find(({ apiId }) => apiId === chosen) ?? items[0]
          return (
            <>
              <Tabs
                label="Models"
                current={model === undefined ? "" : addressOf(model, { lang: shown.lang })}
                tabs={items.map((one) => ({
                  to: addressOf(one, { lang: shown.lang }),
                  label: one.name ?? one.apiId
                }))}
              />
              {model !== undefined && <Model key={model._id} model={model} shown={shown} />}
            </>
          )
        }}
      </Loaded>
    </>
  )
}

export default Content
