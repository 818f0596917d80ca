/** Catches a view's errors, so that the rest of the console keeps working. */
import { Component, type ReactNode } from "react"
import { Card } from "../design/show.js"
import { Failed } from "../design/state.js"
import { back, probe } from "./network.js"

interface Props {
  readonly children: ReactNode
  /** Makes the view anew, under another key: when the button is pressed, or when the platform is back. */
  readonly onRetry: (isPressed: boolean) => void
}

export class Boundary extends Component<Props> {
  override state = { hasFailed: false }
  private ignore: (() => void) | undefined

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(): void {
    void probe()
    this.ignore = back(() => this.props.onRetry(false))
  }

  override componentWillUnmount(): void {
    this.ignore?.()
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <Card flush>
        <Failed error={undefined} onRetry={() => this.props.onRetry(true)} />
      </Card>
    )
  }
}
