/** Devtools for React apps: what a query client knows, does and sends, in a panel that any app can mount. */
export {
  loadView,
  QuartetDevtools,
  QuartetDevtoolsPanel,
  type QuartetDevtoolsPanelProps,
  type QuartetDevtoolsProps
} from "./devtools.js"
export type { DevtoolsOptions, InspectedEntry, InspectedOutbox, Section, WireAction } from "./options.js"
export { makeWire, type Wire, type WireCall, type WireDrift, type WireOptions } from "./wire.js"
