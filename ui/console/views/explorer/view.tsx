/** The API explorer: every call of every client with its form and what it needs, sent live, and shown as code. */
import { Link } from "@swan-io/chicane"
import * as Either from "effect/Either"
import { type ReactElement, useMemo, useState } from "react"
import * as Encoder from "../../../../core/kernel/codec/encoder.js"
import { callOf } from "../../../../core/kernel/operation/operation.js"
import * as Level from "../../../../core/permissions/level.js"
import { useMutation, useSession } from "../../../rx/index.js"
import { type Entry, entries, entryOf, groupOf, knownOf, sending } from "../../app/catalogue.js"
import { baseUrl, projectId } from "../../app/config.js"
import { explain } from "../../app/explain.js"
import { Router } from "../../app/routes.js"
import { addToast } from "../../app/toasts.js"
import { viewers } from "../../app/viewer.js"
import { Button } from "../../design/button.js"
import { SearchField, Segmented, Select } from "../../design/field.js"
import { Form } from "../../design/form.js"
import layout from "../../design/layout.module.css"
import { useSchemaForm } from "../../design/schema-form.js"
import { Badge, Card, PageHead, Source, size, words } from "../../design/show.js"
import { Note } from "../../design/state.js"
import typography from "../../design/typography.module.css"
import { codeOf, curlOf } from "../../wire/code.js"
import styles from "./explorer.module.css"

const clientOf = (audience: Entry["audience"]): string =>
  viewers.find((viewer) => viewer.audience === audience)?.label ?? audience

/** The errors that a call can end with, beside those of any connection. */
const errorsOf = ({ declared, fields, isRead }: Entry): ReadonlyArray<string> => [
  ...(fields.length === 0 ? [] : ["InputError"]),
  ...(declared.requires === undefined ? [] : ["PermissionDenied"]),
  ...(declared.credentials === "none" ? [] : ["CredentialsError", "Unauthenticated"]),
  ...(fields.some(({ place }) => place === "path") ? ["NotFound"] : []),
  ...(isRead ? [] : ["Conflict", "OutcomeUnknown"]),
  "Rejected",
  "RateLimited",
  "ServerFault",
  "NetworkError",
  "DeadlineExceeded",
  "AnswerError"
]

const headers: Readonly<Record<Entry["audience"], Readonly<Record<string, string>>>> = {
  admin: { authorization: "Bearer ••••••", "x-session-id": "••••••" },
  endUser: { "x-session-id": "••••••", "x-api-key": "••••••" },
  public: { "x-api-key": "••••••" },
  private: { "x-private-key": "••••••" }
}

/** The command that sends what the client would; undefined while the input is not complete. */
const commandOf = ({ audience, declared }: Entry, input: object): string | undefined => {
  const projectInQuery = audience === "admin" && declared.credentials !== "none" && declared.host !== "legacy"
  const sent = Either.getOrUndefined(Encoder.make(declared, { prefix: "", projectId, projectInQuery })(input))
  if (sent === undefined) return undefined
  const isJson = sent.body?._tag === "Json"
  const parts = sent.body?._tag === "Form" ? sent.body.parts : []
  return curlOf({
    method: declared.method,
    origin: baseUrl,
    path: sent.path,
    headers: {
      ...(declared.credentials === "none" ? {} : headers[audience]),
      ...(isJson ? { "content-type": "application/json" } : {})
    },
    body: isJson
      ? sent.body.text
      : parts
          .map((part) => `${part.name}: ${"text" in part ? part.text : `${part.fileName} (0 bytes)`}`)
          .join("\n")
  })
}

const styleChoices = [
  { value: "curl", label: "curl" },
  { value: "effect", label: "Effect" },
  { value: "promise", label: "Promise" }
] as const

const Code = ({ input, of }: { readonly of: Entry; readonly input: Readonly<Record<string, unknown>> }) => {
  const [style, setStyle] = useState<(typeof styleChoices)[number]["value"]>("curl")
  const { audience, declared, name: operation } = of
  const text =
    style === "curl" ? commandOf(of, input) : codeOf(style, { audience, operation, declared, input })
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text ?? "")
    addToast("Copied")
  }
  return (
    <Card
      title="As code"
      action={
        <Button size="s" disabled={text === undefined} onClick={() => void copy()}>
          Copy
        </Button>
      }
    >
      <div className={layout.stack}>
        <Segmented label="Language" value={style} choices={styleChoices} onChange={setStyle} />
        <Source label="Code" text={text ?? "Fill in what is required: then the command stands here."} />
      </div>
    </Card>
  )
}

/** At most this much of an answer is shown, in characters. */
const most = 50_000

