# bash completion for bower; load it with: eval "$(bower completion bash)"
_bower() {
    local word words=("${COMP_WORDS[@]:1:COMP_CWORD}")
    COMPREPLY=()
    while IFS= read -r word; do
        if [[ $word == @FILES@ ]]; then
            type compopt >/dev/null 2>&1 && compopt -o filenames
            while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${words[@]: -1}")
        else
            COMPREPLY+=("$word")
        fi
    done < <(@BOWER@ completion bash -- "${words[@]}" 2>/dev/null)
}
complete -F _bower bower bowerbird
