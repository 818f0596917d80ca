/** As a visitor: the shop's items, the news, and today's rate, with only the project's public key. */
import * as Schema from "effect/Schema"
import { type ReactElement, useState } from "react"
import * as Public from "../../../../clients/public/index.js"
import { DateTime } from "../../../../core/kernel/codec/dates.js"
import { useQuery } from "../../../rx/index.js"
import { visitor } from "../../app/query-clients.js"
import { visitor as calls } from "../../app/rows.js"
import { SearchField, Select } from "../../design/field.js"
import layout from "../../design/layout.module.css"
import { Badge, Card, money, PageHead, When, words } from "../../design/show.js"
import { Empty, Loaded, Skeleton, SkeletonRows } from "../../design/state.js"
import typography from "../../design/typography.module.css"
import styles from "./visitor.module.css"

/** An article: its schema names the fields that can be queried. */
const Article = Schema.Struct({
  _id: Schema.String,
  title: Schema.String,
  summary: Schema.optional(Schema.NullOr(Schema.String)),
  views: Schema.optional(Schema.NullOr(Schema.Number)),
  publishedAt: Schema.optional(Schema.NullOr(DateTime))
})

const news = Public.content.collection("news", Article)

const latest = visitor.query(news.list, { sort: [news.orderBy("publishedAt", "desc")], limit: 5 })

const kinds = ["", "apartment", "house", "office", "parking", "service"] as const

const offers = (text: string, type: string) =>
  visitor.query(calls.items, {
    payload: { limit: 12, ...(text === "" ? {} : { text }), ...(type === "" ? {} : { typeIn: [type] }) }
  })

const Shop = (): ReactElement => {
  const [text, setText] = useState("")
  const [type, setType] = useState<(typeof kinds)[number]>("")
  const answer = useQuery(offers(text, type))
  return (
    <Card
      title="What is on offer"
      action={
        answer.data && <span className={typography.faint}>{`${answer.data.paging.total ?? 0} found`}</span>
      }
    >
      <div className={layout.toolbar}>
        <SearchField label="Find offers" value={text} onChange={setText} />
        <Select
          label="Kind"
          hideLabel
          value={type}
          choices={kinds.map((value) => ({ value, label: value === "" ? "All kinds" : words(value) }))}
          onChange={setType}
        />
      </div>
      <Loaded
        of={answer}
        skeleton={<SkeletonRows rows={6} lines={3} />}
        isEmpty={({ items }) => items.length === 0}
        empty={<Empty icon="search" title="Nothing found" />}
      >
        {({ items }) => (
          <ul className={styles.shelf}>
            {items.map((item) => (
              <li key={item._id}>
                <span className={layout.row}>
                  <Badge>{words(item.type ?? "offer")}</Badge>
                  {item.featured === true && <Badge tone="accent">Featured</Badge>}
                </span>
                <strong>{item.name}</strong>
                <span className={`${typography.quiet} ${typography.number}`}>
                  {money(item.price ?? 0, item.currency ?? "USD")}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

const News = (): ReactElement => {
  const answer = useQuery(latest)
  return (
    <Card title="News" flush>
      <Loaded
        of={answer}
        skeleton={<SkeletonRows rows={5} lines={2} />}
        isEmpty={({ items }) => items.length === 0}
        empty={<Empty icon="content" title="No news" />}
      >
        {({ items }) => (
          <ul className={layout.rows}>
            {items.map((article) => (
              <li key={article._id}>
                <div className={layout.grow}>
                  <h3>{article.title}</h3>
                  <p>{article.summary}</p>
                </div>
                <span className={typography.faint}>
                  <When date={article.publishedAt} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  )
}

const currencies = ["USD", "EUR", "GBP"] as const

const isRate = (value: unknown): value is { readonly rate: number } =>
  typeof value === "object" && value !== null && "rate" in value && typeof value.rate === "number"

const Rate = (): ReactElement => {
  const [currency, setCurrency] = useState<(typeof currencies)[number]>("USD")
  const answer = useQuery(visitor.query(Public.exchangeRates.get, { currency }))
  return (
    <Card title="Exchange rate">
      <div className={layout.toolbar}>
        <Select
          label="Currency"
          hideLabel
          value={currency}
          choices={currencies.map((value) => ({ value, label: value }))}
          onChange={setCurrency}
        />
        <Loaded of={answer} skeleton={<Skeleton width="9rem" height="1.5rem" />}>
          {(rate) => (
            <span className={typography.number}>
              1 {currency} = <strong>{isRate(rate) ? rate.rate : "?"} GEL</strong>
            </span>
          )}
        </Loaded>
      </div>
      <p className={typography.faint}>The central bank’s rate of today.</p>
    </Card>
  )
}

const Visitor = (): ReactElement => (
  <>
    <PageHead
      title="As a visitor"
      about="What everybody sees without signing in. The platform knows a visitor by the project’s public key."
    />
    <div className={layout.split}>
      <Shop />
      <div className={layout.stack}>
        <News />
        <Rate />
      </div>
    </div>
  </>
)

export default Visitor
