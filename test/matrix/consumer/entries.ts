/** Loads entries of the packages by `import` or, where this is compiled to CommonJS, by `require`; prints those that fail. */
const [, , ...entries] = process.argv

const load = async (): Promise<Record<string, string>> => {
  const failed: Record<string, string> = {}
  for (const entry of entries) {
    try {
      await import(entry)
    } catch (error) {
      failed[entry] = String(error)
    }
  }
  return failed
}

load().then((failed) => {
  console.log(JSON.stringify(failed))
  process.exit()
})
