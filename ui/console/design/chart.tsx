/**
 * The console's two charts, drawn as SVG, with the same figures as a table for screen readers. Two charts
 * do not pay for a library: the smallest that draws them costs more than this whole file.
 */
import type { ReactElement } from "react"
import styles from "./chart.module.css"
import typography from "./typography.module.css"

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
  <table className={typography.hidden}>
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

const colourOf = (index: number): string => `var(--chart-${(index % 7) + 1})`

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
export const TrendChart = ({ caption, format, points }: TableProps): ReactElement => {
  const highest = ceiling(Math.max(...points.map(({ value }) => value)))
  const x = (index: number): number => 30 + (index / Math.max(1, points.length - 1)) * (width - 46)
  const y = (value: number): number => height - bottom - (value / highest) * (height - bottom - top)
  const along = points.map(({ value }, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join("L")
  const every = Math.ceil(points.length / 5)
  const last = points.at(-1)
  const main = colourOf(0)
  return (
    <figure className={styles.chart}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={caption}>
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line x1="30" x2={width} y1={y(part * highest)} y2={y(part * highest)} />
            <text x="22" y={y(part * highest) + 4} textAnchor="end">
              {format(part * highest)}
            </text>
          </g>
        ))}
        <path
          fill={main}
          fillOpacity="0.14"
          d={`M${x(0)},${y(0)}L${along}L${x(points.length - 1)},${y(0)}Z`}
        />
        <path fill="none" stroke={main} d={`M${along}`} />
        {last !== undefined && (
          <circle fill="var(--surface)" stroke={main} cx={x(points.length - 1)} cy={y(last.value)} r="3.5" />
        )}
        {points.map(({ label }, index) =>
          index % every === 0 ? (
            <text key={label} x={x(index)} y={height - 4} textAnchor="middle">
              {label}
            </text>
          ) : null
        )}
      </svg>
      <HiddenTable caption={caption} points={points} format={format} />
    </figure>
  )
}

/** The parts of a whole: one bar, with their names below. */
export const ShareBar = ({ caption, format, points }: TableProps): ReactElement => {
  const total = points.reduce((sum, { value }) => sum + value, 0)
  const startOf = (index: number): number => points.slice(0, index).reduce((sum, { value }) => sum + value, 0)
  return (
    <figure className={styles.share}>
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label={caption}>
        {total > 0 &&
          points.map(({ label, value }, index) => (
            <rect
              key={label}
              fill={colourOf(index)}
              x={(startOf(index) / total) * 100}
              width={Math.max(0, (value / total) * 100 - 0.35)}
              height="4"
            />
          ))}
      </svg>
      <ul>
        {points.map(({ label, value }, index) => (
          <li key={label}>
            <svg width="8" height="8" aria-hidden="true">
              <rect width="8" height="8" rx="2" fill={colourOf(index)} />
            </svg>
            {label}
            <b className={typography.number}>{format(value)}</b>
          </li>
        ))}
      </ul>
    </figure>
  )
}
