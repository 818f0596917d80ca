/** A stored file, chosen by its picture or its name, or uploaded on the spot: for the fields of content. */
import { useInfiniteQuery } from "@quartet/react"
import { type ReactElement, type ReactNode, useState } from "react"
import { useCellValue } from "../app/cells.js"
import type { FileRow } from "../app/rows.js"
import { Failed } from "../data/loaded.js"
import { Button, type ButtonProps } from "../design/button.js"
import { SearchField } from "../design/field.js"
import { Popover } from "../design/popover.js"
import { Empty, Skeleton } from "../design/state.js"
import { Tiles } from "../design/tiles.js"
import { type Kind, kindOf, listOf, nameOf } from "./data.js"
import { FileName, Thumbnail } from "./thumbnail.js"
import { UploadButton, UploadRefusal, Uploads } from "./upload.js"
import { uploads, useUploadRefusal } from "./uploads.js"

/** Files that are read at once. */
const pageSize = 60

const Choices = (props: {
  readonly kind: Kind | undefined
  readonly search: string
  readonly onChoose: (file: FileRow) => void
}): ReactNode => {
  const { kind, onChoose, search } = props
  const list = useInfiniteQuery(listOf(search === "" ? {} : { search }, pageSize))
  if (list.data === undefined)
    return list.error === undefined ? (
      <Skeleton height="12rem" />
    ) : (
      <Failed error={list.error} what="The files" onRetry={list.refetch} />
    )
  const files = list.items.filter((file) => kind === undefined || kindOf(file) === kind)
  const noun = kind === "picture" ? "pictures" : "files"
  return (
    <>
      {files.length === 0 ? (
        <Empty icon="files" title={search === "" ? `No ${noun} yet` : `No ${noun} match “${search}”`} />
      ) : (
        <Tiles
          label={kind === "picture" ? "Pictures" : "Files"}
          of={files.map((file) => ({
            id: file._id,
            label: nameOf(file),
            content: (
              <>
                <Thumbnail of={file} className="tile-picture" />
                <FileName name={nameOf(file)} />
              </>
            )
          }))}
          onChoose={(id) => {
            const file = files.find(({ _id }) => _id === id)
            if (file !== undefined) onChoose(file)
          }}
        />
      )}
      {list.hasNextPage && (
        <Button size="s" busy={list.isFetching} onClick={list.fetchNextPage}>
          Search more than the last {list.items.length}
        </Button>
      )}
    </>
  )
}

const accepts: Partial<Record<Kind, string>> = { picture: "image/*", pdf: "application/pdf" }

export const FileChooser = (props: {
  /** What the button says, and what is chosen for: "Choose a picture". */
  readonly label: string
  /** The kind that is asked for; any without it. */
  readonly kind?: Kind
  readonly button?: Omit<ButtonProps, "children" | "onClick">
  readonly onChoose: (file: FileRow) => void
}): ReactElement => {
  const { button, kind, label, onChoose } = props
  const [search, setSearch] = useState("")
  const canUpload = useUploadRefusal() === undefined
  const isUploading = useCellValue(uploads).length > 0
  return (
    <Popover label={label} {...(button && { button })} className="chooser">
      {(close) => {
        const choose = (file: FileRow): void => {
          onChoose(file)
          setSearch("")
          close()
        }
        return (
          <>
            <div className="row flex-nowrap">
              <SearchField label="Find files" value={search} onChange={setSearch} />
              <span className="flex-1" />
              {canUpload && <UploadButton accept={kind && accepts[kind]} onStored={choose} />}
            </div>
            {canUpload ? <p className="faint">What you upload here will be public.</p> : <UploadRefusal />}
            {isUploading && <Uploads />}
            <Choices kind={kind} search={search} onChoose={choose} />
          </>
        )
      }}
    </Popover>
  )
}
