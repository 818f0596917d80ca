/** What the platform costs: the prices, this month's bill, and an estimate for another month. */
import { type ReactElement, useState } from "react"
import type { Amount, BillingItem } from "../../../../core/onboarding/model.js"
import { ShareBar } from "../../design/chart.js"
import { TextField } from "../../design/field.js"
import layout from "../../design/layout.module.css"
import { Scroll } from "../../design/scroll.js"
import { Card, money } from "../../design/show.js"
import show from "../../design/show.module.css"
import table from "../../design/table.module.css"
import typography from "../../design/typography.module.css"
import styles from "./overview.module.css"

/** A typical month of a small project. */
const usual: Readonly<Record<string, number>> = {
  "sms-worldwide": 40,
  "sms-georgia": 1_500,
  "hosting-monthly": 1
}

const quantity = (text: string): number => {
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 ? value : 0
}

export const Billing = (props: {
  readonly items: ReadonlyArray<BillingItem>
  readonly bill: Amount
}): ReactElement => {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(props.items.map(({ id }) => [id, String(usual[id] ?? 0)]))
  )
  const { currency } = props.bill
  const parts = props.items.map(({ id, price, service }) => ({
    label: service,
    value: quantity(texts[id] ?? "0") * price
  }))
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  return (
    <Card
      title="Billing"
      about="You pay for what you use. All prices are agreed by the service agreement."
      flush
    >
      <Scroll label="Prices">
        <table>
          <thead>
            <tr>
              <th scope="col">Service</th>
              <th scope="col">Unit</th>
              <th scope="col" className={table.end}>
                Price
              </th>
            </tr>
          </thead>
          <tbody>
            {props.items.map(({ id, price, service, unit }) => (
              <tr key={id}>
                <td>{service}</td>
                <td className={typography.quiet}>per {unit}</td>
                <td className={`${table.end} ${typography.number}`}>{money(price, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <div className={show.body}>
        <h3 className={typography.sectionTitle}>What would a month cost?</h3>
        <div className={styles.estimate}>
          {props.items.map(({ id, service, unit }) => (
            <TextField
              key={id}
              type="number"
              min={0}
              label={service}
              hint={`${unit}s`}
              value={texts[id] ?? ""}
              onChange={(value) => setTexts({ ...texts, [id]: value })}
            />
          ))}
        </div>
        <ShareBar
          caption="Parts of the estimated bill"
          points={parts}
          format={(value) => money(value, currency)}
        />
      </div>
      <footer>
        <span className={layout.row}>
          Estimate <strong className={typography.number}>{money(total, currency)}</strong>
        </span>
        <span className={`${layout.row} ${styles.billed}`}>
          Billed so far <strong className={typography.number}>{money(props.bill.amount, currency)}</strong>
        </span>
      </footer>
    </Card>
  )
}
