/** The sign-in: the accounts of the sandbox with one click, any other by e-mail and password. */

import { useSession } from "@quartet/react"
import { isCallError } from "@quartet/sdk/extend"
import { Link } from "@swan-io/chicane"
import { type ReactElement, type ReactNode, type Ref, useEffect, useRef, useState } from "react"
import { useCell, useCellValue } from "../../app/cells.js"
import { accounts, type Person, platform, projectId } from "../../app/config.js"
import * as Drafts from "../../app/drafts.js"
import { explain, signedOut } from "../../app/explain.js"
import { type Account, isShared, sessions } from "../../app/query-clients.js"
import { Router } from "../../app/routes.js"
import { projectName } from "../../app/summary.js"
import { settle } from "../../app/toasts.js"
import { type FieldState, Form, useForm } from "../../data/form.js"
import { Button } from "../../design/button.js"
import { Dialog } from "../../design/dialog.js"
import { TextField } from "../../design/field.js"
import { Brand, Icon } from "../../design/icon.js"
import { Avatar, Card } from "../../design/show.js"
import { Banner, Note, SkeletonRows } from "../../design/state.js"

/** What was there before a sign-in stays while it runs, and after it failed. */
export const useSettled = <A,>(present: A, isSigningIn: boolean): A => {
  const [settled, setSettled] = useState(present)
  if (!isSigningIn && present !== settled) setSettled(present)
  return settled
}

/** Whether no platform answered. */
const isSilent = (error: unknown): boolean =>
  isCallError(error) && (error._tag === "NetworkError" || error._tag === "DeadlineExceeded")

/** The password, which can be shown while it is written. */
const Password = ({
  place,
  ...field
}: FieldState<string> & { readonly place: Ref<HTMLDivElement> }): ReactElement => {
  const [isShown, setShown] = useState(false)
  return (
    <div className="relative" ref={place}>
      <TextField
        label="Password"
        type={isShown ? "text" : "password"}
        autoComplete="current-password"
        required
        {...field}
      />
      <Button
        kind="ghost"
        size="s"
        className="absolute -top-1 right-0 pointer-coarse:-top-3"
        onClick={() => setShown(!isShown)}
      >
        {isShown ? "Hide password" : "Show password"}
      </Button>
    </div>
  )
}

/** The accounts and the form, for administrators and end users alike. */
const Credentials = ({ as }: { readonly as: Person }): ReactElement => {
  const session = useSession(sessions[as])
  const [error, setError] = useState<unknown>()
  const [last, setLast] = useState<Account>()
  const place = useRef<HTMLDivElement>(null)
  const [shared, setShared] = useCell(isShared)
  const busy = session.status === "signing-in"
  const signIn = async ({ email, password }: Account): Promise<void> => {
    if (busy) return
    setLast({ email, password })
    const outcome = await session.signIn({ email, password })
    setError(outcome.status === "error" ? outcome.error : undefined)
    if (outcome.status === "error" && !isSilent(outcome.error)) place.current?.querySelector("input")?.focus()
  }
  const form = useForm({ email: "", password: "" }, (values) => void signIn(values))
  const cause = error ?? (session.status === "signed-out" ? session.error : undefined)
  const failure = cause === undefined ? undefined : explain(cause)
  return (
    <>
      {accounts !== undefined && (
        <>
          <Card flush>
            {accounts[as].map((account) => (
              <button
                key={account.email}
                type="button"
                className="flex w-full items-center gap-3 border-line px-3.5 py-3 text-left -outline-offset-2 not-first:border-t first:rounded-t-lg last:rounded-b-lg hover:bg-hover"
                aria-disabled={busy || undefined}
                onClick={() => void signIn(account)}
              >
                <Avatar name={account.name} />
                <span className="grid flex-1">
                  <strong>{account.name}</strong> <span className="faint">{account.about}</span>
                </span>
                <Icon name="next" />
              </button>
            ))}
          </Card>
          <p className="my-5 text-center faint">or with your own account</p>
        </>
      )}
      <Form of={form}>
        {failure !== undefined && (
          <div role="alert">
            <Note tone="bad">
              {isSilent(cause) ? (
                <>
                  <strong className="wrap-anywhere">The platform at {platform} is not answering.</strong>
                  <span className="row mt-2">
                    {last && (
                      <Button size="s" busy={busy} onClick={() => void signIn(last)}>
                        Try again
                      </Button>
                    )}
                    <Link to={Router.Settings()}>Change the address</Link>
                  </span>
                </>
              ) : (
                <>
                  <strong>{failure.title}.</strong> {failure.advice}
                </>
              )}
            </Note>
          </div>
        )}
        <TextField label="Email" type="email" autoComplete="username" required {...form.field("email")} />
        <Password place={place} {...form.field("password")} />
        <label className="flex items-center gap-2">
          <input type="checkbox" checked={shared} onChange={(event) => setShared(event.target.checked)} />
          <span>
            Keep me signed in in this browser
            <span className="block faint">In all its tabs, until you sign out or the session ends</span>
          </span>
        </label>
        <Button kind="primary" type="submit" className="w-full" busy={busy}>
          {busy ? "Signing in…" : "Sign in"}
        </Button>
      </Form>
    </>
  )
}

