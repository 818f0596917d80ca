/** The sessions. They end by time, by `clear`, and with the account. */

export interface Session {
  /** Id of the admin or end user. */
  readonly owner: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** The lifetime of sessions and access tokens, in milliseconds. */
export const lifetime = 12 * 3_600_000

export class Sessions {
  /** Ids (`jti`) of the valid access tokens, with their admins. */
  readonly tokens = new Map<string, string>()
  readonly admins = new Map<string, Session>()
  readonly users = new Map<string, Session>()

  /** Ends all sessions. */
  clear(): void {
    for (const kind of [this.tokens, this.admins, this.users]) kind.clear()
  }

  /** Ends the sessions of one account. */
  end(owner: string): void {
    for (const [name, admin] of this.tokens) if (admin === owner) this.tokens.delete(name)
    for (const kind of [this.admins, this.users]) {
      for (const [id, session] of kind) if (session.owner === owner) kind.delete(id)
    }
  }
}
