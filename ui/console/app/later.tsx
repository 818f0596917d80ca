/** A part of the page, whose code is loaded when it is needed, apart: where it fails, all else keeps working. */
import { Component, type ComponentType, type ReactElement, type ReactNode } from "react"
import { Failed } from "../data/loaded.js"
import { Card } from "../design/show.js"
import { registry } from "./cells.js"
import { notLoaded } from "./explain.js"
import { back, lostSince, probe } from "./network.js"

export type Load = () => Promise<{ readonly default: ComponentType }>

const arrived = new Map<Load, ComponentType>()

/** Loads a part, so that it then opens at once. */
export const load = async (part: Load): Promise<ComponentType> => {
  const { default: Part } = await part().catch((cause: unknown) => {
    throw notLoaded(cause)
  })
  arrived.set(part, Part)
  return Part
}

interface Props {
  readonly part: Load
  /** What stands there until the part is loaded. */
  readonly children?: ReactNode
  /** How it is said that the part did not come, or failed; in a card where this is missing. */
  readonly failed?: (failure: ReactElement, retry: () => void) => ReactNode
}

interface State {
  readonly Part?: ComponentType | undefined
  /** Why it is not there. */
  readonly failure?: { readonly error: unknown } | undefined
}

export class Later extends Component<Props, State> {
  override state: State = { Part: arrived.get(this.props.part) }
  private ignore: (() => void) | undefined
  private hasRetried = false

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } }
  }

  override componentDidMount(): void {
    if (this.state.Part === undefined) void this.start()
    this.ignore = back(() => this.state.failure && this.start())
  }

  override componentDidCatch(): void {
    void probe()
  }

  override componentWillUnmount(): void {
    this.ignore?.()
  }

  private async start(): Promise<void> {
    try {
      this.setState({ Part: await load(this.props.part), failure: undefined })
    } catch (error) {
      this.setState({ failure: { error } })
      void probe()
    }
  }

  private readonly retry = (): void => {
    // What a server that answers still does not have is code of an older console.
    if (this.hasRetried && registry.get(lostSince) === undefined) window.location.reload()
    else void this.start()
    this.hasRetried = true
  }

  override render(): ReactNode {
    const { failure, Part } = this.state
    if (failure === undefined) return Part === undefined ? this.props.children : <Part />
    const notice = <Failed error={failure.error} onRetry={this.retry} />
    return this.props.failed?.(notice, this.retry) ?? <Card flush>{notice}</Card>
  }
}
