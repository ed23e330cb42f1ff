"""completions.py bash|zsh OUTPUT PROGRAM: writes what a shell completes of quiztutor, out of its tables (--print-tables).

Both know commands, their parts, each command's options, the words that an option or an argument takes, and where files and
packs stand. Packs are asked of the program when they are needed. zsh shows what each thing means beside it.
"""

import re
import subprocess
import sys

# words of options and arguments that the tables hold in sentences only; tests/layers/test_completions.py holds them against those
WORDS = {
    "--mode": "due new mistakes starred all",
    "--session": "practice exam paper",
    "--attempts": "first last best all",
    "--for": "moodle canvas",
    "--paper": "a4 letter",
    "report": "class progress items misconceptions problems grades attempts",
}
REPORTS_TO = "text csv json html pdf"
ROSTERS_TO = "csv json"
FOLDERS = {"--rotate"}

BASH = r"""# bash completion of quiztutor, made of its tables

_quiztutor_packs() {
    LC_ALL=C.UTF-8 LANGUAGE=en quiztutor </dev/null 2>/dev/null | sed -n 's/^  \([a-z0-9-]*\): .*/\1/p'
}

_quiztutor_files() {
    local file
    compopt -o filenames 2>/dev/null
    while IFS= read -r file; do
        COMPREPLY+=("$file")
    done < <(compgen -f -- "$1")
}

_quiztutor() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= part= words= at
    COMPREPLY=()
    for ((at = 1; at < COMP_CWORD; at++)); do
        case ${COMP_WORDS[at]} in
        -*) ;;
        *)
            if [[ ${COMP_WORDS[at-1]} =~ ^(@TAKING@)$ ]]; then
                continue
            elif [[ -z $command ]]; then
                command=${COMP_WORDS[at]}
            elif [[ -z $part ]]; then
                part=${COMP_WORDS[at]}
            fi ;;
        esac
    done
    case $before in
@VALUES@
    esac
    if [[ -n $words ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        return
    fi
    if [[ $word == -* ]]; then
        case $command in
@OPTIONS@
        esac
        COMPREPLY=($(compgen -W "$words" -- "$word"))
        return
    fi
    case $command:$part in
@ARGUMENTS@
    esac
    _quiztutor_files "$word"
}
complete -F _quiztutor quiztutor
"""

ZSH = r"""#compdef quiztutor
# zsh completion of quiztutor, made of its tables

_quiztutor_packs() {
    local -a packs
    packs=(${(f)"$(LC_ALL=C.UTF-8 LANGUAGE=en quiztutor </dev/null 2>/dev/null | sed -n 's/^  \([a-z0-9-]*\): .*/\1/p')"})
    _alternative "packs:pack:($packs)" 'files:file:_files'
}

_quiztutor() {
    local context state state_descr line
    local -a commands
    typeset -A opt_args
    _arguments -C -S '1: :->command' '*:: :->arguments' '--help[this help]' '--version[the version]'
    case $state in
    command)
        commands=(
@COMMANDS@
        )
        _describe 'command' commands ;;
    arguments)
        case $words[1] in
@ARGUMENTS@
        esac ;;
    esac
}

_quiztutor "$@"
"""


class Tables:
    def __init__(self, program):
        text = subprocess.run([program, "--print-tables"], check=True, capture_output=True, encoding="utf-8").stdout
        section, rows = None, {}
        for line in text.splitlines():
            if line.startswith("[") and "\t" not in line:
                section = rows.setdefault(line.strip("[]"), [])
            else:
                section.append(line.split("\t"))
        self.commands = {name: (argument, text) for name, argument, text in rows["commands"] if " " not in name}
        self.parts = {}
        for name, argument, text in rows["commands"]:
            if " " in name:
                command, part = name.split(" ", 1)
                self.parts.setdefault(command, {})[part] = (argument, text)
        self.options = {name: (argument, text) for name, argument, text in rows["options"]}
        self.uses = {name: options.split() for name, options, _ in rows["uses"]}
        self.imports = " ".join(name for name, ways, _ in rows["formats"] if "import" in ways)
        self.exports = " ".join(name for name, ways, _ in rows["formats"] if "export" in ways)

    def words(self, option, command):
        """What an option of that command takes, or None: files, or any text."""
        if option == "--to":
            return self.exports if command == "export" else ROSTERS_TO if command == "learner" else REPORTS_TO
        if option == "--from":
            return self.imports if command == "import" else None
        return WORDS.get(option)

    def kind(self, argument):
        """What stands in an argument's place: pack, file or any other text."""
        if "PACK" in argument:
            return "pack"
        return "file" if re.search("FILE|FOLDER|DIR|OLD NEW|OTHER|PATH", argument) else "text"


