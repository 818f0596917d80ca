/** What the matrix and the program tell each other. */

/** The sandbox: its address and its accounts. */
export interface Platform {
  readonly baseUrl: string
  readonly projectId: string
  readonly apiKey: string
  readonly admin: Account
  readonly viewer: Account
  readonly endUser: Account
}

interface Account {
  readonly email: string
  readonly password: string
}

/** What came of each part: `works`, or why it does not. */
export type Outcome = Readonly<Record<string, string>>
