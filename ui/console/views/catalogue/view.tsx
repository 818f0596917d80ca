/** The items of the shop, to be found, looked at and compared. */
import { useQuery } from "@quartet/react"
import { itemStatuses } from "@quartet/sdk/extend/models/items"
import type { ReactElement } from "react"
import { copyLink } from "../../app/copy.js"
import { Router } from "../../app/routes.js"
import type { ItemRow } from "../../app/rows.js"
import { Status } from "../../app/status.js"
import { useListState } from "../../data/list-state.js"
import { MultiSelect } from "../../design/field.js"
import { number } from "../../design/format.js"
import { words } from "../../design/show.js"
import { Empty } from "../../design/state.js"
import type { Column } from "../../frame/columns.js"
import { ClearFilters } from "../../frame/filters.js"
import type { InboxRow } from "../../frame/inbox.js"
import { useSearched } from "../../frame/narrowed.js"
import { Picture } from "../../frame/pictures.js"
import { Workplace } from "../../frame/workplace.js"
import { Comparison, comparedIn, comparison, mostCompared } from "./compare.js"
import { factsLine, list, nameOf, newest, picturesOf, priceText, stockOf } from "./data.js"
import { ItemDetail } from "./detail.js"

const Lead = ({ of }: { readonly of: ItemRow }): ReactElement => {
  const [id] = picturesOf(of)
  const letter = <span aria-hidden="true">{[...nameOf(of)][0]?.toUpperCase()}</span>
  return (
    <span className="inbox-lead" aria-hidden="true">
      {id === undefined ? (
        <span className="picture size-full">{letter}</span>
      ) : (
        <Picture id={id} alt="" className="size-full" placeholder={letter} />
      )}
    </span>
  )
}

const rowOf = (item: ItemRow): InboxRow => ({
  lead: <Lead of={item} />,
  title: nameOf(item),
  end: priceText(item),
  line: factsLine(item),
  badge: <Status of={item.status} />
})

const columns: ReadonlyArray<Column<ItemRow>> = [
  { title: "Name", sort: "name", value: nameOf },
  { title: "Type", value: ({ type }) => words(type ?? "") },
  { title: "Rooms", value: ({ rooms }) => rooms, isEnd: true },
  { title: "Area", value: ({ area }) => area, isEnd: true },
  { title: "Floor", value: ({ floor }) => floor, isEnd: true },
  { title: "District", value: ({ district }) => district },
  {
    title: "Price",
    sort: "price",
    value: ({ price }) => price,
    cell: priceText,
    also: [{ title: "Currency", value: ({ currency }) => currency }],
    isEnd: true
  },
  { title: "Stock", value: stockOf, isEnd: true },
  { title: "Status", sort: "status", value: ({ status }) => words(status ?? "") },
  { title: "Added", sort: "createdAt", value: ({ createdAt }) => createdAt, isEnd: true }
]

/** The words that some rows have, with those that are asked for, each once. */
const choicesOf = (found: ReadonlyArray<string | null | undefined>, chosen: ReadonlyArray<string>) =>
  [
    ...new Set([...found.filter((word) => word !== undefined && word !== null && word !== ""), ...chosen])
  ].map((value) => ({ value: String(value), label: words(String(value)) }))

const Catalogue = (): ReactElement => {
  const id = Router.useRoute(["Item"])?.params.id
  const state = useListState()
  const items = useSearched(list, state)
  const known = useQuery(newest).data?.items ?? []
  const chosenOf = (name: string): Array<string> => state.read(name)?.split(",").filter(Boolean) ?? []
  const filters = [
    {
      name: "status",
      label: "Status",
      all: "All statuses",
      found: [...itemStatuses, ...known.map(({ status }) => status)]
    },
    { name: "type", label: "Type", all: "All types", found: known.map(({ type }) => type) },
    {
      name: "tab",
      label: "Interests",
      all: "All interests",
      found: known.flatMap(({ interests }) => interests ?? [])
    }
  ]
  const isNarrowed = filters.some(({ name }) => chosenOf(name).length > 0)
  const to = (id?: string): string => state.keep(id === undefined ? Router.Catalogue() : Router.Item({ id }))
  return (
    <Workplace
      label="Catalogue"
      of={items}
      state={state}
      id={id}
      to={to}
      nameOf={nameOf}
      row={rowOf}
      columns={columns}
      about={items.data?.paging.total !== undefined && number(items.data.paging.total)}
      search="Find items"
      filters={
        <div className="list-filters">
          {filters.map(({ all, found, label, name }) => {
            const choices = choicesOf(found, chosenOf(name))
            return (
              choices.length > 0 && (
                <MultiSelect
                  key={name}
                  label={label}
                  hideLabel
                  placeholder={all}
                  value={chosenOf(name)}
                  choices={choices}
                  onChange={(values) => state.set({ [name]: values.join(",") })}
                />
              )
            )
          })}
        </div>
      }
      commands={[
        {
          label: "Compare",
          icon: "columns",
          isBulk: true,
          isFor: (rows) => rows.length > 1 && rows.length <= mostCompared,
          run: (rows) => state.turn(to(comparison(rows.map(({ _id }) => _id))))
        },
        {
          label: "Copy link",
          icon: "file",
          keys: "l",
          run: ([item]) => item && void copyLink(Router.Item({ id: item._id }))
        }
      ]}
      empty={
        isNarrowed ? (
          <Empty icon="catalogue" title="No items match the filters">
            <ClearFilters onClear={() => state.set({ status: "", type: "", tab: "" })} />
          </Empty>
        ) : (
          <Empty icon="catalogue" title="No items yet">
            They come from the platform.
          </Empty>
        )
      }
      isOther={(id) => comparedIn(id).length > 0}
    >
      {(row, id) =>
        comparedIn(id).length > 0 ? (
          <Comparison key={id} ids={comparedIn(id)} />
        ) : (
          <ItemDetail key={id} id={id} row={row} />
        )
      }
    </Workplace>
  )
}

export default Catalogue
