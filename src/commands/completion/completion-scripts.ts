/** What makes a shell ask `fin __complete` on TAB. All knowledge of commands stays in the program. */

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/**
 * bash breaks words at colons, and puts only the last part in place: what stands before it is taken off.
 * No mapfile and no negative subscripts: macOS still ships bash 3.2.
 */
const BASH = String.raw`# bash completion of fin: eval "$(fin completion bash)"
_fin() {
  local line="${'$'}{COMP_LINE:0:COMP_POINT}" cur prefix="" found value
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  cur="${'$'}{words[${'$'}{#words[@]}-1]}"
  if [[ $COMP_WORDBREAKS == *:* && $cur == *:* ]]; then prefix="${'$'}{cur%:*}:"; fi
  if [[ $COMP_WORDBREAKS == *=* && $cur == *=* ]]; then prefix="${'$'}{cur%=*}="; fi
  COMPREPLY=()
  while IFS= read -r found; do
    value="${'$'}{found%%$'\t'*}"
    COMPREPLY+=("${'$'}{value#"$prefix"}")
    # What goes on after a colon or a comma gets no space.
    [[ $value == *[:,] ]] && compopt -o nospace 2>/dev/null
  done < <("$1" __complete "${'$'}{words[@]:1}" 2>/dev/null)
}
complete -o default -F _fin fin
`;

const ZSH = String.raw`#compdef fin
# zsh completion of fin: a file _fin in a directory of fpath, or eval "$(fin completion zsh)"
_fin() {
  local found
  local -a values shown open openshown
  for found in "${'$'}{(@f)$("${'$'}{words[1]}" __complete "${'$'}{(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $found ]] || continue
    if [[ ${'$'}{found%%$'\t'*} == *[:,] ]]; then
      open+=("${'$'}{found%%$'\t'*}") openshown+=("${'$'}{found/$'\t'/  }")
    else
      values+=("${'$'}{found%%$'\t'*}") shown+=("${'$'}{found/$'\t'/  }")
    fi
  done
  (( ${'$'}{#open} )) && compadd -l -S '' -d openshown -a open
  (( ${'$'}{#values} )) && compadd -l -d shown -a values
  (( ${'$'}{#open} + ${'$'}{#values} )) || _files
}
compdef _fin fin
`;

const FISH = `# fish completion of fin: fin completion fish > ~/.config/fish/completions/fin.fish
function __fin_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    $words[1] __complete $words[2..] "$current" 2>/dev/null
end
complete -c fin -f -a '(__fin_complete)'
`;

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
