/** The completion script for bash. It hands the typed words over as they are and evaluates nothing. */

// COMP_WORDS is split at ":" and "=" too, so the line is split anew at blanks and the answers are cut to what bash will replace.
export const bash = `# hookline completion for bash. Load it with: source <(hookline completion bash)
_hookline() {
  local line="\${COMP_LINE:0:COMP_POINT}" typed reply item
  local -a words=()
  read -r -a words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  typed="\${words[\${#words[@]}-1]}"
  local current="\${COMP_WORDS[COMP_CWORD]}"
  case "$current" in
    "" | ":" | "=") current="" ;;
  esac
  local before="\${typed%"$current"}"
  COMPREPLY=()
  while IFS=$'\\t' read -r item _; do
    case "$item" in
      :file) while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -f -- "$current"); compopt -o filenames 2> /dev/null ;;
      :folder) while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(compgen -d -- "$current"); compopt -o filenames 2> /dev/null ;;
      "$typed"*) COMPREPLY+=("\${item#"$before"}") ;;
    esac
  done < <(hookline __complete -- "\${words[@]:1}" 2> /dev/null)
}
complete -F _hookline hookline
`
