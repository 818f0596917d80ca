/** Hands data to the user as a file. */
export const saveFile = (data: BlobPart, name: string, type: string): void => {
  const url = URL.createObjectURL(new Blob([data], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
