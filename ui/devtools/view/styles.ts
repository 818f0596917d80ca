/**
 * The styles of the devtools, which hold inside their shadow root alone. Lengths are pixels: the app's own `rem` is none of
 * theirs. An app that shows the panel within its own page may lend it its type and colours, as `--quartet-font`,
 * `--quartet-bg` and so on.
 */
export const styles = `
:host {
  all: initial !important;
  direction: ltr !important;
  color-scheme: light dark !important;
  --font: var(--quartet-font, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif) !important;
  --bg: var(--quartet-bg, light-dark(#ffffff, #141519)) !important;
  --sunken: var(--quartet-sunken, light-dark(#f3f4f6, #1c1e24)) !important;
  --hover: var(--quartet-hover, light-dark(#eceef2, #24262e)) !important;
  --line: var(--quartet-line, light-dark(#dfe2e8, #2e3139)) !important;
  --line-strong: var(--quartet-line-strong, light-dark(#8b909c, #6d7280)) !important;
  --ink: var(--quartet-ink, light-dark(#16181d, #ededf0)) !important;
  --faint: var(--quartet-faint, light-dark(#5d6270, #a0a5b2)) !important;
  --accent: var(--quartet-accent, light-dark(#4640cf, #a9a8fb)) !important;
  --good: var(--quartet-good, light-dark(#0f6b45, #5fd2a0)) !important;
  --warn: var(--quartet-warn, light-dark(#805000, #eab75c)) !important;
  --bad: var(--quartet-bad, light-dark(#b4232c, #ff8b8b)) !important;
}
:host([data-theme="light"]) { color-scheme: light !important; }
:host([data-theme="dark"]) { color-scheme: dark !important; }
:host([data-placed="floating"]) { position: fixed !important; inset: auto 0 0 0 !important; z-index: 2147483000 !important; }
/* Of several devtools, the open panel lies over the buttons of the others, and what has the focus over all. */
:host([data-placed="floating"][data-open]) { z-index: 2147483001 !important; }
:host([data-placed="floating"]:focus-within) { z-index: 2147483002 !important; }
:host([data-placed="embedded"]) { display: block !important; flex: 1 !important; height: 100% !important; min-height: 0 !important; min-width: 0 !important; }

*, ::before, ::after { box-sizing: border-box; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
button, input, select { font: inherit; color: inherit; }
button, select, summary { cursor: pointer; }
button:disabled { cursor: not-allowed; opacity: 0.5; }
p, ol, pre { margin: 0; padding: 0; }
ol { list-style: none; }
.title { font-size: 12px; font-weight: 600; }

.open, .panel { font: 13px/1.45 var(--font); color: var(--ink); background: var(--bg); }
.open { position: fixed; bottom: 12px; display: inline-flex; align-items: center; gap: 6px; min-height: 36px; padding: 4px 12px; border: 1px solid var(--line-strong); border-radius: 18px; box-shadow: 0 4px 12px rgb(0 0 0 / 0.2); font-weight: 600; }
.open[data-at="bottom-right"] { right: 12px; }
.open[data-at="bottom-left"] { left: 12px; }
.open:hover { background: var(--hover); }
.panel { display: flex; flex-direction: column; height: 100%; min-height: 0; }
aside.panel { height: var(--height); border-top: 1px solid var(--line-strong); box-shadow: 0 -6px 24px rgb(0 0 0 / 0.2); }
.grip { flex: none; height: 8px; margin-bottom: -8px; cursor: row-resize; touch-action: none; z-index: 1; }
.grip:hover, .grip:focus-visible { border-top: 3px solid var(--accent); outline: none; }

header { display: flex; flex: none; align-items: stretch; gap: 4px; padding: 8px 8px 0; border-bottom: 1px solid var(--line); }
.tabs { position: relative; display: flex; flex: 1; gap: 2px; overflow-x: auto; min-width: 0; }
.tabs button { flex: none; padding: 6px 10px; border: 0; border-bottom: 2px solid transparent; background: none; color: var(--faint); }
.tabs button:hover { color: var(--ink); }
.tabs button[aria-selected="true"] { border-color: var(--accent); color: var(--ink); font-weight: 600; }
.tabs button:focus-visible { outline-offset: -2px; }
.count { margin-left: 2px; color: var(--faint); font-size: 11px; font-weight: 400; }

.section { display: flex; flex: 1; flex-direction: column; min-height: 0; }
.tools { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 8px; padding: 8px 12px; border-bottom: 1px solid var(--line); }
.tools input { flex: 1; min-width: 120px; max-width: 360px; }
.tools p { flex: 1; }
input, select { min-height: 28px; padding: 2px 8px; border: 1px solid var(--line-strong); border-radius: 6px; background: var(--bg); }
.button { min-height: 28px; padding: 2px 10px; border: 1px solid var(--line-strong); border-radius: 6px; background: var(--bg); }
.button:hover:not(:disabled) { background: var(--hover); }
.icon { flex: none; width: 28px; min-height: 28px; padding: 0; border: 0; border-radius: 6px; background: none; font-size: 16px; line-height: 1; }
.icon:hover { background: var(--hover); }

.list { flex: 1; min-height: 0; overflow-y: auto; }
.list:focus-visible { outline-offset: -2px; }
details { border-bottom: 1px solid var(--line); }
summary { display: grid; grid-template-columns: 68px minmax(0, 1fr) auto; align-items: baseline; gap: 0 10px; padding: 6px 12px; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary:hover, details[open] > summary { background: var(--sunken); }
summary:focus-visible { outline-offset: -2px; }
summary > code, summary > .side { font-size: 12px; color: var(--faint); }
summary > code { grid-column: 2 / -1; }
.name, summary > code { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.name { font-weight: 600; }
.side { text-align: right; white-space: nowrap; }
.badge { justify-self: start; padding: 0 6px; border: 1px solid currentColor; border-radius: 9px; font-size: 11px; white-space: nowrap; }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); } .calm { color: var(--faint); } .busy { color: var(--accent); }
.more { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; padding: 8px 12px 14px; }
.row { display: flex; flex-wrap: wrap; gap: 8px; }
.faint { color: var(--faint); font-size: 12px; }
.more > .faint { overflow-wrap: anywhere; }
.rest { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 12px; padding: 12px; }
.empty { padding: 24px 12px; color: var(--faint); text-align: center; }
code, pre { font: 12px/1.5 ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "Liberation Mono", monospace; }
.source { max-height: 320px; overflow: auto; padding: 8px; border-radius: 6px; background: var(--sunken); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.notice { flex: none; }
.notice:not(:empty) { padding: 4px 12px; border-top: 1px solid var(--line); font-size: 12px; }

@media (max-width: 640px) {
  aside.panel { height: 70dvh; }
  .grip { display: none; }
  .open, .button, input, select, .tabs button, .icon { min-height: 44px; min-width: 44px; }
  summary { grid-template-columns: minmax(0, 1fr) auto; padding: 10px 12px; }
  summary > .name, summary > code { grid-column: 1 / -1; grid-row: auto; }
  summary > .badge { grid-column: 1; }
  summary > .side { grid-column: 2; grid-row: 1; }
}
@media (forced-colors: active) {
  .tabs button { border-color: Canvas; }
  .tabs button[aria-selected="true"] { border-color: Highlight; }
}
@media print {
  :host { display: none !important; }
}
`
