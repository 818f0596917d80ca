/** Charts, drawn as SVG from d3's shapes, with the same figures as a table for those who do not see them. */
import { area, curveMonotoneX, line } from "d3-shape"
import type { ReactElement } from "react"

/** One figure with its name. */
export interface Point {
  readonly label: string
  readonly value: number
}

interface TableProps {
  readonly caption: string
  readonly points: ReadonlyArray<Point>
  readonly format: (value: number) => string
}

const HiddenTable = ({ caption, format, points }: TableProps): ReactElement => (
  <table className="visually-hidden">
    <caption>{caption}</caption>
    <tbody>
      {points.map(({ label, value }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          <td>{format(value)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const width = 480
const height = 168
const bottom = 22
const top = 12

/** The next round number above the highest value. */
const ceiling = (highest: number): number => {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, highest)))
  return Math.max(1, Math.ceil(highest / (step / 2)) * (step / 2))
}

/** How something grows over time. */
export const TrendChart = ({ caption, format, points }: TableProps): ReactElement => {
  const highest = ceiling(Math.max(...points.map(({ value }) => value)))
  const x = (index: number): number => 30 + (index / Math.max(1, points.length - 1)) * (width - 46)
  const y = (value: number): number => height - bottom - (value / highest) * (height - bottom - top)
  const over = area<Point>()
    .x((_, index) => x(index))
    .y0(height - bottom)
    .y1(({ value }) => y(value))
    .curve(curveMonotoneX)
  const along = line<Point>()
    .x((_, index) => x(index))
    .y(({ value }) => y(value))
    .curve(curveMonotoneX)
  const every = Math.ceil(points.length / 5)
  const last = points.at(-1)
  return (
    <figure className="chart">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={caption}>
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line className="grid" x1="30" x2={width} y1={y(part * highest)} y2={y(part * highest)} />
            <text className="tick" x="22" y={y(part * highest) + 4} textAnchor="end">
              {format(part * highest)}
            </text>
          </g>
        ))}
        <path className="fill" d={over([...points]) ?? ""} />
        <path className="stroke" d={along([...points]) ?? ""} />
        {last !== undefined && (
          <circle className="dot" cx={x(points.length - 1)} cy={y(last.value)} r="3.5" />
        )}
        {points.map(({ label }, index) =>
          index % every === 0 ? (
            <text key={label} className="tick" x={x(index)} y={height - 4} textAnchor="middle">
              {label}
            </text>
          ) : null
        )}
      </svg>
      <HiddenTable caption={caption} points={points} format={format} />
    </figure>
  )
}

/** What a whole is made of: one bar, and its parts named below. */
export const ShareBar = ({ caption, format, points }: TableProps): ReactElement => {
  const total = points.reduce((sum, { value }) => sum + value, 0)
  const startOf = (index: number): number => points.slice(0, index).reduce((sum, { value }) => sum + value, 0)
  return (
    <figure className="share">
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label={caption}>
        {total === 0 && <rect className="none" width="100" height="4" />}
        {total > 0 &&
          points.map(({ label, value }, index) => (
            <rect
              key={label}
              data-series={(index % 7) + 1}
              x={(startOf(index) / total) * 100}
              width={Math.max(0, (value / total) * 100 - 0.35)}
              height="4"
            />
          ))}
      </svg>
      <ul>
        {points.map(({ label, value }, index) => (
          <li key={label}>
            <span data-series={(index % 7) + 1} />
            {label}
            <b className="number">{format(value)}</b>
          </li>
        ))}
      </ul>
    </figure>
  )
}
