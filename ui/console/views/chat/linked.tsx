/** Text in which addresses of the web are links, and nothing else is more than text. */
import { Fragment, type ReactElement } from "react"

/** An address as people write it in a sentence: what ends the sentence is no part of it. */
const address = /(https?:\/\/[^\s<>"]+[^\s<>"'.,:;!?)\]}»”’])/

export const Linked = ({ text }: { readonly text: string }): ReactElement => (
  <>
    {/* What the pattern takes stands at every second place. */}
    {text.split(address).map((part, index) =>
      index % 2 === 0 ? (
        <Fragment key={index}>{part}</Fragment>
      ) : (
        <a key={index} href={part} target="_blank" rel="noreferrer noopener">
          {part}
        </a>
      )
    )}
  </>
)
