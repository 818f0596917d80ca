/** Settings: the platform's address, the keys, and how the permissions of a role are read. */

import { InputError, urlOf } from "@quartet/sdk/extend"
import type { ReactElement } from "react"
import { addressOf, applySettings, persons, readings, type Settings, settings } from "../../app/config.js"
import { signOut } from "../../app/query-clients.js"
import { Form, useForm } from "../../data/form.js"
import { Button } from "../../design/button.js"
import { Select, TextField } from "../../design/field.js"
import { Card, PageHead, words } from "../../design/show.js"

/** Whether this page can call an address: one that does not answer, or that the page's policy refuses, it cannot. */
const canCall = (address: string): Promise<boolean> =>
  fetch(address, { mode: "no-cors", credentials: "omit" }).then(Boolean, () => false)

const SettingsView = (): ReactElement => {
  const apply = async (next: Settings | undefined): Promise<void> => {
    // A session belongs to the platform that it was made on.
    await Promise.all(persons.map(signOut))
    applySettings(next)
  }
  const form = useForm({ ...settings }, async (values) => {
    if (urlOf(values.baseUrl) === undefined || !(await canCall(values.baseUrl))) {
      const rule = "does not answer, or the policy of this page blocks it"
      return { status: "error", error: new InputError({ operation: "settings", field: "baseUrl", rule }) }
    }
    const permissions = readings.find((candidate) => candidate === values.permissions) ?? "default"
    await apply({ ...values, baseUrl: addressOf(values.baseUrl), permissions })
    return undefined
  })
  return (
    <div className="tools-page">
      <PageHead
        title="Settings"
        about="Which platform the console calls. These settings are kept in this tab only, and changing them signs you out."
      />
      <Card>
        <Form of={form}>
          <TextField label="Platform address" required {...form.field("baseUrl")} />
          <TextField label="Project" required {...form.field("projectId")} />
          <TextField label="API key" type="password" autoComplete="off" required {...form.field("apiKey")} />
          <TextField
            label="Private key"
            type="password"
            autoComplete="off"
            hint="Needed only to view as a server. Keep the private key of a real project on a server."
            {...form.field("privateKey")}
          />
          <Select
            label="Permission checks"
            hint="What the console offers each role. Default: as intended, or off where the platform’s tokens do not say. As built: any grant allows everything. Off: the platform alone decides."
            choices={readings.map((value) => ({ value, label: words(value) }))}
            {...form.field("permissions")}
          />
          <div className="row">
            <Button kind="primary" type="submit" busy={form.busy}>
              Save and reload
            </Button>
            <Button onClick={() => void apply(undefined)}>Restore defaults</Button>
          </div>
        </Form>
      </Card>
    </div>
  )
}

export default SettingsView