def bash(tables):
    values = []
    for option, (argument, _) in tables.options.items():
        if not argument:
            continue
        kind = tables.kind(argument)
        if option == "--to":
            by = [(command, tables.words(option, command)) for command in ("export", "learner", "*")]
            branches = " ".join(f"{command}) words='{words}' ;;" for command, words in by)
            values.append(f"    {option}) case $command in {branches} esac ;;")
        elif option == "--from":
            values.append(f"    {option}) [[ $command != import ]] || words='{tables.imports}' ;;")
        elif tables.words(option, None):
            values.append(f"    {option}) words='{tables.words(option, None)}' ;;")
        elif option == "--pack":
            values.append(f"    {option}) words=$(_quiztutor_packs) ;;")
        elif kind == "text":
            values.append(f"    {option}) return ;;")
    known = [line.split(")")[0].strip() for line in values]
    taking = [option for option, (argument, _) in tables.options.items() if argument]
    files = [option for option in taking if option not in known] + ["-o"]
    values.append(f"    {'|'.join(files)}) _quiztutor_files \"$word\"; return ;;")
    options = [f"        {command}) words='{' '.join(used)}' ;;" for command, used in tables.uses.items() if command != "quiztutor"]
    options.append(f"        *) words='{' '.join(tables.uses['quiztutor'])}' ;;")
    arguments = [f"    :*) COMPREPLY=($(compgen -W '{' '.join(tables.commands)}' -- \"$word\")); return ;;"]
    for command, (argument, _) in tables.commands.items():
        if command in tables.parts:
            arguments.append(f"    {command}:) COMPREPLY=($(compgen -W '{' '.join(tables.parts[command])}' -- \"$word\")); return ;;")
            packs = [part for part, (argument, _) in tables.parts[command].items() if tables.kind(argument) == "pack"]
            arguments += [f"    {command}:{part}) COMPREPLY=($(compgen -W \"$(_quiztutor_packs)\" -- \"$word\")) ;;" for part in packs]
        elif command in WORDS:
            arguments.append(f"    {command}:*) COMPREPLY=($(compgen -W '{WORDS[command]}' -- \"$word\")); return ;;")
        elif tables.kind(argument) == "pack":
            arguments.append(f"    {command}:*) COMPREPLY=($(compgen -W \"$(_quiztutor_packs)\" -- \"$word\")) ;;")
    return (BASH.replace("@TAKING@", "|".join([*taking, "-o"])).replace("@VALUES@", "\n".join(values))
            .replace("@OPTIONS@", "\n".join(options)).replace("@ARGUMENTS@", "\n".join(arguments)))


def quoted(text):
    return text.replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh_options(tables, command):
    lines = []
    for option in tables.uses[command]:
        argument, text = tables.options[option]
        words = tables.words(option, command)
        kind = tables.kind(argument)
        action = (f"({words})" if words else "_quiztutor_packs" if option == "--pack" else
                  "_files -/" if option in FOLDERS else "_files" if kind == "file" else " ")
        name = "{-o,--output}" if option == "--output" else option
        spec = f"[{quoted(text)}]" + (f":{quoted(argument)}:{action}" if argument else "")
        lines.append(f"            {name}'{spec}' \\")
    return lines


def zsh(tables):
    commands = [f"            '{quoted(name)}:{quoted(text)}'" for name, (_, text) in tables.commands.items()]
    arguments = []
    for command, (argument, _) in tables.commands.items():
        arguments.append(f"        {command})\n            _arguments -S \\")
        arguments += zsh_options(tables, command)
        if command in tables.parts:
            parts = " ".join(tables.parts[command])
            packs = any(tables.kind(argument) == "pack" for argument, _ in tables.parts[command].values())
            arguments.append(f"            '1:part:({parts})' '*:argument:{'_quiztutor_packs' if packs else '_files'}' ;;")
        elif command in WORDS:
            arguments.append(f"            '1:kind:({WORDS[command]})' ;;")
        else:
            kind = tables.kind(argument)
            arguments.append(f"            '*:{quoted(argument) or ' '}:{'_quiztutor_packs' if kind == 'pack' else '_files' if kind == 'file' else ' '}' ;;")
    return ZSH.replace("@COMMANDS@", "\n".join(commands)).replace("@ARGUMENTS@", "\n".join(arguments))


def main():
    shell, output, program = sys.argv[1:]
    text = {"bash": bash, "zsh": zsh}[shell](Tables(program))
    with open(output, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