const Answer = ({ of, run }: { readonly of: Entry; readonly run: ReturnType<typeof useSent> }) => {
  if (run.status === "error") {
    const { advice, title } = explain(run.error)
    return (
      <Note tone="bad">
        <strong>{title}</strong> {advice} <code>{String(Object(run.error)._tag)}</code>
      </Note>
    )
  }
  if (run.status !== "success") return null
  if (of.isDownload) return <Note tone="good">Saved as a file: {size(Number(run.data))}.</Note>
  const text = run.data === undefined ? "No content" : JSON.stringify(run.data, null, 2)
  return (
    <Card title="Answer" action={<Badge tone="good">Done</Badge>}>
      <Source label="Answer" text={text.length > most ? `${text.slice(0, most)}\n…` : text} />
    </Card>
  )
}

const useSent = (of: Entry) => useMutation(useMemo(() => sending(of), [of]))

const One = ({ initial, of }: { readonly of: Entry; readonly initial: Readonly<Record<string, string>> }) => {
  const run = useSent(of)
  const session = useSession(of.client.session)
  const may = session.can(of.call)
  const { controls, form, input } = useSchemaForm({
    fields: of.fields.map((field) =>
      field.name === "payload" ? { ...field, known: knownOf(of.name) } : field
    ),
    isOpen: of.isOpen,
    initial,
    submit: (input) => run.mutate(input)
  })
  const { host, method, path, requires } = of.declared
  const level = Object.entries(Level).find(([, known]) => known === requires)?.[0]
  return (
    <div className={layout.stack}>
      <Card title={of.name} about={of.summary}>
        <div className={layout.stack}>
          <dl className={layout.facts}>
            <dt>Client</dt>
            <dd>{clientOf(of.audience)}</dd>
            <dt>Request</dt>
            <dd>
              <code>
                {method} /{path}
              </code>
              {host === "legacy" && <Badge>legacy</Badge>}
            </dd>
            <dt>Permission</dt>
            <dd>{level === undefined ? "None" : `${level} on ${of.name}`}</dd>
            <dt>Can fail with</dt>
            <dd className={typography.faint}>{errorsOf(of).join(", ")}</dd>
          </dl>
          <Form of={form}>
            {controls}
            {may ? (
              <Button kind={of.isRead ? "primary" : "danger-solid"} icon="send" submit busy={form.busy}>
                {of.isRead ? "Send" : "Send, and change data"}
              </Button>
            ) : (
              <Note tone="warn">
                {session.status === "signed-in"
                  ? "Your role does not allow this call."
                  : `Nobody is signed in as ${clientOf(of.audience).toLowerCase()}: choose one at “View as”.`}
              </Note>
            )}
          </Form>
        </div>
      </Card>
      <div role="status">
        <Answer of={of} run={run} />
      </div>
      <Code of={of} input={input} />
    </div>
  )
}

const choices = [
  { value: "all", label: "All clients" },
  ...viewers.map(({ audience, label }) => ({ value: audience, label }))
] as const

/** The list of calls, by what they are about. */
const Calls = ({ current }: { readonly current: string | undefined }): ReactElement => {
  const [search, setSearch] = useState("")
  const [audience, setAudience] = useState<(typeof choices)[number]["value"]>("all")
  const wanted = search.toLowerCase()
  const found = entries.filter(
    (one) =>
      (audience === "all" || one.audience === audience) &&
      `${one.key} ${one.summary} ${one.declared.path}`.toLowerCase().includes(wanted)
  )
  return (
    <div className={layout.stack}>
      <SearchField label="Find a call" value={search} onChange={setSearch} />
      <Select label="Calls of" hideLabel value={audience} choices={choices} onChange={setAudience} />
      <p className={typography.faint} role="status">{`${found.length} of ${entries.length} calls`}</p>
      <nav className={styles.calls} aria-label="Calls">
        {[...new Set(found.map(groupOf))].sort().map((group) => (
          <section key={group} aria-label={words(group)}>
            <h2>{words(group)}</h2>
            <ul>
              {found
                .filter((one) => groupOf(one) === group)
                .map((one) => (
                  <li key={one.key}>
                    <Link
                      to={Router.Explorer({ call: one.key })}
                      aria-current={one.key === current ? "page" : undefined}
                    >
                      <b>{one.declared.method}</b> {callOf(one.name)}{" "}
                      <small>{clientOf(one.audience).toLowerCase()}</small>
                    </Link>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  )
}

const Explorer = (): ReactElement => {
  const { call, id } = Router.useRoute(["Explorer"])?.params ?? {}
  const found = entryOf(call) ?? entryOf("admin.users.list")
  // A link from a row fills in its id.
  const initial = Object.fromEntries(
    (found?.fields ?? [])
      .filter(({ name }) => id !== undefined && name === "id")
      .map(({ name }) => [name, id ?? ""])
  )
  return (
    <>
      <PageHead
        title="Explorer"
        about="Every call of the platform: send it here, or take it along as code."
      />
      <div className={styles.split}>
        <Calls current={found?.key} />
        {found !== undefined && <One key={`${found.key} ${id}`} of={found} initial={initial} />}
      </div>
    </>
  )
}

export default Explorer
