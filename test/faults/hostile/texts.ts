/** Text that breaks software: what people have smuggled through paths, queries, headers and names, and mixtures of it. */
import type { Random as Seeded } from "@quartet/sandbox/extend"

const long = "long ".repeat(400)

const words = `
  . .. ... %2e%2e %2E%2e%2F %252e%252e%252f ../../etc/passwd a/b / // ?x=1 a?b #fragment a&b=c a=b
  ;v=1 a,b , | a|b|TEXT <script>alert(1)</script> <5 > !=|x| ' {id} {projectId} % %0 %zz %00 +
  __proto__ constructor prototype toString hasOwnProperty toJSON then null undefined NaN true 0 -0
  1e400 9007199254740993 2024-02-30T10:00:00Z 2024-02-29T10:00:00Z 0x7f000001 javascript:alert(1)
  data:text/html,x file:///etc/passwd [::1]
`

const known: ReadonlyArray<string> = [
  ...words.trim().split(/\s+/),
  ...["", " ", "..\\..\\windows", "\\\\", "a\\b", '"', "`", "' OR 1=1 --", "$where", "$" + "{7*7}"],
  ...["%0d%0aset-cookie: a=b", "a+b c", "\r\n", "x\r\nx-evil: 1", "x\ny", "\u0000", "a\u0000b", "\t"],
  ...["\u007f", "\u0085", "\u2028", "\ufeff", "\u202egnp.exe", "é", "e\u0301", "ß", "İ", "日本語", "👩‍👩‍👧"],
  ...["\ud83d\ude00", "\ud800", "\udc00x", "a\ud83d", "＠", "．．", "／", long]
]

/** Text that leads to another origin, where something resolves it. */
const away = (evil: string): ReadonlyArray<string> => [
  `@${evil}/`,
  `//${evil}/`,
  `/\\${evil}/`,
  `\\\\${evil}\\`,
  `http://${evil}/`,
  `https:${evil}`,
  `.${evil}`,
  `:80@${evil}`,
  `x@${evil}`,
  `%40${evil}`,
  `\t//${evil}`,
  `..//${evil}`
]

const units = (random: Seeded.Random, count: number): string =>
  Array.from({ length: count }, () => {
    const range = random.pick([0x20, 0x80, 0x100, 0x3000, 0x10000])
    return String.fromCharCode(random.int(0, range - 1))
  }).join("")

/** One hostile text. `evil` is the host and port of an origin that must never be called. */
export const text = (random: Seeded.Random, evil: string): string => {
  const kind = random.next()
  if (kind < 0.45) return random.pick(known)
  if (kind < 0.6) return random.pick(away(evil))
  if (kind < 0.75) return random.pick(known) + random.pick([...away(evil), ...known])
  if (kind < 0.95) return units(random, random.int(1, 12))
  return random.pick(known) + units(random, random.int(1, 40)) + random.pick(known)
}
