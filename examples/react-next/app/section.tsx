"use client"
/** A part of a page that waits by itself, and fails by itself. */
import { useErrorReset } from "@quartet/react"
import { Component, type ReactNode, Suspense } from "react"

interface Props {
  readonly title: string
  readonly children: ReactNode
}

export const Section = ({ children, title }: Props) => (
  <section aria-label={title}>
    <h2>{title}</h2>
    <Boundary onReset={useErrorReset()}>
      <Suspense fallback={<p>Loading…</p>}>{children}</Suspense>
    </Boundary>
  </section>
)

/** Shows what failed until somebody tries again: then it is asked for again. */
class Boundary extends Component<
  { readonly children: ReactNode; readonly onReset: () => void },
  { readonly error: Error | undefined }
> {
  override state: { readonly error: Error | undefined } = { error: undefined }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    const tryAgain = () => {
      this.props.onReset()
      this.setState({ error: undefined })
    }
    return (
      <p role="alert">
        {this.state.error.message}{" "}
        <button type="button" onClick={tryAgain}>
          Try again
        </button>
      </p>
    )
  }
}
