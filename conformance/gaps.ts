/** Rows that no decision touches and that our agent does not show yet: each with what differs. One that passes after all is taken off the list. */
export const gaps: Readonly<Record<string, string>> = {
  'perm-mode-plan': 'mode plan refuses an edit at once; the published CLI asks PermissionRequest hooks first',
  'perm-protected': 'the built-in guard refuses writes to settings and .git; the published CLI asks',
  'ev-permissiondenied': 'our classifier of mode auto asks the model, so the script is one turn further on; the published one asks a service of its own',
  'ev-permissiondenied-exit2': 'the same',
  'prompt-sessionstart': 'a prompt hook on SessionStart is skipped with a reason; the published CLI reports it as a failed hook',
  'async-post-sysmsg': 'background hooks are ended when the session ends, before one that has just started can log itself',
}
