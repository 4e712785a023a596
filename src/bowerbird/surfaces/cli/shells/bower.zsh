#compdef bower bowerbird
# zsh completion for bower; load it with: source <(bower completion zsh)
_bower() {
    local line files=""
    local -a told
    while IFS= read -r line; do
        if [[ $line == @FILES@ ]]; then files=1; else told+=("$line"); fi
    done < <(@BOWER@ completion zsh -- "${(@)words[2,CURRENT]}" 2>/dev/null)
    [[ $PREFIX == --*=* ]] && compset -P '*='
    local -i nothing=1
    (( $#told )) && _describe bower told && nothing=0
    [[ -n $files ]] && _files && nothing=0
    return nothing
}
if [[ $funcstack[1] == _bower ]]; then
    _bower "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }
    compdef _bower bower bowerbird
fi
