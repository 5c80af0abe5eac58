# bash completion of fin: eval "$(fin completion bash)"
_fin() {
  local IFS=$' \t\n' line="${COMP_LINE:0:COMP_POINT}" program="$1" cur prefix="" found value
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  # The word after an open quote, without the quote.
  words[${#words[@]}-1]="${words[${#words[@]}-1]#[\"\']}"
  cur="${words[${#words[@]}-1]}"
  # bash passes the command as typed. An alias has no file; it can only mean fin.
  case $program in '~/'*|'$HOME/'*) program="$HOME/${program#*/}" ;; esac
  type -P -- "$program" >/dev/null || program=fin
  if [[ $COMP_WORDBREAKS == *:* && $cur == *:* ]]; then prefix="${cur%:*}:"; fi
  if [[ $COMP_WORDBREAKS == *=* && $cur == *=* ]]; then prefix="${cur%=*}="; fi
  COMPREPLY=()
  while IFS= read -r found; do
    value="${found%%$'\t'*}"
    if [[ -z $value ]]; then
      # Without directories, bash completes file names.
      [[ $found == *directory ]] && compopt -o dirnames +o default 2>/dev/null
      continue
    fi
    local inserted="${value#"$prefix"}"
    # A release from somebody else may contain a ticker that bash would execute.
    case $inserted in *[!A-Za-z0-9_.,:=/@%+-]*) printf -v inserted '%q' "$inserted" ;; esac
    COMPREPLY+=("$inserted")
    # No space after a colon or comma, because the value continues.
    [[ $value == *[:,] ]] && compopt -o nospace 2>/dev/null
  done < <("$program" __complete "${words[@]:1}" 2>/dev/null)
}
complete -o default -F _fin fin
