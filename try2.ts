import { operations } from "@quartet/sdk/extend/catalogue"
import { shapeOf } from "./core/platform/fields.js"
const seen = new Set<unknown>()
const out = new Set<string>()
const walk = (shape: any, path: string) => {
  if (seen.has(shape)) return
  seen.add(shape)
  for (const [name, f] of shape.fields) { const s = f(); const inner = s.item?.() ?? s; if (/(^_id|Ids?|^ids)$/.test(name) && !inner.isId) out.add(`${path}.${name}`); walk(s, `${path}.${name}`); if (s.item) walk(s.item(), `${path}.${name}[]`) }
}
for (const o of operations) { const d = o.declaration() as any; walk(shapeOf(d.input.ast), `${o.name}<`); if ("page" in d.success) walk(shapeOf(d.success.page.ast), `${o.name}>`); else if ("ast" in d.success) walk(shapeOf(d.success.ast), `${o.name}>`) }
console.log([...out].join("\n"))
