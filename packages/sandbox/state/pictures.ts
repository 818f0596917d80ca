/** Small pictures in plain shapes, drawn as SVG: façades, rooms, a plan, and what people photograph. */

/** A picture: its name as a file, and its SVG. */
export interface Picture {
  readonly name: string
  readonly svg: string
}

const width = 320
const height = 240

const box = (x: number, y: number, wide: number, high: number, fill: string): string =>
  `<rect x="${x}" y="${y}" width="${wide}" height="${high}" fill="${fill}"/>`

const disc = (x: number, y: number, radius: number, fill: string): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`

const drawn = (...shapes: ReadonlyArray<string>): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${shapes.join("")}</svg>\n`

/** Windows in rows, of which every fifth is lit. */
const windows = (columns: number, rows: number, left: number, top: number, glass: string): string =>
  Array.from({ length: columns * rows }, (_, index) =>
    box(
      left + (index % columns) * 34,
      top + Math.floor(index / columns) * 32,
      20,
      20,
      index % 5 === 3 ? "#ffd98a" : glass
    )
  ).join("")

const facade = (sky: string, wall: string, glass: string, floors: number): string => {
  const top = 206 - floors * 32
  return drawn(
    box(0, 0, width, height, sky),
    disc(272, 44, 18, "#fff4d6"),
    box(64, top - 14, 192, 220 - top, wall),
    windows(5, floors - 1, 82, top, glass),
    box(146, 176, 28, 34, "#5b4636"),
    box(0, 206, width, 34, "#7d9a6b")
  )
}

const room = (wall: string, floor: string, ...things: ReadonlyArray<string>): string =>
  drawn(box(0, 0, width, 168, wall), box(0, 168, width, 72, floor), ...things)

/** The pictures, those of homes first. */
export const pictures: ReadonlyArray<Picture> = [
  { name: "facade-garden.svg", svg: facade("#cfe3f2", "#d9b99b", "#6d8798", 5) },
  { name: "facade-terrace.svg", svg: facade("#dfe6ee", "#b7c0c7", "#4f6475", 4) },
  { name: "facade-court.svg", svg: facade("#f3e0cf", "#a5614a", "#f1e9df", 6) },
  { name: "facade-park.svg", svg: facade("#d5ead9", "#f0ead8", "#5d7f86", 3) },
  {
    name: "living-room.svg",
    svg: room(
      "#efe7da",
      "#b98d62",
      box(196, 34, 90, 84, "#a9cbe0"),
      box(36, 120, 132, 34, "#57748a"),
      box(28, 140, 148, 44, "#6b8aa1"),
      box(210, 172, 62, 10, "#6e4f36")
    )
  },
  {
    name: "kitchen.svg",
    svg: room(
      "#e6ece8",
      "#9a9389",
      box(24, 28, 272, 44, "#f8f8f4"),
      box(24, 112, 272, 70, "#7f9a8c"),
      box(24, 104, 272, 10, "#d8cbb5"),
      box(132, 82, 42, 22, "#c9d3d8")
    )
  },
  {
    name: "bedroom.svg",
    svg: room(
      "#dcd9e8",
      "#8f7a66",
      box(60, 88, 200, 40, "#6d5c7d"),
      box(52, 128, 216, 56, "#f6f3ee"),
      box(76, 112, 64, 24, "#ffffff"),
      box(180, 112, 64, 24, "#ffffff")
    )
  },
  {
    name: "balcony.svg",
    svg: drawn(
      box(0, 0, width, height, "#bfdcee"),
      '<path d="M0 170 70 96l54 50 66-84 130 108z" fill="#7f9c8b"/>',
      box(0, 164, width, 8, "#54606a"),
      ...Array.from({ length: 16 }, (_, index) => box(8 + index * 20, 172, 4, 52, "#54606a")),
      box(0, 224, width, 16, "#a98f78")
    )
  },
  {
    name: "floor-plan.svg",
    svg: drawn(
      box(0, 0, width, height, "#ffffff"),
      '<path d="M30 30h260v180H30zM160 30v110M30 140h190M220 140v70" fill="none" stroke="#2d3a45" stroke-width="6"/>',
      box(120, 137, 26, 6, "#ffffff"),
      box(217, 160, 6, 26, "#ffffff")
    )
  },
  {
    name: "parking.svg",
    svg: drawn(
      box(0, 0, width, height, "#8b9197"),
      ...[40, 120, 200, 280].map((x) => box(x, 40, 5, 170, "#f4f4ef")),
      box(136, 74, 52, 104, "#b3443c"),
      box(144, 96, 36, 26, "#d6e4ec")
    )
  },
  {
    name: "wet-ceiling.svg",
    svg: room(
      "#f2efe6",
      "#c9d6da",
      disc(150, 34, 46, "#d9c49a"),
      disc(176, 44, 30, "#cbb07c"),
      ...[140, 164, 188].map((x, index) => disc(x, 96 + index * 14, 5, "#6aa5c9")),
      box(70, 150, 180, 50, "#ffffff")
    )
  },
  {
    name: "lift-door.svg",
    svg: room(
      "#cfd2d4",
      "#7b7f83",
      box(96, 30, 128, 140, "#9aa3aa"),
      box(158, 30, 4, 140, "#5d656c"),
      box(240, 92, 18, 34, "#eceff1"),
      disc(249, 102, 5, "#c0392b")
    )
  },
  {
    name: "autumn-offer.svg",
    svg: drawn(
      box(0, 0, width, height, "#e9b44c"),
      disc(84, 90, 54, "#c8553d"),
      disc(210, 140, 76, "#f28f3b"),
      box(0, 190, width, 50, "#588b8b")
    )
  },
  {
    name: "show-flat.svg",
    svg: drawn(
      box(0, 0, width, height, "#29506d"),
      '<path d="M60 130 160 52l100 78v80H60z" fill="#f4f1ea"/>',
      box(140, 150, 40, 60, "#c8553d")
    )
  }
]
