/** The console's own icons: 16 units square, drawn with one stroke, decorative unless they have a title. */
import type { ReactElement } from "react"

const paths = {
  mark: "M2.3 6.7v2.6M6.1 2.7v10.6M9.8 5.1v5.8M13.6 7.9v.2",
  overview: "M2.5 7 8 2.5 13.5 7v6a.5.5 0 0 1-.5.5H9.5V10h-3v3.5H3a.5.5 0 0 1-.5-.5Z",
  requests: "M2.5 9.5h3l1 1.5h3l1-1.5h3M3.8 3h8.4l1.3 6.5V13h-11V9.5Z",
  chat: "M2.5 3.5h11v7.5H8L4.8 13.5V11H2.5Z",
  content: "M4 2.5h5l3 3v8H4ZM9 2.5v3h3M6 8.5h4M6 11h4",
  commerce: "M2.5 3h1.6l1.5 7h6.3l1.4-5H4.6M6.3 13.2h.1M11.3 13.2h.1",
  people:
    "M6 7.5a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6ZM2 13c0-2.2 1.8-3.7 4-3.7S10 10.8 10 13M10.5 3.200a2.2 2.2 0 0 1 0 4.200M11.7 9.600c1.4.5 2.3 1.7 2.3 3.4",
  visitor:
    "M8 13.500a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM2.7 8h10.600M8 2.500c3.3 3.3 3.3 7.7 0 11M8 2.500c-3.3 3.3-3.3 7.7 0 11",
  user: "M8 8a2.6 2.6 0 1 0 0-5.200A2.6 2.6 0 0 0 8 8ZM3 13.500c0-2.5 2.2-4 5-4s5 1.5 5 4",
  server: "M2.5 3h11v4h-11ZM2.5 9h11v4h-11ZM5 5h.1M5 11h.1",
  wire: "M1.5 8h3l2-5 3 10 2-5h3",
  search: "M7 11.500a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.300l3.2 3.2",
  menu: "M2.5 4.500h11M2.5 8h11M2.5 11.500h11",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.5 6.5 12 13 4.5",
  alert: "M8 2.5 14 13H2ZM8 6.500v3M8 11.300v.1",
  info: "M8 13.500a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM8 7.300v3.400M8 5.200v.1",
  more: "M3.5 8h.1M8 8h.1M12.5 8h.1",
  down: "M4 6l4 4 4-4",
  file: "M4 2.500h5l3 3v8H4ZM9 2.500v3h3",
  moon: "M13 9.500A5.5 5.5 0 1 1 6.5 3 4.5 4.5 0 0 0 13 9.500Z",
  signOut: "M6.5 2.500h-4v11h4M10 5l3 3-3 3M13 8H6",
  download: "M8 2.500v7.500M4.8 7 8 10.2 11.2 7M3 13.200h10",
  upload: "M8 10.500V3M4.8 6 8 2.8 11.2 6M3 13.200h10",
  send: "M2.5 8 13.5 3 10 13.5 7.5 9Z",
  back: "M9.5 3.5 5 8l4.5 4.5",
  next: "M6.5 3.5 11 8l-4.5 4.5",
  payments: "M2 4.5A1 1 0 0 1 3 3.500h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1ZM2 7h12M4.500 10h2",
  catalogue: "M2.500 6 8 2.500 13.500 6v7.500h-11ZM6 13.500V9h4v4.500",
  files: "M2 4h4l1.500 1.500H14V13H2Z",
  code: "m5.500 5-3 3 3 3M10.500 5l3 3-3 3M9 3.500l-2 9",
  reply: "M6.500 4 2.500 7.500 6.500 11M2.500 7.500h7a4 4 0 0 1 4 4v1",
  seen: "M1.500 8C3 5 5.300 3.500 8 3.500S13 5 14.500 8C13 11 10.700 12.500 8 12.500S3 11 1.500 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  edit: "M10.500 3 13 5.500 6 12.500l-3 .5.500-3Z",
  copy: "M5.500 5.500h8v8h-8ZM10.500 5.500v-3h-8v8h3",
  phone:
    "M4 2.500h2l1 3-1.300 1.300a8 8 0 0 0 3.500 3.500L10.500 9l3 1v2c0 1-.700 1.500-1.500 1.500A9.500 9.500 0 0 1 2.500 4c0-.800.500-1.500 1.500-1.500Z",
  mail: "M2 3.500h12v9H2ZM2 4l6 4.500L14 4",
  undo: "M5.500 3 2.500 6l3 3M2.500 6h6.500a3.800 3.800 0 0 1 0 7.500H6",
  plus: "M8 3v10M3 8h10",
  trash: "M3 4.500h10M6 4.500v-2h4v2M4.3 4.500l.7 9h6l.7-9",
  refresh: "M13 8a5 5 0 1 1-1.5-3.600M13 2.500v3h-3",
  calendar: "M2.5 4h11v9.500h-11ZM2.5 7h11M5.500 2.500v3M10.500 2.500v3",
  filter: "M2.500 4.500h11M4.500 8h7M6.500 11.500h3",
  columns: "M2.5 3h11v10h-11ZM6.2 3v10M9.800 3v10",
  bell: "M4 11V7a4 4 0 0 1 8 0v4l1 1H3ZM6.800 13.800h2.400",
  settings:
    "M2.5 5h6M12 5h1.500M2.500 11H4M7.500 11h6M10.300 6.700a1.7 1.7 0 1 0 0-3.400 1.7 1.7 0 0 0 0 3.400ZM5.700 12.700a1.7 1.7 0 1 0 0-3.400 1.7 1.7 0 0 0 0 3.400Z",
  jobs: "M2.5 4h1M6 4h7.500M2.5 8h1M6 8h7.500M2.5 12h1M6 12h4",
  keyboard: "M1.5 4h13v8h-13ZM4 6.500h.1M6.7 6.500h.1M9.3 6.500h.1M12 6.500h.1M5 9.500h6"
} as const

export type IconName = keyof typeof paths

/** One icon, in the colour of the text around it. */
export const Icon = (props: { readonly name: IconName; readonly className?: string }): ReactElement => (
  <svg
    viewBox="0 0 16 16"
    className={`size-4 flex-none fill-none stroke-current stroke-[1.4] ${props.className ?? ""}`}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[props.name]} />
  </svg>
)

/** The logo, which is four voices, and the name. */
export const Brand = (props: { readonly className?: string; readonly name?: string }): ReactElement => (
  <div className={`flex min-h-8 items-center gap-2.5 px-1.5 font-bold ${props.className ?? ""}`}>
    <Icon name="mark" className="size-5.5! stroke-[2.24]! text-accent-text" />
    <span className="truncate">{props.name || "Quartet"}</span>
  </div>
)
