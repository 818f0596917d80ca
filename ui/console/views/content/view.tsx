/** Content: the models, and the entries of one with filters, search and order. */

import { useInfiniteQuery, useQuery, useSession } from "@quartet/react"
import { plainOf } from "@quartet/sdk/extend"
import { replaceUnsafe } from "@swan-io/chicane"
import type { ReactElement } from "react"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { Field, ModelRow } from "../../app/rows.js"
import { useListState } from "../../data/list-state.js"
import { Loaded } from "../../data/loaded.js"
import { type Column, List } from "../../data/table.js"
import { Button } from "../../design/button.js"
import { Segmented } from "../../design/field.js"
import { PageHead, words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import { Tabs } from "../../design/tabs.js"
import { Builder } from "./builder.js"
import { create, type Entry, entries, models } from "./data.js"
import { EntrySheet } from "./entry.js"
import { labelOf, questionOf, read, write } from "./question.js"

const languages = [
  { value: "en", label: "English" },
  { value: "ka", label: "Georgian" }
] as const

const columnsOf = (fields: ReadonlyArray<Field>): ReadonlyArray<Column<Entry>> =>
  fields.slice(0, 5).map((field) => ({
    title: labelOf(field),
    sort: field.apiId,
    value: (entry) => plainOf(entry[field.apiId])
  }))

const Model = ({ model }: { readonly model: ModelRow }): ReactElement => {
  // `entry` is the id of the open entry, or `new`.
  const { entry, lang = "en", rule = [] } = Router.useRoute(["Content"])?.params ?? {}
  const { apiId, name = apiId } = model
  const fields = model.fields ?? []
  const state = useListState()
  const session = useSession(admin.session)
  const rules = rule.flatMap(read)
  const question = questionOf(rules, state.query, fields)
  const isNarrowed = rules.length > 0 || Object.keys(state.query).length > 0
  return (
    <>
      <List
        label={`Entries of ${name}`}
        of={useInfiniteQuery(entries(apiId, lang, question))}
        state={state}
        columns={columnsOf(fields)}
        to={({ _id }) => state.href({ entry: _id })}
        search={`Find ${words(name ?? apiId).toLowerCase()}`}
        filters={
          <>
            <Segmented
              label="Language"
              value={lang}
              choices={languages}
              onChange={(lang) => state.set({ lang })}
            />
            <Builder
              fields={fields}
              rules={rules}
              onChange={(next) => replaceUnsafe(state.href({ rule: next.map(write) }))}
            />
          </>
        }
        tools={
          session.can(create.call) && (
            <Button kind="primary" icon="plus" onClick={() => state.open(state.href({ entry: "new" }))}>
              Add an entry
            </Button>
          )
        }
        empty={
          <Empty icon="content" title="No entries">
            {isNarrowed ? "Look for another word, or remove a filter." : "Add the first one."}
          </Empty>
        }
      />
      {entry !== undefined && (
        <EntrySheet
          key={`${entry} ${lang}`}
          id={entry}
          model={model}
          lang={lang}
          onClose={(isNew) =>
            // A new entry shows whatever was asked for: all of that goes.
            isNew === true
              ? replaceUnsafe(Router.Content({ model: apiId, lang }))
              : state.close(state.href({ entry: "" }))
          }
        />
      )}
    </>
  )
}

const Content = (): ReactElement => {
  const { model: chosen, lang = "en" } = Router.useRoute(["Content"])?.params ?? {}
  const addressOf = ({ apiId: model }: ModelRow): string => Router.Content({ model, lang })
  return (
    <>
      <PageHead title="Content" about="What your site and apps show, read here as a visitor reads it." />
      <Loaded of={useQuery(models)}>
        {({ items }) => {
          const model = items.find(({ apiId }) => apiId === chosen) ?? items[0]
          if (model === undefined) return <Empty icon="content" title="No models yet" />
          return (
            <>
              <Tabs
                label="Models"
                current={addressOf(model)}
                tabs={items.map((tabModel) => ({
                  to: addressOf(tabModel),
                  label: tabModel.name ?? tabModel.apiId
                }))}
              />
              <Model key={model._id} model={model} />
            </>
          )
        }}
      </Loaded>
    </>
  )
}

export default Content
