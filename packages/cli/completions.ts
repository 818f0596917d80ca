/** Completion scripts for shells. They know every command, so this loads what reads the options of each. */
import * as Command from "@effect/cli/Command"
import * as Effect from "effect/Effect"
import { foreign } from "./options.js"

const whole = async () => {
  const [adapt, call, console, doctor, generate, job, mcp, operations, record, sandbox, tour] =
    await Promise.all([
      import("./adapt/command.js"),
      import("./call/command.js"),
      import("./pages/command.js"),
      import("./doctor/command.js"),
      import("./codegen/command.js"),
      import("./job/command.js"),
      import("./mcp/command.js"),
      import("./call/operations.js"),
      import("./recording/command.js"),
      import("./sandbox/command.js"),
      import("./tour/command.js")
    ])
  return Command.withSubcommands(Command.make("quartet"), [
    adapt.command("adapt"),
    call.command("call"),
    console.command("console"),
    doctor.command("doctor"),
    generate.command("generate"),
    job.command("job"),
    mcp.command("mcp"),
    operations.command("operations"),
    record.command("record"),
    sandbox.command("sandbox"),
    tour.command("tour")
  ])
}

const isForeign = new RegExp(`^ *'${foreign}\\[|${foreign.replace("--", " -l ")} `)

/** The library names the words before a command as it found them, and looks for them as it keeps them: joined. */
const joinedWords = (line: string): string =>
  line.replace(
    /^( +quartet(?:,[\w-]+)+),([\w-]+\))$/,
    (_, words: string, last: string) => `${words.replaceAll(",", "__")},${last}`
  )

/** The script for a shell; undefined for one that is not known. */
export const completions = async (shell: string | undefined): Promise<string | undefined> => {
  const command = await whole()
  const scripts = {
    bash: Command.getBashCompletions(command, "quartet"),
    zsh: Command.getZshCompletions(command, "quartet"),
    fish: Command.getFishCompletions(command, "quartet")
  }
  return shell !== undefined && Object.hasOwn(scripts, shell)
    ? Effect.runSync(scripts[shell as keyof typeof scripts])
        .filter((line) => !isForeign.test(line))
        .map((line) => joinedWords(line).replaceAll(new RegExp(` ${foreign}\\b`, "g"), ""))
        .join("\n")
    : undefined
}
