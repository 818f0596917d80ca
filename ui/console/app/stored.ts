/** Reads what the browser's storage keeps as JSON: an object without fields where that is nothing, or none of ours. */
export const parse = (text: string | null): Readonly<Record<string, unknown>> => {
  try {
    return Object(JSON.parse(text ?? "{}"))
  } catch {
    return {}
  }
}
