/** Loads entries, then runs samples, all in this process: takes the platform, the entries and the samples as JSON; prints what came of them. */
const [, , platform = "", entries = "", samples = ""] = process.argv

const outcome = async (): Promise<unknown> => {
  const missing: Record<string, string> = {}
  for (const entry of JSON.parse(entries))
    await import(entry).catch((error: unknown) => {
      missing[entry] = /'(.+?)'/.exec(String(error))?.[1] ?? String(error)
    })
  const printed: Record<string, unknown> = {}
  for (const name of JSON.parse(samples)) {
    const { sample } = await import(`./${name}.js`)
    printed[name] = await sample(JSON.parse(platform))
  }
  return { missing, printed }
}

outcome().then((all) => {
  console.log(JSON.stringify(all))
  process.exit()
})
