/** Content: the models, their entries, and queries over them. */
import { type ReactElement, useState } from "react"
import * as Admin from "../../../../clients/admin/index.js"
import { useInfiniteQuery, useQuery, useSession } from "../../../rx/index.js"
import { admin } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import type { ModelRow } from "../../app/rows.js"
import { Button } from "../../design/button.js"
import { Segmented } from "../../design/field.js"
import layout from "../../design/layout.module.css"
import { Card, PageHead, Tabs } from "../../design/show.js"
import { Empty, Loaded, SkeletonRows } from "../../design/state.js"
import { type Column, List } from "../../design/table.js"
import table from "../../design/table.module.css"
import { Builder } from "./builder.js"
import { type Entry, entries, models } from "./data.js"
import { EntryDialog } from "./entry.js"
import { type Line, questionOf } from "./question.js"
import { Cell } from "./values.js"

const languages = [
  { value: "en", label: "English" },
  { value: "ka", label: "Georgian" }
] as const

const columnsOf = (model: ModelRow, onOpen: (entry: Entry) => void): ReadonlyArray<Column<Entry>> =>
  (model.fields ?? []).slice(0, 5).map((field, index) => ({
    title: field.name ?? field.apiId,
    cell: (entry) =>
      index === 0 ? (
        <button type="button" className={table.link} onClick={() => onOpen(entry)}>
          <Cell value={entry[field.apiId]} />
        </button>
      ) : (
        <Cell value={entry[field.apiId]} />
      )
  }))

const Model = ({ model }: { readonly model: ModelRow }): ReactElement => {
  const session = useSession(admin.session)
  const [lang, setLang] = useState<"en" | "ka">("en")
  const [lines, setLines] = useState<ReadonlyArray<Line>>([])
  const [opened, setOpened] = useState<Entry | "new">()
  const question = questionOf(lines, model.fields ?? [])
  const answer = useInfiniteQuery(entries(model.apiId, lang, question))
  return (
    <div className={layout.stack}>
      <Card
        title="Find entries"
        action={
          <>
            <Segmented label="Language" value={lang} choices={languages} onChange={setLang} />
            {session.can(Admin.content.create) && (
              <Button kind="primary" icon="plus" onClick={() => setOpened("new")}>
                Add an entry
              </Button>
            )}
          </>
        }
      >
        <Builder model={model} lang={lang} lines={lines} question={question} onChange={setLines} />
      </Card>
      <List
        label={`Entries of ${model.name ?? model.apiId}`}
        of={answer}
        columns={columnsOf(model, setOpened)}
        stacks={false}
        empty={
          <Empty icon="content" title="No entries">
            Nothing answers this question. Remove a rule, or add an entry.
          </Empty>
        }
      />
      {opened !== undefined && (
        <EntryDialog
          model={model}
          entry={opened === "new" ? undefined : opened}
          lang={lang}
          mayWrite={session.can(Admin.content.update)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </div>
  )
}

const Content = (): ReactElement => {
  const route = Router.useRoute(["Content"])
  const answer = useQuery(models)
  const chosen = route?.params.model
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
                current={Router.Content(model === undefined ? {} : { model: model.apiId })}
                tabs={items.map(({ apiId, name }) => ({
                  to: Router.Content({ model: apiId }),
                  label: name ?? apiId
                }))}
              />
              {model !== undefined && <Model key={model._id} model={model} />}
            </>
          )
        }}
      </Loaded>
    </>
  )
}

export default Content
