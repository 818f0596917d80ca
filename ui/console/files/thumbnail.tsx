/** A file as small as a row of a list: its picture, or how its name ends. */
import type { ReactElement } from "react"
import type { FileRow } from "../app/rows.js"
import { Icon } from "../design/icon.js"
import { Picture } from "../frame/pictures.js"
import { endingOf, hasThumbnail, kindOf } from "./data.js"

/** What stands where there is no picture: three or four letters that people know, or a sign. */
const Ending = ({ of }: { readonly of: FileRow }): ReactElement => {
  const ending = endingOf(of)
  return ending !== "" && ending.length < 5 && kindOf(of) !== "picture" ? (
    <span className="text-2xs font-semibold tracking-[0.02em] text-muted">{ending.toUpperCase()}</span>
  ) : (
    <Icon name={kindOf(of) === "picture" ? "files" : "file"} />
  )
}

/** Decorative: the name of the file stands beside it. */
export const Thumbnail = (props: { readonly of: FileRow; readonly className: string }): ReactElement => {
  const { className, of } = props
  return (
    <span aria-hidden="true" className={className}>
      {hasThumbnail(of) ? (
        <Picture id={of._id} alt="" className="size-full" placeholder={<Ending of={of} />} />
      ) : (
        <span className="picture size-full">
          <Ending of={of} />
        </span>
      )}
    </span>
  )
}

/** A name that is cut in the middle where there is no room for it, so that its ending stays. */
export const FileName = ({ name }: { readonly name: string }): ReactElement => {
  // The letters of a sign stay together.
  const letters = [...name]
  const end = letters.length > 16 ? letters.slice(-9).join("") : ""
  const start = end === "" ? name : letters.slice(0, -9).join("")
  return (
    <span className="flex min-w-0" title={name}>
      <span className="sr-only">{name}</span>
      <span aria-hidden="true" className="truncate whitespace-pre">
        {start}
      </span>
      {end !== "" && (
        <span aria-hidden="true" className="flex-none whitespace-pre">
          {end}
        </span>
      )}
    </span>
  )
}
