/** Signing in: the seeded accounts by one press, or any other by e-mail and password. */
import { type FormEvent, type ReactElement, useState } from "react"
import { useSession } from "../../../rx/index.js"
import { admins, type Seeded } from "../../app/config.js"
import { explain, isCallError } from "../../app/explain.js"
import { admin } from "../../app/query-clients.js"
import { Button } from "../../design/button.js"
import { TextField } from "../../design/field.js"
import { Icon, Mark } from "../../design/icon.js"
import { Avatar } from "../../design/show.js"
import { Note } from "../../design/state.js"

export interface SignInProps {
  readonly title: string
  readonly lead: string
  readonly accounts: ReadonlyArray<Seeded>
  readonly busy: boolean
  readonly error: unknown
  readonly onSignIn: (email: string, password: string) => void
}

/** The accounts and the form, for administrators and end users alike. */
export const SignInForm = (props: SignInProps): ReactElement => {
  const [email, setEmail] = useState("")
  const [password, setPassword] = useState("")
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    props.onSignIn(email, password)
  }
  const failure =
    props.error === undefined ? undefined : explain(isCallError(props.error) ? props.error : undefined)
  return (
    <>
      <h1>{props.title}</h1>
      <p className="lead">{props.lead}</p>
      <div className="card">
        {props.accounts.map((account) => (
          <button
            key={account.email}
            type="button"
            className="account"
            aria-disabled={props.busy || undefined}
            onClick={() => props.busy || props.onSignIn(account.email, account.password)}
          >
            <Avatar name={account.name} />
            <span>
              <strong>{account.name}</strong>
              <span className="faint">{account.about}</span>
            </span>
            <Icon name="next" />
          </button>
        ))}
      </div>
      <p className="or">or with your own account</p>
      <form className="form" onSubmit={submit}>
        {failure !== undefined && (
          <div role="alert">
            <Note tone="bad">
              <strong>{failure.title}.</strong> {failure.advice}
            </Note>
          </div>
        )}
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={setEmail}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
        />
        <Button kind="primary" submit wide busy={props.busy}>
          {props.busy ? "Signing in…" : "Sign in"}
        </Button>
      </form>
    </>
  )
}

/** The page that administrators meet first. */
export const SignIn = (): ReactElement => {
  const session = useSession(admin.session)
  return (
    <div className="sign-in">
      <main>
        <div className="brand">
          <Mark />
          Quartet
        </div>
        <SignInForm
          title="Sign in to the console"
          lead="This is a sandbox: choose a person and look around."
          accounts={admins}
          busy={session.status === "signing-in"}
          error={session.status === "signed-out" ? session.error : undefined}
          onSignIn={(email, password) => void session.signIn({ email, password })}
        />
      </main>
    </div>
  )
}
