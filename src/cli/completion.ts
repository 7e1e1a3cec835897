import { Argument, Command } from "commander";

/** A command or one of its commands, by the words that lead to it: `keys create`. */
interface Known {
  readonly path: string;
  readonly command: Command;
}

/** `bankcheck completion`: prints what a shell needs to complete commands and options, made from the commands themselves. */
export function completionCommand(): Command {
  const command = new Command("completion")
    .description("Print a script that completes commands and options in a shell.")
    .addArgument(new Argument("<shell>", "shell that runs the script").choices(Object.keys(scripts)))
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  source <(bankcheck completion bash)  # in ~/.bashrc",
        "  source <(bankcheck completion zsh)   # in ~/.zshrc, after compinit",
        "  bankcheck completion fish > ~/.config/fish/completions/bankcheck.fish",
      ].join("\n"),
    );
  return command.action((shell: keyof typeof scripts) => {
    process.stdout.write(scripts[shell](knownCommands(command.parent ?? command)));
  });
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

function knownCommands(root: Command, path = ""): readonly Known[] {
  const below = root.commands.flatMap((command) =>
    knownCommands(command, `${path} ${command.name()}`.trim()),
  );
  return [{ path, command: root }, ...below];
}

const longOptions = (command: Command) => [
  ...command.options.flatMap(({ long, description }) => (long ? [{ long, description }] : [])),
  { long: "--help", description: "display help for command" },
];

/** Follows the words before the cursor to the command they name, `at`; bash and zsh read it alike. */
function followWords(known: readonly Known[], words: string): string {
  const steps = known.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  return `  for word in ${words}; do
    case "\${at:+$at }$word" in
      ${steps.join("|")}) at="\${at:+$at }$word" ;;
    esac
  done`;
}

function bashScript(known: readonly Known[]): string {
  const cases = known.map(
    ({ path, command }) =>
      `    "${path}") commands="${command.commands.map((each) => each.name()).join(" ")}"; options="${longOptions(
        command,
      )
        .map(({ long }) => long)
        .join(" ")}" ;;`,
  );
  return `_bankcheck() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at="" word commands options
${followWords(known, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  case "$at" in
${cases.join("\n")}
  esac
  # Where nothing fits, readline completes the names of files.
  if [[ $current == -* ]]; then commands=$options; fi
  COMPREPLY=($(compgen -W "$commands" -- "$current"))
}
complete -o default -F _bankcheck bankcheck
`;
}

function zshScript(known: readonly Known[]): string {
  const entry = (name: string, description: string) =>
    quoted(`${name}:${description.replaceAll("\\", "\\\\").replaceAll(":", "\\:")}`);
  const cases = known.map(({ path, command }) => {
    const commands = command.commands.map((each) => entry(each.name(), each.description()));
    const options = longOptions(command).map(({ long, description }) => entry(long, description));
    return `    "${path}") commands=(${commands.join(" ")}); options=(${options.join(" ")}) ;;`;
  });
  return `#compdef bankcheck
_bankcheck() {
  local at="" word
  local -a commands options
${followWords(known, `"\${(@)words[2,CURRENT-1]}"`)}
  case "$at" in
${cases.join("\n")}
  esac
  if [[ $PREFIX == -* ]]; then _describe option options
  elif (( $#commands )); then _describe command commands
  else _files
  fi
}
compdef _bankcheck bankcheck
`;
}

function fishScript(known: readonly Known[]): string {
  const lines = known.flatMap(({ path, command }) => {
    const seen = path.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
    const names = command.commands.map((each) => each.name());
    const isHere = path === "" ? "__fish_use_subcommand" : seen.join("; and ");
    const isLast =
      names.length === 0 || path === ""
        ? isHere
        : `${isHere}; and not __fish_seen_subcommand_from ${names.join(" ")}`;
    return [
      ...command.commands.map(
        (each) =>
          `complete -c bankcheck -f -n ${quoted(isLast)} -a ${each.name()} -d ${quoted(each.description())}`,
      ),
      ...longOptions(command).map(
        ({ long, description }) =>
          `complete -c bankcheck -n ${quoted(isLast)} -l ${long.slice(2)} -d ${quoted(description)}`,
      ),
    ];
  });
  return `${lines.join("\n")}\n`;
}

/** A word as every shell takes it: no description needs more than a typographic apostrophe. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "’")}'`;
}
