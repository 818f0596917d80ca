/** Catches a view's errors, so that the rest of the console keeps working. */
import { Component, type ReactNode } from "react"
import { Card } from "../design/show.js"
import { Failed } from "../design/state.js"

interface Props {
  readonly children: ReactNode
}

interface State {
  readonly hasFailed: boolean
}

export class Boundary extends Component<Props, State> {
  override state: State = { hasFailed: false }

  static getDerivedStateFromError(): State {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <Card flush>
        <Failed error={undefined} onRetry={() => this.setState({ hasFailed: false })} />
      </Card>
    )
  }
}
