/** The completion script for fish. It hands the typed words over as they are and evaluates nothing. */

export const fish = `# hookline completion for fish. Load it with: hookline completion fish | source
function __hookline_complete
    set -l words (commandline -opc) (commandline -ct)
    set -e words[1]
    for line in (hookline __complete -- $words 2> /dev/null)
        switch $line
            case ':file'
                __fish_complete_path (commandline -ct)
            case ':folder'
                __fish_complete_directories (commandline -ct)
            case '*'
                printf '%s\\n' $line
        end
    end
end
complete -c hookline -e
complete -c hookline -f -a '(__hookline_complete)'
`
