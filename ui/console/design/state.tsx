/** Shown where there is no answer, or beside one: skeletons, what there is instead, notes. */
import type { ReactElement, ReactNode } from "react"
import { Icon, type IconName } from "./icon.js"
import { toneClass } from "./show.js"

/**
 * A place that will be filled. It has the size of what comes, so that nothing jumps: an SVG takes any size as an
 * attribute, which the page's policy allows where a style attribute is refused.
 */
export const Skeleton = (props: { readonly width?: string; readonly height: string }): ReactElement => (
  <svg
    width="100%"
    {...props}
    className="animate-pulse rounded-md bg-sunken"
    aria-hidden="true"
    data-loading=""
  />
)

/** The rows of a list have its height. */
const skeletonClass = {
  plain: "border-t px-4 py-3",
  table: "flex h-8.5 items-center border-t px-4",
  inbox: "grid h-13 content-center gap-2 px-10"
}

/** As many rows as are expected. */
export const SkeletonRows = (props: {
  readonly rows: number
  readonly of?: keyof typeof skeletonClass
}): ReactElement => {
  const { of = "plain", rows } = props
  return (
    <div role="status" aria-label="Loading">
      <ul aria-hidden="true">
        {Array.from({ length: rows }, (_, index) => (
          <li key={index} className={skeletonClass[of]}>
            <Skeleton
              width={`${[62, 48, 70, 55][index % 4]}%`}
              height={of === "plain" ? "1.25rem" : "0.75rem"}
            />
            {of === "inbox" && <Skeleton width="35%" height="0.75rem" />}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** What is shown beside a list until it is known: a title, what stands below it, and a text. */
export const SkeletonDetail = (): ReactElement => (
  <div role="status" aria-label="Loading" className="grid gap-3 px-6 py-4">
    <Skeleton width="45%" height="1.5rem" />
    <Skeleton width="30%" height="1rem" />
    <Skeleton width="100%" height="8rem" />
  </div>
)

/** There is nothing here: why, and what to do. */
export const Empty = (props: {
  readonly icon: IconName
  readonly isFailure?: boolean
  readonly title: string
  readonly children?: ReactNode
}): ReactElement => (
  <div className="mx-auto grid max-w-120 justify-items-center gap-1.5 px-6 py-10 text-center [&_button]:mt-2">
    <span className={`rounded-full tinted p-2.75 ${props.isFailure ? toneClass.bad : toneClass.calm}`}>
      <Icon name={props.icon} className="size-4.5" />
    </span>
    <strong>{props.title}</strong>
    <div className="quiet [&>a]:inline-block">{props.children}</div>
  </div>
)

const signs = { info: "info", warn: "alert", bad: "alert", good: "check" } as const

interface NoteProps {
  readonly tone?: keyof typeof signs
  readonly children: ReactNode
}

/** A note in the page. */
export const Note = ({ children, tone = "info" }: NoteProps): ReactElement => (
  <div className={`flex gap-2.5 rounded-md tinted px-3 py-2.5 text-sm leading-[1.45] ${toneClass[tone]}`}>
    <Icon name={signs[tone]} className="mt-0.5" />
    <div>{children}</div>
  </div>
)

/** What holds for the whole page, over it. */
export const Banner = ({ children }: { readonly children: ReactNode }): ReactElement => (
  <p className="bg-warn/12 px-6 py-2 text-sm text-warn max-md:px-4" role="status">
    {children}
  </p>
)
