/** Rows that no decision touches and that our agent does not show: each with what differs. One that passes after all is taken off the list. */
export const gaps: Readonly<Record<string, string>> = {
  'perm-protected':
    'self-protection refuses writes to settings and to git hooks at once (docs/guide/security.md); the published CLI asks PermissionRequest hooks first',
}
