import { Failure } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { formatAlternatives } from '../../contract/text/quote.ts';
import type { UtilityCommand } from '../command-line/utility.ts';

/**
 * Completion scripts: on TAB, the shell runs `fin __complete`, which prints a value, a tab and a description per line.
 * An empty value tells the shell to complete a path itself; the description is then the kind of path.
 */

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/**
 * bash splits words at colons and replaces only the last part, so the script removes the earlier parts from each value.
 * Avoids mapfile and negative subscripts, because macOS ships bash 3.2.
 */
const BASH_SCRIPT = String.raw`# bash completion of fin: eval "$(fin completion bash)"
_fin() {
  local IFS=$' \t\n' line="${'$'}{COMP_LINE:0:COMP_POINT}" program="$1" cur prefix="" found value
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  # The word after an open quote, without the quote.
  words[${'$'}{#words[@]}-1]="${'$'}{words[${'$'}{#words[@]}-1]#[\"\']}"
  cur="${'$'}{words[${'$'}{#words[@]}-1]}"
  # bash passes the command as typed. An alias has no file; it can only mean fin.
  case $program in '~/'*|'$HOME/'*) program="$HOME/${'$'}{program#*/}" ;; esac
  type -P -- "$program" >/dev/null || program=fin
  if [[ $COMP_WORDBREAKS == *:* && $cur == *:* ]]; then prefix="${'$'}{cur%:*}:"; fi
  if [[ $COMP_WORDBREAKS == *=* && $cur == *=* ]]; then prefix="${'$'}{cur%=*}="; fi
  COMPREPLY=()
  while IFS= read -r found; do
    value="${'$'}{found%%$'\t'*}"
    if [[ -z $value ]]; then
      # Without directories, bash completes file names.
      [[ $found == *directory ]] && compopt -o dirnames +o default 2>/dev/null
      continue
    fi
    local inserted="${'$'}{value#"$prefix"}"
    # A release from somebody else may contain a ticker that bash would execute.
    case $inserted in *[!A-Za-z0-9_.,:=/@%+-]*) printf -v inserted '%q' "$inserted" ;; esac
    COMPREPLY+=("$inserted")
    # No space after a colon or comma, because the value continues.
    [[ $value == *[:,] ]] && compopt -o nospace 2>/dev/null
  done < <("$program" __complete "${'$'}{words[@]:1}" 2>/dev/null)
}
complete -o default -F _fin fin
`;

const ZSH_SCRIPT = String.raw`#compdef fin
# zsh completion of fin: a file _fin in a directory of fpath, or eval "$(fin completion zsh)"
_fin() {
  local found paths program="${'$'}{${'$'}{words[1]/#\~\//$HOME/}/#\$HOME\//$HOME/}"
  local -a values shown open openshown given
  # The word after an open quote, without the quote.
  given=("${'$'}{(@)words[2,CURRENT-1]}" "${'$'}{words[CURRENT]#[\"\']}")
  [[ -x $program ]] || (( $+commands[$program] )) || program=fin
  for found in "${'$'}{(@f)$("$program" __complete "${'$'}{(@)given}" 2>/dev/null)}"; do
    case $found in
      '') continue ;;
      $'\t'*) paths=${'$'}{found#$'\t'}; continue ;;
    esac
    if [[ ${'$'}{found%%$'\t'*} == *[:,] ]]; then
      open+=("${'$'}{found%%$'\t'*}") openshown+=("${'$'}{found/$'\t'/  }")
    else
      values+=("${'$'}{found%%$'\t'*}") shown+=("${'$'}{found/$'\t'/  }")
    fi
  done
  (( ${'$'}{#open} )) && compadd -l -S '' -d openshown -a open
  (( ${'$'}{#values} )) && compadd -l -d shown -a values
  [[ -n $paths ]] && compset -P '--*='
  case $paths in
    file) _files ;;
    directory) _files -/ ;;
  esac
}
# As a file of fpath this code runs at the first completion, which it must answer. With eval before compinit, it registers
# before the next prompt.
if [[ ${'$'}{funcstack[1]} == _fin ]]; then
  _fin "$@"
elif (( $+functions[compdef] )); then
  compdef _fin fin
else
  _fin_register() {
    (( $+functions[compdef] )) && compdef _fin fin
    add-zsh-hook -d precmd _fin_register
  }
  autoload -Uz add-zsh-hook && add-zsh-hook precmd _fin_register
fi
`;

const FISH_SCRIPT = String.raw`# fish completion of fin: fin completion fish > ~/.config/fish/completions/fin.fish
function __fin_complete
    set -l words (commandline -opc)
    set -l program (string replace -r -- '^(~|\$HOME)/' "$HOME/" $words[1])
    type -q -- $program; or set program fin
    # The word after an open quote, without the quote.
    set -l current (commandline -ct | string replace -r -- '^["\']' '')
    # An option and its path may form one word: --option=path.
    set -l option (string match -r -- '^--[\w-]+=' "$current")
    set -l path (string replace -- "$option" '' "$current")
    for found in ($program __complete $words[2..] "$current" 2>/dev/null)
        switch $found
            case \tfile
                string replace -r -- '^' "$option" (__fish_complete_path "$path")
            case \tdirectory
                string replace -r -- '^' "$option" (__fish_complete_directories "$path" '')
            case '*'
                echo -- $found
        end
    end
end
complete -c fin -f -a '(__fin_complete)'
`;

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH_SCRIPT, zsh: ZSH_SCRIPT, fish: FISH_SCRIPT };

const completionCommand: UtilityCommand = {
  local: true,
  help: 'Tickers are completed from the release on this machine; completion sends no request.',
  args: [{ name: 'shell', help: 'bash, zsh or fish', values: SHELLS }],
  examples: {
    'completion bash': 'in ~/.bashrc: eval "$(fin completion bash)"',
    'completion zsh': 'saved as _fin in a directory of fpath',
    'completion fish': 'saved as ~/.config/fish/completions/fin.fish',
  },
  run: async ({ args: [shell = ''], io }) => {
    const match = SHELLS.find((name) => name === shell);
    if (match === undefined) {
      const message = `Unknown shell ${JSON.stringify(shell)}.${didYouMean(shell, SHELLS)}`;
      throw new Failure('usage', message, { hint: `Use ${formatAlternatives(SHELLS)}.` });
    }
    io.print(SCRIPTS[match]);
    return undefined;
  },
};

export default completionCommand;
