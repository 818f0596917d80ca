/** What the trial tells the samples. */
export interface Platform {
  readonly baseUrl: string
  readonly projectId: string
  readonly email: string
  readonly password: string
}
