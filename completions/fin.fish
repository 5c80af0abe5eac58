# fish completion of fin: fin completion fish > ~/.config/fish/completions/fin.fish
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
