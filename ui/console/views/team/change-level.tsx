/** Gives a role another level on a resource: says whom it reaches, adds the permission of the level, takes away the others. */
import { useMutation } from "@quartet/react"
import type { ReactElement } from "react"
import type { AdminRow, RoleRow } from "../../app/rows.js"
import { addToast } from "../../app/toasts.js"
import { Form, useForm } from "../../data/form.js"
import { undo } from "../../data/undo.js"
import { Button } from "../../design/button.js"
import { Actions, ask, Dialog } from "../../design/dialog.js"
import { FactList, words } from "../../design/show.js"
import { grant, ownAccess, people, readRole, revoke, roleName, useIsOwn } from "./data.js"
import {
  effective,
  everything,
  grantsOfRoles,
  levelName,
  levelsOf,
  levelVerb,
  mayManageRoles,
  ofActions,
  type Permission,
  resourceLabel,
  steps
} from "./effective.js"

/** A cell of the matrix. */
export interface Target {
  readonly role: RoleRow
  readonly resource: string
}

/** How many people something holds for. */
const holdsFor = (holders: ReadonlyArray<AdminRow> | undefined): string => {
  if (holders === undefined) return "This applies to everyone with this role, from their next sign-in."
  if (holders.length === 0) return "Nobody has this role."
  return `This applies to ${people(holders.length)}, from their next sign-in.`
}

/** A level in a form; none where the role has no grant of its own. */
const textOf = (level: number | undefined): string => (level === undefined ? "" : String(level))
const levelIn = (value: string): number | undefined => (value === "" ? undefined : Number(value))

/** The role as it is with a level of its own on a resource. */
const withLevel = (
  all: ReadonlyArray<Permission>,
  role: RoleRow,
  resource: string,
  level: number | undefined
): Pick<RoleRow, "permissions"> => {
  const { add, remove } = steps(all, new Set(role.permissions), resource, level)
  const removed = new Set(remove.map(({ _id }) => _id))
  return {
    permissions: [...(role.permissions ?? []).filter((id) => !removed.has(id)), ...add.map(({ _id }) => _id)]
  }
}

const Levels = (props: {
  readonly choices: ReadonlyArray<{ readonly value: string; readonly label: string; readonly about?: string }>
  readonly value: string
  readonly isDisabled: boolean
  readonly onChange: (value: string) => void
}): ReactElement => (
  <fieldset className="grid gap-px">
    <legend className="sr-only">Level</legend>
    {props.choices.map(({ about, label, value }) => (
      <label key={value} className="level-choice">
        <input
          type="radio"
          name="level"
          value={value}
          checked={value === props.value}
          disabled={props.isDisabled}
          data-autofocus={value === props.value ? "" : undefined}
          onChange={() => props.onChange(value)}
        />
        <span className="flex-1">{label}</span>
        {about && <span className="faint">{about}</span>}
      </label>
    ))}
  </fieldset>
)

const abouts: Readonly<Record<number, string>> = {
  1: "view it",
  3: "view and change it",
  9: "do everything with it"
}

export const ChangeLevel = (
  props: Target & {
    readonly all: ReadonlyArray<Permission>
    readonly roles: ReadonlyArray<RoleRow>
    readonly holders: ReadonlyArray<AdminRow> | undefined
    readonly mayChange: boolean
    readonly onClose: () => void
  }
): ReactElement => {
  const { all, holders, mayChange, onClose, resource, role, roles } = props
  const adding = useMutation(grant)
  const removing = useMutation(revoke)
  const reading = useMutation(readRole)
  const isOwn = useIsOwn()
  const name = roleName(role)
  const label = resourceLabel(resource)
  const what = label.toLowerCase()
  const textsOf = (present: RoleRow) => ({
    level: textOf(grantsOfRoles(all, [present])[resource]?.[everything])
  })
  const begun = textsOf(role)
  const readAgain = () => reading.mutate({ id: role._id })

  /** Adds before it removes: what fails in the middle leaves more than was meant, not less. */
  const apply = async (present: RoleRow, level: number | undefined) => {
    const { add, remove } = steps(all, new Set(present.permissions), resource, level)
    let done = 0
    for (const permission of [...add, ...remove]) {
      const { mutate } = add.includes(permission) ? adding : removing
      const outcome = await mutate({ id: role._id, permissionId: permission._id })
      if (outcome.status !== "success") {
        if (done > 0) addToast("Partly changed", `${name} on ${what}: check the level before you continue.`)
        return outcome
      }
      done += 1
    }
    return { status: "success" } as const
  }

  const form = useForm<"level", RoleRow>(
    begun,
    async (values, _, present = role) => {
      const before = levelIn(textsOf(present).level)
      const level = levelIn(values.level)
      if (isLastRight && !(await ask(ownAccess))) return undefined
      const outcome = await apply(present, level)
      if (outcome.status === "success")
        addToast(`${name} ${levelVerb(after.level)} ${what}`, undefined, {
          label: "Undo",
          keys: "u",
          run: () =>
            void undo({
              read: readAgain,
              isSame: (now) => textsOf(now).level === values.level,
              write: (now) => apply(now, before)
            })
        })
      return outcome
    },
    onClose,
    undefined,
    {
      read: readAgain,
      textsOf,
      labelOf: () => "Level",
      shownOf: (_, text) => choices.find(({ value }) => value === text)?.label ?? levelName(levelIn(text))
    }
  )
  const level = levelIn(form.values.level)
  const changed = withLevel(all, role, resource, level)
  const grants = grantsOfRoles(all, [role])
  const after = effective(grantsOfRoles(all, [changed]), resource)
  const wide = grants[everything]?.[everything]
  const own = roles.filter(({ _id }) => holders?.some((of) => isOwn(of) && of.roles?.includes(_id)))
  const isLastRight =
    mayManageRoles(grantsOfRoles(all, own)) &&
    !mayManageRoles(grantsOfRoles(all, [changed, ...own.filter(({ _id }) => _id !== role._id)]))
  const actions = ofActions(grants, resource)
  const isSame = form.values.level === begun.level
  const present = grants[resource]?.[everything]
  const levels = [...new Set([...levelsOf(all, resource), ...(present === undefined ? [] : [present])])]
  const choices = [
    {
      value: "",
      label:
        resource === everything || wide === undefined
          ? "Nothing"
          : `Same as everything else: ${levelName(wide)}`
    },
    ...levels.map((level) => ({
      value: textOf(level),
      label: levelName(level),
      ...(abouts[level] && { about: abouts[level] })
    }))
  ]
  return (
    <Dialog open onClose={onClose} title={`${name}: ${label}`}>
      <Form of={form} className="grid gap-4">
        <Levels
          choices={choices}
          value={form.values.level}
          isDisabled={!mayChange}
          onChange={(level) => form.set({ level })}
        />
        {actions.length > 0 && (
          <FactList of={actions.map(([action, level]) => [words(action), levelName(level)])} />
        )}
        <p className="quiet" role="status">
          {mayChange
            ? `${name} ${levelVerb(after.level)} ${what}. ${holdsFor(holders)}`
            : "Your role does not let you manage roles. You can only view them."}
        </p>
        <Actions>
          <Button onClick={onClose}>{mayChange ? "Cancel" : "Close"}</Button>
          {mayChange && (
            <Button kind="primary" type="submit" busy={form.busy} disabled={isSame}>
              {holders && holders.length > 1 ? `Change for ${people(holders.length)}` : "Change"}
            </Button>
          )}
        </Actions>
      </Form>
    </Dialog>
  )
}
