/** Completion scripts for shells. They know every command, so this loads what reads the options of each. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Call from "./commands/call.js"
import * as Doctor from "./commands/doctor.js"
import * as Mcp from "./commands/mcp.js"
import * as Operations from "./commands/operations.js"
import * as Sandbox from "./commands/sandbox.js"
import * as Tour from "./commands/tour.js"

const command = Command.withSubcommands(Command.make("quartet"), [
  Sandbox.command("sandbox"),
  Tour.command("tour"),
  Call.command("call"),
  Operations.command("operations"),
  Doctor.command("doctor"),
  Mcp.command("mcp")
])

const shells = {
  bash: Command.getBashCompletions(command, "quartet"),
  zsh: Command.getZshCompletions(command, "quartet"),
  fish: Command.getFishCompletions(command, "quartet")
}

/** The script for a shell; undefined for one that is not known. */
export const completions = (shell: string | undefined): string | undefined =>
  shell !== undefined && Object.hasOwn(shells, shell)
    ? Effect.runSync(shells[shell as keyof typeof shells]).join("\n")
    : undefined
