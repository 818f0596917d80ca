/** Small parts that all views use: badges, people, money, dates, cards. */
import { type ComponentProps, Fragment, type ReactElement, type ReactNode } from "react"
import { clock, moment, when } from "./format.js"
import { isSingleKey, keyName } from "./keys.js"

/** What gives an element its tone: `bg-tone/12 text-tone`. */
export const toneClass = {
  calm: "[--color-tone:var(--color-muted)]",
  good: "[--color-tone:var(--color-good)]",
  warn: "[--color-tone:var(--color-warn)]",
  bad: "[--color-tone:var(--color-bad)]",
  info: "[--color-tone:var(--color-info)]",
  accent: "[--color-tone:var(--color-accent-text)]"
}

export type Tone = keyof typeof toneClass

interface BadgeProps {
  readonly tone?: Tone
  readonly dot?: boolean
  readonly children: ReactNode
}

/** A state in one word. */
export const Badge = ({ children, dot = false, tone = "calm" }: BadgeProps): ReactElement => (
  <span
    className={`inline-flex min-h-5 items-center gap-1.5 rounded-xs tinted px-1.5 text-xs font-semibold whitespace-nowrap ${toneClass[tone]} ${dot ? "before:rounded-full before:border-3 before:border-current" : ""}`}
  >
    {children}
  </span>
)

/** A person has the same tone everywhere. */
const personClasses = [
  toneClass.accent,
  toneClass.good,
  toneClass.info,
  toneClass.warn,
  "[--color-tone:var(--color-plum)]",
  "[--color-tone:var(--color-sea)]"
]

const sum = (text: string): number => [...text].reduce((total, sign) => total + (sign.codePointAt(0) ?? 0), 0)

const avatarClass = { s: "size-6 text-[10px]", m: "size-7 text-2xs", l: "size-9 text-sm" }

/** The first letters of two words, as capitals; Georgian is not written in them. */
const initialsOf = (name: string): string =>
  [...name.matchAll(/(?<=^|\s)\S/gu)]
    .slice(0, 2)
    .join("")
    .replaceAll(/\P{Script=Georgian}/gu, (letter) => letter.toUpperCase())

/** A person's initials, in one of six tones. */
export const Avatar = (props: {
  readonly name: string
  readonly size?: keyof typeof avatarClass
}): ReactElement => {
  const { name, size = "m" } = props
  return (
    <span
      className={`grid flex-none place-items-center rounded-full tinted font-semibold ${avatarClass[size]} ${personClasses[sum(name) % personClasses.length]}`}
      aria-hidden="true"
    >
      {initialsOf(name)}
    </span>
  )
}

/**
 * The keys of a command, as they stand on a keyboard: one after another, `mod` held down. They are not shown where there is none, nor,
 * of single keys, where those are switched off.
 */
export const Kbd = ({ keys }: { readonly keys: string }): ReactElement => (
  <span className="keycaps" data-single={isSingleKey(keys) || undefined}>
    {keys.split(" ").map((key) => (
      <kbd
        key={key}
        className="min-w-4.5 rounded-[4px] border border-line bg-sunken px-1 py-0.5 text-center font-mono text-2xs/none font-normal text-muted"
      >
        {keyName(key)}
      </kbd>
    ))}
  </span>
)

/** When something was, as short as it can be told; whole where it is long, and the time alone where the day stands above it. Nothing without a date. */
export const When = (props: {
  readonly date: Date | null | undefined
  readonly long?: boolean
  readonly inDay?: boolean
  readonly className?: string
}): ReactElement | null => {
  const { className = "", date, inDay = false, long = false } = props
  if (!(date instanceof Date) || Number.isNaN(date.getTime())) return null
  return (
    <time
      className={`whitespace-nowrap tabular-nums ${className}`}
      dateTime={date.toISOString()}
      title={moment(date)}
    >
      {long ? moment(date) : inDay ? clock(date) : when(date)}
    </time>
  )
}

/** `user_accepted`, `RENT_OUT` and `orderGroups` as readable text. */
export const words = (name: string): string => {
  const text = name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]+/g, " ")
    .toLowerCase()
    .replaceAll(/\b(api|crm|csv|faq|id|pdf|sms|url)\b/g, (word) => word.toUpperCase())
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What is known of something: names and values. */
export type Facts = ReadonlyArray<readonly [name: string, value: ReactNode]>

export const FactList = (props: { readonly of: Facts }): ReactElement => (
  <dl className="grid grid-cols-[minmax(7.5rem,auto)_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2 text-sm">
    {props.of.map(([name, value]) => (
      <Fragment key={name}>
        <dt className="text-muted">{name}</dt>
        <dd className="wrap-anywhere">{value}</dd>
      </Fragment>
    ))}
  </dl>
)

/** A part of a page with a title. */
export const Card = (props: {
  readonly title?: string
  readonly about?: string
  readonly action?: ReactNode
  readonly flush?: boolean
  readonly children: ReactNode
}): ReactElement => (
  <section className="min-w-0 overflow-clip rounded-lg border bg-surface shadow-sm" aria-label={props.title}>
    {props.title !== undefined && (
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
        <h2 className="grow">{props.title}</h2>
        {props.action}
        {props.about !== undefined && <p className="basis-full quiet">{props.about}</p>}
      </header>
    )}
    <div className={props.flush ? "contents" : props.title === undefined ? "p-4" : "px-4 pb-4"}>
      {props.children}
    </div>
  </section>
)

/** The head of a page. */
export const PageHead = (props: {
  readonly title: string
  readonly about?: ReactNode
  readonly children?: ReactNode
}): ReactElement => (
  <div className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-3">
    <div className="grow basis-80">
      <h1>{props.title}</h1>
      {props.about !== undefined && <p className="max-w-[88ch] text-muted">{props.about}</p>}
    </div>
    {props.children}
  </div>
)

const heightClass = "max-h-[max(22rem,100dvh-19rem)] scroll-pt-9"

/** Scrolls if there is too much for its place: a named region that the keyboard can reach. */
export const Scroll = ({
  className = heightClass,
  label,
  ...rest
}: ComponentProps<"section"> & { readonly label: string }): ReactElement => (
  <section
    {...rest}
    aria-label={label}
    className={`relative overflow-auto focus-visible:-outline-offset-2 ${className}`}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    tabIndex={0}
  />
)

/** Text of a program or of the platform, in a region that scrolls. */
export const Source = (props: {
  readonly label: string
  readonly text: string
  /** Whether it is what the page is about, and takes more of its height. */
  readonly isLong?: boolean
}): ReactElement => (
  <Scroll
    label={props.label}
    className={`${props.isLong ? "max-h-[max(16rem,50dvh)]" : "max-h-64"} rounded-md border border-transparent bg-sunken px-2.5 py-2 text-left text-xs wrap-anywhere whitespace-pre-wrap`}
  >
    <code>{props.text}</code>
  </Scroll>
)
