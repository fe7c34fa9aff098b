/** The first hook that `init` writes: a guard against deleting whole folders, in POSIX shell, with nothing to install. */

/** Where the script lies, from the project's folder. */
export const scriptPath = '.claude/hooks/block-rm.sh'

/** The hook as it stands in settings. The rule narrows it to rm; a guard that cannot run refuses. */
export const hookGroup = {
  matcher: 'Bash',
  hooks: [
    {
      type: 'command',
      command: `"$CLAUDE_PROJECT_DIR"/${scriptPath}`,
      if: 'Bash(rm *)',
      timeout: 10,
      onFailure: 'block',
    },
  ],
} as const

/** The script. */
export const script = `#!/bin/sh
# Refuses "rm" that is both recursive and forced, like "rm -rf folder".
# The event comes as JSON on stdin. Exit 0 lets the call go on; exit 2 refuses it, and stderr tells the model why.

command=$(tr -d '\\n' | sed -En 's/.*"command"[[:space:]]*:[[:space:]]*"(([^"\\\\]|\\\\.)*)".*/\\1/p')
if [ -z "$command" ]; then
  echo "block-rm: there is no command in the event" >&2
  exit 1
fi

# Blanks may be written as \\t or \\n inside JSON.
words=$(printf '%s' "$command" | sed 's/\\\\[tnr]/ /g')
rm='(^|[^A-Za-z0-9_.-])rm[[:space:]]([^;&|]*[[:space:]])?'
recursive='(-[A-Za-z]*[rR][A-Za-z]*|--recursive)([^A-Za-z-]|$)'
force='(-[A-Za-z]*f[A-Za-z]*|--force)([^A-Za-z-]|$)'
if printf '%s' "$words" | grep -Eq -- "$rm$recursive" && printf '%s' "$words" | grep -Eq -- "$rm$force"; then
  echo "block-rm: rm -rf is not allowed here. Name the files, or ask the person to delete them." >&2
  exit 2
fi
exit 0
`
