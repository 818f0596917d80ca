/** The commands, and what each does in one line: all that the list of commands has to load. */
export const summaries = {
  sandbox: "Serves the whole platform from memory, with seeded data and real state",
  tour: "Walks through a sandbox with all four clients, and keeps serving it",
  console: "Serves the console for a platform, to this machine alone",
  operations: "Searches all calls by words of their names, summaries and paths",
  call: "Makes one call, of any client, and prints its answer",
  generate: "Writes types, schemas and collections of a project's content models",
  record: "Learns the types of a platform's answers from its traffic, and writes them",
  adapt: "Recognises how a platform differs by a handful of reads, and writes what to tell the clients",
  job: "Runs durable jobs of many items: import, export, notify, refund, or your own",
  doctor: "Checks versions, address, clock, credentials and permissions, and says what to do",
  mcp: "Serves the Model Context Protocol on stdin and stdout, for programs with a language model"
} as const

/** The name of a command. */
export type Name = keyof typeof summaries

export const isName = (word: string | undefined): word is Name =>
  word !== undefined && Object.hasOwn(summaries, word)
