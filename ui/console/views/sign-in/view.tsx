/** The sign-in: seeded accounts with one click, or any other by e-mail and password. */
import { type ReactElement, useEffect } from "react"
import { useSession } from "../../../rx/index.js"
import { admins, type DemoAccount } from "../../app/config.js"
import { explain } from "../../app/explain.js"
import { admin } from "../../app/query-clients.js"
import shell from "../../app/shell.module.css"
import { Button } from "../../design/button.js"
import { TextField } from "../../design/field.js"
import { Form, useForm } from "../../design/form.js"
import { Icon, Mark } from "../../design/icon.js"
import { Avatar, Card } from "../../design/show.js"
import { Note } from "../../design/state.js"
import typography from "../../design/typography.module.css"
import styles from "./sign-in.module.css"

export interface SignInProps {
  readonly title: string
  readonly lead: string
  readonly accounts: ReadonlyArray<DemoAccount>
  readonly busy: boolean
  readonly error: unknown
  readonly onSignIn: (email: string, password: string) => void
}

/** The accounts and the form, for administrators and end users alike. */
export const SignInForm = (props: SignInProps): ReactElement => {
  const form = useForm({ email: "", password: "" }, ({ email, password }) => props.onSignIn(email, password))
  const failure = props.error === undefined ? undefined : explain(props.error)
  return (
    <>
      <h1 className={styles.title}>{props.title}</h1>
      <p className={styles.lead}>{props.lead}</p>
      <Card flush>
        {props.accounts.map((account) => (
          <button
            key={account.email}
            type="button"
            className={styles.account}
            aria-disabled={props.busy || undefined}
            onClick={() => props.busy || props.onSignIn(account.email, account.password)}
          >
            <Avatar name={account.name} size="l" />
            <span>
              <strong>{account.name}</strong>
              <span className={typography.faint}>{account.about}</span>
            </span>
            <Icon name="next" />
          </button>
        ))}
      </Card>
      <p className={styles.or}>or with your own account</p>
      <Form of={form}>
        {failure !== undefined && (
          <div role="alert">
            <Note tone="bad">
              <strong>{failure.title}.</strong> {failure.advice}
            </Note>
          </div>
        )}
        <TextField label="E-mail" type="email" autoComplete="username" required {...form.field("email")} />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          {...form.field("password")}
        />
        <Button kind="primary" submit wide busy={props.busy}>
          {props.busy ? "Signing in…" : "Sign in"}
        </Button>
      </Form>
    </>
  )
}

const Brand = (): ReactElement => (
  <div className={`${shell.brand} ${styles.brand}`}>
    <Mark />
    Quartet
  </div>
)

/** Shown while a stored session is read. */
export const Opening = (): ReactElement => (
  <div className={styles.page} role="status" aria-label="Loading">
    <Brand />
  </div>
)

/** The first page for administrators. */
export const SignIn = (): ReactElement => {
  const session = useSession(admin.session)
  // What held the focus goes with this page: it moves to the one that comes.
  useEffect(() => () => document.querySelector("main")?.focus(), [])
  return (
    <div className={styles.page}>
      <main>
        <Brand />
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
