# fish completion for bower; load it with: bower completion fish | source
function __bower
    for line in (@BOWER@ completion fish -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
        if test "$line" = @FILES@
            __fish_complete_path (commandline -ct)
        else
            echo $line
        end
    end
end
complete -c bower -f -a '(__bower)'
complete -c bowerbird -w bower