/** The page, or the part of a page, that asks who one is. */
const SignInForm = (props: {
  readonly as: Person
  readonly title: string
  readonly lead: ReactNode
}): ReactElement => {
  const place = useRef<HTMLDivElement>(null)
  // What held the focus goes with the page before, and with this one: it moves to the first account or field, and to the page that comes.
  useEffect(() => {
    place.current?.querySelector<HTMLElement>("button, input")?.focus()
    return () => document.querySelector("main")?.focus()
  }, [])
  return (
    <section ref={place} aria-label={props.title}>
      <div className="mb-6 text-center text-muted">
        <h1 className="text-ink wrap-anywhere">{props.title}</h1>
        {props.lead}
      </div>
      <Credentials as={props.as} />
    </section>
  )
}

/** A page that an end user sees, once it is known which one. */
export const SignedIn = ({ children }: { readonly children: ReactNode }): ReactNode => {
  const { status } = useSession(sessions.endUser)
  const settled = useSettled(status, status === "signing-in")
  if (settled === "signed-in") return children
  if (settled === "signing-in") return <SkeletonRows rows={8} />
  return (
    <div className="mx-auto max-w-100">
      <SignInForm
        title="View as an end user"
        lead={<p>Choose someone who uses your product.</p>}
        as="endUser"
      />
    </div>
  )
}

/** Asks again, over the page, where the platform no longer takes the session: the page stays with all that is written. */
export const SignInAgain = ({ as }: { readonly as: Person }): ReactElement | null => {
  const session = useSession(sessions[as])
  const present = session.status === "signed-in" ? session.refusal : undefined
  const { admin, user } = session.status === "signed-in" ? Object(session.identity) : {}
  const person: string | undefined = (admin ?? user)?._id
  // Somebody else begins on a page without what the one before has written.
  useEffect(() => {
    if (person !== undefined && Drafts.claim(as, person)) window.location.reload()
  }, [as, person])
  const refusal = useSettled(present, session.status === "signing-in")
  const [putOff, setPutOff] = useState<unknown>()
  const isRefused = refusal !== undefined
  // What was reported of it is over with it.
  useEffect(() => (isRefused ? () => settle(signedOut) : undefined), [isRefused])
  if (!isRefused) return null
  return (
    <>
      <Banner>
        You are signed out. What you see may be out of date.{" "}
        <Button size="s" onClick={() => setPutOff(undefined)}>
          Sign in again
        </Button>
      </Banner>
      <Dialog
        open={putOff !== refusal}
        onClose={() => setPutOff(refusal)}
        title="Sign in again"
        description="Your session has ended. This page and what you have typed are kept."
      >
        <Credentials as={as} />
      </Dialog>
    </>
  )
}

/** What the page says before anybody signs in. */
const Lead = (): ReactNode => (
  <>
    {accounts !== undefined && <p>This is a sandbox: choose a person and look around.</p>}
    {projectId === "" && (
      <p>
        The project and its key are missing: <Link to={Router.Settings()}>fill them in</Link> first.
      </p>
    )}
    <p className="faint wrap-anywhere">{platform}</p>
  </>
)

/** The first page for administrators; only its brand while a stored session is read. */
export const SignIn = ({ isOpening }: { readonly isOpening: boolean }): ReactElement => {
  const name = useCellValue(projectName) ?? "the console"
  return (
    <div
      className="grid min-h-dvh place-items-center p-6"
      {...(isOpening ? { role: "status", "aria-label": "Loading" } : {})}
    >
      <main className="w-full max-w-100" tabIndex={-1}>
        <Brand className="mb-7 justify-center text-lg" />
        {!isOpening && <SignInForm as="admin" title={`Sign in to ${name}`} lead={<Lead />} />}
      </main>
    </div>
  )
}
