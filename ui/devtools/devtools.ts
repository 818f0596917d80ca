"use client"
/** The devtools as components. What they show is loaded when they are mounted, and rendered in a root of its own. */
import * as React from "react"
import { useRegistry } from "../rx/value.js"
import type { DevtoolsOptions, ViewProps } from "./options.js"
import { recorders } from "./recorder.js"
import type { View } from "./view/mount.js"

/** The props of the floating devtools. @category models */
export interface QuartetDevtoolsProps extends DevtoolsOptions {
  /** Whether the panel is open at first; what the user chose last where there is something, else closed. */
  readonly initialIsOpen?: boolean
  /** Where the button floats. */
  readonly position?: "bottom-left" | "bottom-right"
}

/** The props of the panel. @category models */
export interface QuartetDevtoolsPanelProps extends DevtoolsOptions {
  /** Called by the panel's close button, which is there where this is. */
  readonly onClose?: () => void
}

type DevtoolsProps = Omit<ViewProps, "registry"> & DevtoolsOptions

/** Loads what the devtools show themselves with, which they otherwise load when they are mounted. @category operations */
export const loadView = async (): Promise<void> => void (await load())

const load = () => import("./view/mount.js")

/** Renders the view into an element that `attach` puts somewhere, for as long as the component is mounted. */
const useView = (
  { registry: explicitRegistry, ...props }: DevtoolsProps,
  attach: (host: HTMLElement) => void
): void => {
  const nearest = useRegistry()
  const registry = explicitRegistry ?? nearest
  const latest = React.useRef<{ view?: View; props: ViewProps }>({ props: { ...props, registry } })
  React.useEffect(() => {
    registry.get(recorders)
    latest.current.props = { ...props, registry }
    latest.current.view?.render(latest.current.props)
  })
  const place = React.useRef(attach)
  React.useEffect(() => {
    const { current } = latest
    const host = document.createElement("quartet-devtools")
    place.current(host)
    let isGone = false
    load().then(
      ({ mount }) => {
        if (isGone) return
        current.view = mount(host)
        current.view.render(current.props)
      },
      (cause: unknown) => console.error("The Quartet devtools could not be loaded.", cause)
    )
    return () => {
      isGone = true
      current.view?.unmount()
      delete current.view
      host.remove()
    }
  }, [])
}

/**
 * A button that floats over the page and opens the devtools in a panel at its bottom: queries, mutations, chats, and an
 * outbox and a wire where they are given. Mount it inside the provider, in development alone:
 *
 * ```tsx
 * {process.env.NODE_ENV !== "production" && <QuartetDevtools wire={wire} />}
 * ```
 * @category hooks
 */
export const QuartetDevtools = ({
  initialIsOpen,
  position = "bottom-right",
  ...options
}: QuartetDevtoolsProps): null => {
  useView({ ...options, floating: { initialIsOpen, position } }, (host) => document.body.append(host))
  return null
}

/** The same panel where it stands in the page: it fills its parent. @category hooks */
export const QuartetDevtoolsPanel = (props: QuartetDevtoolsPanelProps): React.ReactElement => {
  const parent = React.useRef<HTMLDivElement>(null)
  useView(props, (host) => {
    // It takes no part in the layout. Not in the markup, which a page's policy may forbid styles in.
    parent.current?.style.setProperty("display", "contents")
    parent.current?.append(host)
  })
  return React.createElement("div", { ref: parent })
}
