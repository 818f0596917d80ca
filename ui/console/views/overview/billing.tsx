/** What the platform costs: the prices, and an estimate for a month. */
import { type ReactElement, useState } from "react"
import type { Amount, BillingItem } from "../../../../core/onboarding/model.js"
import { TextField } from "../../design/field.js"
import { Card, money } from "../../design/show.js"

/** A typical month of a small project. */
const usual: Readonly<Record<string, string>> = {
  "sms-worldwide": "40",
  "sms-georgia": "1500",
  "hosting-monthly": "1"
}

export const Billing = (props: {
  readonly items: ReadonlyArray<BillingItem>
  readonly currency: Amount["currency"]
}): ReactElement => {
  const { currency, items } = props
  const [texts, setTexts] = useState(usual)
  const priceOf = ({ id, price }: BillingItem): number => Math.max(0, Number(texts[id]) || 0) * price
  const show = (amount: number): string => money(amount, currency)
  return (
    <Card
      title="Billing"
      about="You pay for what you use, at the prices of the service agreement. What would a month cost?"
      flush
    >
      <table>
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">In a month</th>
            <th scope="col" className="text-right">
              Price
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.id} className="h-15">
              <td>
                {item.service}
                <p className="faint">
                  {show(item.price)} per {item.unit}
                </p>
              </td>
              <td className="[&_input]:w-24 [&_input]:text-right">
                <TextField
                  type="number"
                  min={0}
                  label={`${item.service}, ${item.unit}s in a month`}
                  hideLabel
                  value={texts[item.id] ?? "0"}
                  onChange={(text) => setTexts({ ...texts, [item.id]: text })}
                />
              </td>
              <td className="text-right">{show(priceOf(item))}</td>
            </tr>
          ))}
        </tbody>
        <tfoot className="border-t border-line">
          <tr>
            <th scope="row" colSpan={2}>
              Estimate
            </th>
            <td className="text-right">
              <strong>{show(items.reduce((sum, item) => sum + priceOf(item), 0))}</strong>
            </td>
          </tr>
        </tfoot>
      </table>
    </Card>
  )
}
