/** Copies a text with one press, and says that it did. */
import { type ReactElement, useEffect, useState } from "react"
import { IconButton } from "./button.js"

/** Milliseconds for which it is said. */
const shownFor = 1_500

export const CopyButton = (props: {
  /** What is copied. */
  readonly text: string
  /** What it is, such as "the phone number". */
  readonly what: string
}): ReactElement => {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), shownFor)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(props.text)
    setCopied(true)
  }
  return (
    <>
      <IconButton
        size="s"
        icon={isCopied ? "check" : "copy"}
        label={`Copy ${props.what}`}
        onClick={() => void copy()}
      />
      <span className="sr-only" role="status">
        {isCopied && "Copied"}
      </span>
    </>
  )
}
