# fish completion of fin: fin completion fish > ~/.config/fish/completions/fin.fish
function __fin_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    $words[1] __complete $words[2..] "$current" 2>/dev/null
end
complete -c fin -f -a '(__fin_complete)'
