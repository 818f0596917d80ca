/** The panel: its sections as tabs, and what is around them. */

import { mask } from "@quartet/sdk/extend"
import * as React from "react"
import type { Registry } from "../../rx/registry.js"
import type { DevtoolsOptions, Section } from "../options.js"
import { recorders } from "../recorder.js"
import { secretsIn } from "../secrets.js"
import { Mutations } from "./mutations.js"
import { Outbox } from "./outbox.js"
import { onResize, useTick } from "./parts.js"
import { Queries, queriesIn } from "./queries.js"
import { Sockets } from "./sockets.js"
import { Wire } from "./wire.js"

interface Props extends Omit<DevtoolsOptions, "registry"> {
  readonly registry: Registry
  readonly section: Section
  readonly onSection: (section: Section) => void
  readonly onClose?: (() => void) | undefined
}

interface Tab {
  readonly section: Section
  readonly label: string
  readonly count?: number
  readonly body: React.ReactNode
}

/** How far an arrow key moves. */
const moves: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

const Tabs = ({
  chosen,
  onSection,
  tabs
}: { readonly tabs: ReadonlyArray<Tab>; readonly chosen: Tab } & Pick<Props, "onSection">) => {
  const list = React.useRef<HTMLDivElement>(null)
  // On a narrow screen the tabs scroll, and the chosen one is shown. Not by `scrollIntoView`, which moves the page too.
  React.useLayoutEffect(() => {
    const show = (): void => {
      const { current } = list
      const tab = current?.querySelector<HTMLElement>(`#tab-${chosen.section}`)
      if (!current || !tab) return
      const end = tab.offsetLeft + tab.offsetWidth - current.clientWidth
      current.scrollLeft = Math.max(end, Math.min(tab.offsetLeft, current.scrollLeft))
    }
    show()
    return onResize(show)
  }, [chosen.section])
  const choose = (place: number): void => {
    const tab = tabs.at(place % tabs.length)
    if (tab === undefined) return
    onSection(tab.section)
    list.current?.querySelector<HTMLElement>(`#tab-${tab.section}`)?.focus()
  }
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const place = tabs.indexOf(chosen)
    const target = event.key === "Home" ? 0 : event.key === "End" ? -1 : place + (moves[event.key] ?? 0)
    if (target === place) return
    event.preventDefault()
    event.stopPropagation()
    choose(target)
  }
  return (
    <div className="tabs" role="tablist" aria-label="Sections" ref={list} onKeyDown={onKeyDown}>
      {tabs.map(({ count, label, section }) => (
        <button
          key={section}
          id={`tab-${section}`}
          type="button"
          role="tab"
          aria-selected={section === chosen.section}
          aria-controls="section"
          tabIndex={section === chosen.section ? 0 : -1}
          onClick={() => onSection(section)}
        >
          {`${label} `}
          {count !== undefined && <span className="count">{count}</span>}
        </button>
      ))}
    </div>
  )
}

export const Panel = ({ onClose, onSection, outbox, registry, section, wire, wireActions }: Props) => {
  useTick()
  const [notice, setNotice] = React.useState("")
  React.useEffect(() => {
    if (notice === "") return
    const timer = setTimeout(() => setNotice(""), 5_000)
    return () => clearTimeout(timer)
  }, [notice])
  const recorder = registry.get(recorders)
  /** What an action of the app answers or throws may repeat what nobody may read. */
  const say = (text: string): void => setNotice(mask(text, registry.get(secretsIn)()))
  const tabs: ReadonlyArray<Tab> = [
    {
      section: "queries",
      label: "Queries",
      count: queriesIn(registry).length,
      body: <Queries registry={registry} />
    },
    {
      section: "mutations",
      label: "Mutations",
      count: recorder.runs.length,
      body: <Mutations recorder={recorder} />
    },
    ...(outbox === undefined
      ? []
      : [
          {
            section: "outbox",
            label: "Outbox",
            body: <Outbox outbox={outbox} registry={registry} say={say} />
          } as const
        ]),
    {
      section: "sockets",
      label: "Sockets",
      count: recorder.chats.size,
      body: <Sockets recorder={recorder} />
    },
    ...(wire === undefined
      ? []
      : [
          {
            section: "wire",
            label: "Wire",
            count: wire.lines().length,
            body: <Wire wire={wire} wireActions={wireActions} say={say} />
          } as const
        ])
  ]
  const [first] = tabs
  const chosen = tabs.find((tab) => tab.section === section) ?? first
  if (chosen === undefined) return null
  return (
    <>
      <header>
        <Tabs tabs={tabs} chosen={chosen} onSection={onSection} />
        {onClose && (
          <button type="button" className="icon" aria-label="Close the devtools" onClick={onClose}>
            <span aria-hidden="true">×</span>
          </button>
        )}
      </header>
      <div
        key={chosen.section}
        className="section"
        id="section"
        role="tabpanel"
        aria-labelledby={`tab-${chosen.section}`}
      >
        {chosen.body}
      </div>
      <p className="notice" role="status">
        {notice}
      </p>
    </>
  )
}
