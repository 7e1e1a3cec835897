import { Argument, Command } from "commander";

/** What may follow, and what it is for. */
type Word = readonly [name: string, description: string];

/** A command or one of its commands, by the words that lead to it: `keys create`. */
interface Known {
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
}

export function completionCommand(): Command {
  const command = new Command("completion")
    .description("Print a script that completes commands and options in a shell.")
    .addArgument(new Argument("<shell>", "shell that runs the script").choices(Object.keys(scripts)))
    .addHelpText(
      "after",
      `
Examples:
  source <(bankcheck completion bash)  # in ~/.bashrc
  source <(bankcheck completion zsh)   # in ~/.zshrc, after compinit
  bankcheck completion fish > ~/.config/fish/completions/bankcheck.fish`,
    );
  return command.action((shell: keyof typeof scripts) => {
    process.stdout.write(scripts[shell](knownCommands(command.parent ?? command)));
  });
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

function knownCommands(root: Command, path = ""): readonly Known[] {
  const commands = root.commands.map((each): Word => [each.name(), each.description()]);
  const options = root.options.flatMap(({ long, description }): Word[] =>
    long ? [[long, description]] : [],
  );
  options.push(["--help", "display help for command"]);
  const below = root.commands.flatMap((each) => knownCommands(each, `${path} ${each.name()}`.trim()));
  return [{ path, commands, options }, ...below];
}

const namesOf = (words: readonly Word[]) => words.map(([name]) => name).join(" ");

/**
 * The beginning of a function of bash or zsh, which follows the words before the cursor to the command they name and says
 * which `commands` and `options` it has, each followed by a colon and what it is for.
 */
function functionBegin(known: readonly Known[], words: string): string {
  const listed = (all: readonly Word[]) =>
    all.map(([name, description]) => quoted(`${name}:${description.replace(/[\\:]/g, "\\$&")}`)).join(" ");
  const steps = known.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  const cases = known.map(
    ({ path, commands, options }) =>
      `    "${path}") commands=(${listed(commands)}); options=(${listed(options)}) ;;`,
  );
  return `_bankcheck() {
  local at="" word
  local -a commands options
  for word in ${words}; do
    case "\${at:+$at }$word" in
      ${steps.join("|")}) at="\${at:+$at }$word" ;;
    esac
  done
  case "$at" in
${cases.join("\n")}
  esac`;
}

function bashScript(known: readonly Known[]): string {
  return `${functionBegin(known, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  local current="\${COMP_WORDS[COMP_CWORD]}"
  # Where nothing fits, readline completes the names of files.
  if [[ $current == -* ]]; then commands=("\${options[@]}"); fi
  COMPREPLY=($(compgen -W "\${commands[*]%%:*}" -- "$current"))
}
complete -o default -F _bankcheck bankcheck
`;
}

function zshScript(known: readonly Known[]): string {
  return `#compdef bankcheck
${functionBegin(known, `"\${(@)words[2,CURRENT-1]}"`)}
  if [[ $PREFIX == -* ]]; then _describe option options
  elif (( $#commands )); then _describe command commands
  else _files
  fi
}
compdef _bankcheck bankcheck
`;
}

function fishScript(known: readonly Known[]): string {
  const lines = known.flatMap(({ path, commands, options }) => {
    const seen = path.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`);
    if (commands.length > 0) seen.push(`not __fish_seen_subcommand_from ${namesOf(commands)}`);
    const isHere = quoted(path === "" ? "__fish_use_subcommand" : seen.join("; and "));
    const adds = (words: readonly Word[], form: (name: string) => string) =>
      words.map(
        ([name, description]) => `complete -c bankcheck -n ${isHere} ${form(name)} -d ${quoted(description)}`,
      );
    return [...adds(commands, (name) => `-f -a ${name}`), ...adds(options, (name) => `-l ${name.slice(2)}`)];
  });
  return `${lines.join("\n")}\n`;
}

/** A word as every shell takes it: no description needs more than a typographic apostrophe. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "’")}'`;
}
