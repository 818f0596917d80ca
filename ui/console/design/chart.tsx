/**
 * The console's chart, drawn as SVG, with the same figures as a table for screen readers. One chart does not pay for a
 * library: the smallest that draws it costs more than this whole file.
 */
import type { ReactElement } from "react"

/** One figure with its name. */
export interface Point {
  readonly label: string
  readonly value: number
}

const textClass = "fill-faint stroke-0 text-[11px] tabular-nums max-md:text-[15px]"

const width = 480
const height = 168
const bottom = 22
const top = 12

/** The next round number above the highest value. */
const ceiling = (highest: number): number => {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, highest)))
  return Math.max(1, Math.ceil(highest / (step / 2)) * (step / 2))
}

/** Growth over time. */
export const TrendChart = (props: {
  readonly caption: string
  readonly points: ReadonlyArray<Point>
}): ReactElement => {
  const { caption, points } = props
  const highest = ceiling(Math.max(...points.map(({ value }) => value)))
  const x = (index: number): number => 30 + (index / Math.max(1, points.length - 1)) * (width - 46)
  const y = (value: number): number => height - bottom - (value / highest) * (height - bottom - top)
  const along = points.map(({ value }, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join("L")
  const every = Math.ceil(points.length / 5)
  const end = x(points.length - 1)
  return (
    <figure>
      <svg
        className="h-auto w-full overflow-visible stroke-2"
        strokeLinejoin="round"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={caption}
      >
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <path
              className="stroke-line stroke-1"
              strokeDasharray="2 4"
              d={`M30,${y(part * highest)}H${width}`}
            />
            <text className={textClass} x="22" y={y(part * highest) + 4} textAnchor="end">
              {Math.round(part * highest)}
            </text>
          </g>
        ))}
        <path className="fill-chart/14" d={`M${x(0)},${y(0)}L${along}L${end},${y(0)}Z`} />
        <path className="fill-none stroke-chart" d={`M${along}`} />
        <circle className="fill-surface stroke-chart" cx={end} cy={y(points.at(-1)?.value ?? 0)} r="3.5" />
        {points.map(
          ({ label }, index) =>
            index % every === 0 && (
              <text key={label} className={textClass} x={x(index)} y={height - 4} textAnchor="middle">
                {label}
              </text>
            )
        )}
      </svg>
      <table className="sr-only">
        <caption>{caption}</caption>
        <tbody>
          {points.map(({ label, value }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
