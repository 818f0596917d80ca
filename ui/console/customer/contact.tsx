/** How to reach a customer: by a link that writes or calls, and each to copy with one press. */
import type { ReactElement, ReactNode } from "react"
import type { UserRow } from "../app/rows.js"
import { CopyButton } from "../design/copy.js"
import { FactList, type Facts } from "../design/show.js"

/** A number as it is dialled. */
export const dialled = (phone: string): string => phone.replaceAll(/[^\d+]/g, "")

const Copied = (props: {
  readonly text: string
  readonly what: string
  readonly children: ReactNode
}): ReactElement => (
  <span className="copied">
    <span className="min-w-0 wrap-anywhere">{props.children}</span>
    <CopyButton text={props.text} what={props.what} />
  </span>
)

const factsOf = ({ city, email, phone }: UserRow): Facts => [
  ...(phone
    ? ([
        [
          "Phone",
          <Copied key="" text={phone} what="the phone number">
            <a href={`tel:${dialled(phone)}`}>{phone}</a>
          </Copied>
        ]
      ] as const)
    : []),
  ...(email
    ? ([
        [
          "Email",
          <Copied key="" text={email} what="the email address">
            <a href={`mailto:${email}`}>{email}</a>
          </Copied>
        ]
      ] as const)
    : []),
  ...(city ? ([["City", city]] as const) : [])
]

export const Contact = ({ of }: { readonly of: UserRow }): ReactNode => {
  const facts = factsOf(of)
  return facts.length === 0 ? (
    <p className="quiet">No phone number or email address.</p>
  ) : (
    <FactList of={facts} />
  )
}
