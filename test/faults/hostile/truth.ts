/** Whether a value that the SDK read from an answer is what the answer says: written apart from the SDK's own rules. */

const isoForm = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/

/** The time that an ISO date-time says; undefined for other text and for impossible dates. */
const timeOf = (text: string): number | undefined => {
  // Every date-time of the specification's form is shorter.
  const match = text.length <= 40 ? isoForm.exec(text) : null
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second = "00", fraction = "", zone = ""] = match
  const noon = new Date(`${year}-${month}-${day}T12:00:00Z`)
  const isDay = Number.isFinite(noon.getTime()) && noon.toISOString().startsWith(`${year}-${month}-${day}`)
  if (!isDay || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction.slice(0, 4)}${zone}`)
  return Number.isFinite(time) ? time : undefined
}

const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Whether a JavaScript number cannot hold a number, or could not be told from one that it cannot. */
const isBeyond = (token: string): boolean => {
  if (token.startsWith('"')) return false
  if (!Number.isFinite(Number(token))) return true
  const size = /^-?\d+$/.test(token) ? BigInt(token.replace("-", "")) : 0n
  return size > 2n ** 53n
}

/** What a JSON text says, with the decimal text of each number that JavaScript cannot hold. */
export const saidIn = (json: string): unknown =>
  JSON.parse(json.replaceAll(tokens, (token) => (isBeyond(token) ? `"${token}"` : token)))

/** What is wrong with a value, where something is; `field` says where. */
export const difference = (value: unknown, said: unknown, field = "the answer"): string | undefined => {
  if (value instanceof Date) {
    const time = typeof said === "string" ? timeOf(said) : undefined
    return time === value.getTime() ? undefined : `${field} became a date`
  }
  if (typeof said === "string") {
    if (value !== said) return `${field} is another text`
    // Declared as text: ids and types stay what they are.
    return timeOf(said) === undefined ? undefined : `${field} did not become a date`
  }
  if (typeof said !== "object" || said === null)
    return Object.is(value, said) ? undefined : `${field} is another value`
  if (typeof value !== "object" || value === null) return `${field} is no longer an object`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== (Array.isArray(said) ? Array.prototype : Object.prototype))
    return `${field} has another prototype`
  for (const key of Object.keys(value)) if (!Object.hasOwn(said, key)) return `${field}.${key} was not said`
  for (const key of Object.keys(said)) {
    // A key of that name may be dropped; it must not become a prototype.
    if (key === "__proto__" && !Object.hasOwn(value, key)) continue
    const inner = difference(
      Object.getOwnPropertyDescriptor(value, key)?.value,
      Object.getOwnPropertyDescriptor(said, key)?.value,
      `${field}.${key}`
    )
    if (inner !== undefined) return inner
  }
  return undefined
}

export const isPolluted = (): boolean => {
  for (const _ in {}) return true
  return Reflect.get({}, "polluted") !== undefined
}
