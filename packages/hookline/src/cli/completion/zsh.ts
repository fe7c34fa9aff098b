/** The completion script for zsh. It hands the typed words over as they are and evaluates nothing. */

export const zsh = `#compdef hookline
# hookline completion for zsh. Load it with: source <(hookline completion zsh)
_hookline() {
  local line item about
  local -a names abouts
  while IFS= read -r line; do
    item="\${line%%$'\\t'*}"
    about="\${line#*$'\\t'}"
    case "$item" in
      :file) _files ;;
      :folder) _files -/ ;;
      *) names+=("$item"); [[ "$about" == "$line" ]] && abouts+=("$item") || abouts+=("$item  $about") ;;
    esac
  done < <(hookline __complete -- "\${(@)words[2,CURRENT]}" 2> /dev/null)
  (( \${#names} )) && compadd -l -d abouts -a names
}
(( \${+functions[compdef]} )) && compdef _hookline hookline
[[ "\${funcstack[1]}" == "_hookline" ]] && _hookline "$@"
true
`
